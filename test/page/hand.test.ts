/** Dragging, dropping and pressing while something else arrives. */
import { PerspectiveCamera } from "three";
import { afterEach, expect, test, vi } from "vitest";
import { connectFitting, type FitPointer } from "../../app/src/fit-pointer.ts";
import { createHistory, type History } from "../../app/src/history.ts";
import { createStore, newFitting, type Store } from "../../app/src/store.ts";
import { connectDrop } from "../../app/src/ui/drop-files.ts";
import { flash } from "../../app/src/ui/flash.ts";
import { named, opened, settled } from "../helpers/page-behind.ts";

/** The joint under the pointer is the one whose index is its position from the left. */
vi.mock("../../app/src/view/pick.ts", () => ({ pickJoint: (_: unknown, x: number) => x }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A skeleton of five joints that is being placed, and pending calls for the middle of the body. */
function fitter(): {
  store: Store;
  fitting: FitPointer;
  snaps: { answer(point: number[]): void; refuse(): void }[];
  place(joint: number): number[];
  history: History;
} {
  const history = createHistory();
  const store = createStore({
    method: "heat",
    maxInfluences: 4,
    smooth: 0,
    provider: "auto",
    symmetry: true,
  });
  const { state } = store;
  state.character = opened("mesh.obj", "biped");
  state.fitting = { ...newFitting("biped"), isMirrored: false };
  const camera = new PerspectiveCamera();
  camera.position.z = 2;
  camera.updateMatrixWorld();
  const viewport = { camera, inPart: (x: number, y: number) => ({ x: x / 10, y: y / 10 }) };
  const snaps: { answer(point: number[]): void; refuse(): void }[] = [];
  const fitting = connectFitting(
    { viewport, limb: { show: () => undefined } } as never,
    store,
    history,
    () =>
      new Promise((resolve, reject) => {
        snaps.push({ answer: resolve, refuse: () => reject(new Error("Cancelled.")) });
      }),
  );
  const place = (joint: number) => [
    ...state.character!.prepared.character.skeleton.positions.subarray(joint * 3, joint * 3 + 3),
  ];
  return { store, fitting, snaps, place, history };
}

test("a drag ends when its skeleton is replaced", () => {
  const { store, fitting } = fitter();
  expect(fitting.press({ x: 4, y: 0 })).toBe(true);
  store.state.character = opened("mesh.obj", "two");
  store.changed("character");
  expect(fitting.isDragging()).toBe(false);
  expect(() => fitting.drag({ x: 4, y: 1 })).not.toThrow();
});

test("a joint moves to the middle while the next one is dragged", async () => {
  const { fitting, snaps, place } = fitter();
  fitting.press({ x: 1, y: 0 });
  fitting.release();
  fitting.press({ x: 2, y: 0 });
  snaps[0].answer([0.5, 0.25, 0.125]);
  await settled();
  expect(place(1)).toEqual([0.5, 0.25, 0.125]);
});

test("a joint that was moved again stays at its last position", async () => {
  const { store, fitting, snaps, place } = fitter();
  fitting.press({ x: 1, y: 0 });
  fitting.release();
  store.state.fitting!.isSnapping = false;
  fitting.press({ x: 1, y: 0 });
  fitting.drag({ x: 3, y: 3 });
  fitting.release();
  const last = place(1);
  snaps[0].answer([0.5, 0.25, 0.125]);
  await settled();
  expect(place(1)).toEqual(last);
});

test("a drag is undone and redone, also after the joint moved to the middle", async () => {
  const { fitting, snaps, place, history } = fitter();
  const before = place(1);
  fitting.press({ x: 1, y: 0 });
  fitting.release();
  expect(history.canUndo()).toBe(false);
  fitting.press({ x: 1, y: 0 });
  fitting.drag({ x: 3, y: 3 });
  fitting.release();
  snaps[1].answer([0.5, 0.25, 0.125]);
  await settled();
  history.undo();
  expect(place(1)).toEqual(before);
  history.redo();
  expect(place(1)).toEqual([0.5, 0.25, 0.125]);
});

test("a joint stays where it was dropped if no middle is found", async () => {
  const { store, fitting, snaps, place } = fitter();
  const before = place(1);
  fitting.press({ x: 1, y: 0 });
  fitting.release();
  snaps[0].refuse();
  await expect(store.state.fitting?.settling).resolves.toBeDefined();
  expect(place(1)).toEqual(before);
});

test("a repeated flash gives way to the usual text", () => {
  vi.useFakeTimers();
  const button = { textContent: "Copy" };
  flash(button, "Copied");
  vi.advanceTimersByTime(1000);
  flash(button, "Copied");
  vi.advanceTimersByTime(1000);
  expect(button.textContent).toBe("Copied");
  vi.advanceTimersByTime(5000);
  expect(button.textContent).toBe("Copy");
});

/** Drops entries on a page that waits for them; returns the files that it received. */
function dropper(): { drop(entry: object, name: string): void; given: string[] } {
  const listeners = new Map<string, (event: unknown) => void>();
  vi.stubGlobal("addEventListener", (type: string, listener: (event: unknown) => void) =>
    listeners.set(type, listener),
  );
  vi.stubGlobal("document", {
    body: { classList: { add: () => undefined, remove: () => undefined } },
  });
  const given: string[] = [];
  connectDrop((files) => given.push(files.map(({ name }) => name).join()));
  const drop = (entry: object, name: string) => {
    const items = [{ webkitGetAsEntry: () => entry }];
    const dataTransfer = { items, files: [{ name }] };
    listeners.get("drop")!({ dataTransfer, preventDefault: () => undefined });
  };
  return { drop, given };
}

test("the later of two drops is opened, even if its folder takes longer to read", async () => {
  const { drop, given } = dropper();
  let walkOn = () => {};
  const slow = {
    isFile: true,
    file: (found: (file: object) => void) => {
      walkOn = () => found(named("slow.glb"));
    },
  };
  drop(slow, "slow");
  drop({ isFile: true, file: (found: (file: object) => void) => found(named("b.glb")) }, "b.glb");
  await settled();
  walkOn();
  await settled();
  expect(given).toEqual(["b.glb"]);
});

test("a folder that cannot be listed is passed on as it is", async () => {
  const { drop, given } = dropper();
  drop(
    {
      isFile: true,
      file: (_: unknown, refuse: (error: Error) => void) => refuse(new Error("gone")),
    },
    "a.glb",
  );
  await settled();
  expect(given).toEqual(["a.glb"]);
});
