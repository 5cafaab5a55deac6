/** The page stays consistent when answers arrive late, twice or out of order. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { currentBind, keepBind } from "../../app/src/binds.ts";
import { qualityWords } from "../../app/src/ui/quality-panel.ts";
import { eventually } from "../helpers/eventually.ts";
import {
  type BarePage,
  binding,
  lesson,
  named,
  openBarePage,
  opened,
  settled,
  someWeights,
} from "../helpers/page-behind.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const AS_GLB = { format: "glb", stem: "a", motions: [] } as const;

/** A page with a character that is bound and reviewed. */
async function pageWith(file: string): Promise<BarePage> {
  const page = openBarePage();
  await page.actions.openFiles([named(file)]);
  await settled();
  return page;
}

/** Opens a file, without waiting for the result. */
async function open({ actions, store }: BarePage, file: string): Promise<void> {
  void actions.openFiles([named(file)]);
  await eventually(() => expect(store.state.source.file).toBe(file));
}

function paint(page: BarePage): void {
  const bind = currentBind(page.store.state)!;
  bind.weights.joints[0] = 1 - bind.weights.joints[0];
  Object.assign(bind, { isPainted: true, isSaved: false });
}

describe("a bind", () => {
  test("has the options that are shown, although naive weights were being computed", async () => {
    const page = await pageWith("a.glb");
    page.behind.held.add("bind");
    void page.actions.addNaive();
    expect((await page.behind.asked("bind")).input.method).toBe("euclid");
    await open(page, "b.glb");
    const call = await page.behind.asked("bind");
    call.answer(binding());
    await settled();
    expect(currentBind(page.store.state)?.options).toEqual(call.input);
    expect(currentBind(page.store.state)?.title).toBe("HeterSkin");
  });

  test("has the options that are shown, although they changed in the meantime", async () => {
    const page = await pageWith("a.glb");
    page.behind.held.add("setCharacter");
    await open(page, "b.glb");
    const given = await page.behind.asked("setCharacter");
    page.store.state.options.maxInfluences = 8;
    given.answer();
    await settled();
    const asked = page.behind.begun.filter(({ name }) => name === "bind").at(-1)!;
    expect(asked.input.maxInfluences).toBe(4);
    expect(currentBind(page.store.state)?.options).toEqual(asked.input);
  });

  test("is discarded if its skeleton was replaced", async () => {
    const page = await pageWith("a.glb");
    page.behind.held.add("takeSkeleton").add("bind");
    void page.actions.takeSkeleton(named("rig.glb"));
    const taken = await page.behind.asked("takeSkeleton");
    void page.actions.bind();
    const old = await page.behind.asked("bind");
    // The visitor is asked where to bind; the previous bind continues behind the question.
    page.store.state.service = { needsToken: false, maxUpload: 100 };
    taken.answer({ ...opened("a.glb"), vertices: 60_000 });
    await eventually(() => expect(page.question()?.text).toContain("60,000"));
    old.answer(binding());
    await settled();
    expect(page.store.state.binds.map(({ origin }) => origin)).toEqual(["file"]);
  });
});

describe("cancelled", () => {
  test("a transfer reports nothing, even if its file was bad", async () => {
    const page = await pageWith("a.glb");
    page.behind.held.add("transfer");
    void page.actions.transfer([named("bad.glb")]);
    const call = await page.behind.asked("transfer");
    page.actions.cancel();
    call.refuse("bad.glb: it has no weights.");
    await settled();
    expect(page.alerts).toEqual([]);
  });

  test("a lesson ends, even while its example is being read", async () => {
    const page = await pageWith("a.glb");
    page.behind.held.add("readExample");
    const lesson = page.actions.teach([named("b.glb")]);
    const call = await page.behind.asked("readExample");
    page.actions.cancel();
    call.answer({ name: "b.glb" });
    await lesson;
    await settled();
    expect(page.behind.count("teach")).toBe(0);
    await page.actions.bind();
    expect(page.behind.count("setStyle")).toBe(0);
  });

  test("a bind in the browser is cancelled, although one on the server ended just before", async () => {
    const page = await pageWith("a.glb");
    const { state } = page.store;
    page.behind.held.add("pack").add("bind");
    Object.assign(state, { service: { needsToken: false, maxUpload: 100 }, where: "server" });
    void page.actions.bind();
    await page.behind.asked("pack");
    page.actions.cancel();
    state.where = "browser";
    void page.actions.bind();
    const { worker } = await page.behind.asked("bind");
    page.actions.cancel();
    expect(worker.isEnded).toBe(true);
  });

  test("earlier weights are reviewed nevertheless", async () => {
    const page = await pageWith("a.glb");
    page.behind.held.add("review").add("bind");
    void page.actions.bind();
    (await page.behind.asked("bind")).answer(binding());
    await page.behind.asked("review");
    void page.actions.bind();
    await settled();
    page.actions.cancel();
    (await page.behind.asked("review")).answer({ vertices: new Uint8Array(4), bones: [] });
    await settled();
    expect(page.store.state.doubts).toBeDefined();
    expect(page.store.state.validity).toEqual({ errors: 0 });
    expect(page.alerts).toEqual([]);
  });
});

describe("a new character", () => {
  test("opens with the default options, whatever the options of the previous one", async () => {
    const page = await pageWith("a.glb");
    const { state } = page.store;
    Object.assign(state.options, { method: "hollow", maxInfluences: 1, smooth: 3, resolution: 32 });
    Object.assign(state.options, { symmetry: false, provider: "wasm" });
    await page.actions.bind();
    await open(page, "b.glb");
    await settled();
    const { input } = page.behind.begun.filter(({ name }) => name === "bind").at(-1)!;
    expect(input).toMatchObject({ method: "network", maxInfluences: 4, smooth: 0, symmetry: true });
    expect(input.resolution).toBeUndefined();
    // Where the network runs is a choice about the machine, not the character.
    expect(input.provider).toBe("wasm");
  });

  test("selects a joint that moves a good part of it, once the first weights are known", async () => {
    const character = opened("a.glb");
    const { skeleton, weights } = character.prepared.character;
    skeleton.names.splice(0, 5, "root", "spine", "arm.l", "leg.l", "head");
    // One vertex follows the spine a little, all others a leg.
    Object.assign(weights!, {
      influences: 2,
      joints: Uint16Array.of(3, 1, 3, 0, 3, 0, 3, 0),
      weights: Float32Array.of(0.9, 0.1, 1, 0, 1, 0, 1, 0),
    });
    const bare = structuredClone(character);
    delete bare.prepared.character.weights;
    for (const [given, joint] of [
      [character, 3],
      [bare, 4],
    ] as const) {
      const page = openBarePage();
      for (const name of ["open", "bind"]) page.behind.held.add(name);
      void page.actions.openFiles([named("a.glb")]);
      (await page.behind.asked("open")).answer(given);
      (await page.behind.asked("bind")).answer(binding(4));
      await eventually(() => expect(currentBind(page.store.state)?.origin).toBe("method"));
      await eventually(() => expect(page.store.state.joint).toBe(joint));
    }
  });

  test("is reviewed although its first bind was cancelled", async () => {
    const page = openBarePage();
    page.behind.held.add("bind");
    void page.actions.openFiles([named("a.glb")]);
    await page.behind.asked("bind");
    page.actions.cancel();
    await eventually(() => expect(page.store.state.validity).toBeDefined());
    expect(qualityWords(page.store.state)).not.toContain("Reviewing …");
  });

  test("removes the alert of a failed bind, and no other", async () => {
    const page = await pageWith("a.glb");
    page.behind.held.add("bind");
    const failed = page.actions.bind();
    (await page.behind.asked("bind")).refuse("It cannot be bound.");
    await failed;
    expect(page.alerts).toEqual(["It cannot be bound."]);
    page.behind.held.clear();
    expect(page.calmed).toEqual([]);
    await page.actions.bind();
    expect(page.calmed).toEqual([1]);
    await page.actions.bind();
    expect(page.calmed).toEqual([1]);
  });
});

describe("the review of weights", () => {
  test("is not requested for a previous character", async () => {
    const page = openBarePage();
    page.behind.held.add("review");
    void page.actions.openFiles([named("a.glb")]);
    const review = await page.behind.asked("review");
    await open(page, "mesh.obj");
    review.answer({ vertices: new Uint8Array(4), bones: [] });
    await settled();
    expect(page.alerts).toEqual([]);
    expect(page.store.state.doubts).toBeUndefined();
    expect(page.behind.count("compare")).toBe(0);
  });

  test("is not shown for other weights", async () => {
    const page = await pageWith("a.glb");
    const { state } = page.store;
    await eventually(() => expect(state.comparison).toBeDefined());
    page.behind.held.add("review");
    page.actions.choose(state.other);
    expect([state.doubts, state.comparison, state.validity]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await page.behind.asked("review");
    const kept = keepBind(state, {
      origin: "method",
      steps: [],
      title: "",
      detail: "",
      weights: someWeights(0),
    });
    state.doubts = {
      vertices: new Uint8Array(4),
      bones: [],
      score: 0,
      poses: { poses: [], findings: [] },
    };
    page.actions.choose(kept.id);
    page.actions.removeBind(kept.id);
    expect(state.doubts).toBeUndefined();
  });

  test("is reported as failed, and can be repeated", async () => {
    const page = await pageWith("a.glb");
    const { state } = page.store;
    page.behind.held.add("review");
    page.actions.choose(state.other);
    expect(qualityWords(state)).toEqual(["Reviewing …"]);
    (await page.behind.asked("review")).refuse("There is not enough memory for this.");
    await eventually(() => expect(qualityWords(state)).toEqual(["The review failed."]));
    void page.actions.review();
    expect(qualityWords(state)).toEqual(["Reviewing …"]);
  });

  test("returns with removed weights", async () => {
    const page = await pageWith("a.glb");
    const { state } = page.store;
    const [ids, current] = [state.binds.map(({ id }) => id), state.current];
    page.actions.removeBind(current);
    expect(state.current).not.toBe(current);
    page.offers.at(-1)!();
    expect(state.binds.map(({ id }) => id)).toEqual(ids);
    expect(state.current).toBe(current);
    page.actions.removeBind(current);
    expect(page.notices).toEqual(["HeterSkin was removed."]);
    page.actions.undo();
    expect(page.notices).toEqual([]);
    expect(state.binds.map(({ id }) => id)).toEqual(ids);
    expect(state.current).toBe(current);
    page.actions.redo();
    expect(state.binds.map(({ id }) => id)).not.toContain(current);
  });

  test("has extra facts only for the latest bind", async () => {
    const page = await pageWith("a.glb");
    const { state } = page.store;
    const lastReview = () =>
      page.behind.begun.filter(({ name }) => name === "review").at(-1)?.input.isLatest;
    expect(lastReview()).toBe(true);
    const first = state.current;
    state.options = { ...state.options, smooth: 1 };
    await page.actions.bind();
    expect(lastReview()).toBe(true);
    page.actions.removeBind(state.current);
    state.current = first;
    await page.actions.review();
    expect(lastReview()).toBe(false);
    await page.actions.bind();
    expect(lastReview()).toBe(true);
    // Naive weights are being computed: the worker's facts will be about those.
    page.behind.held.add("bind");
    void page.actions.addNaive();
    const naive = await page.behind.asked("bind");
    const reviewed = page.actions.review();
    await new Promise((done) => setTimeout(done, 200));
    naive.answer(binding());
    await reviewed;
    expect(lastReview()).toBe(false);
  });
});

describe("distances from a joint", () => {
  async function pageWithField(): Promise<BarePage> {
    const page = await pageWith("a.glb");
    page.store.state.look = "hollow";
    page.store.state.joint = 4;
    page.store.changed("look");
    await settled();
    expect(page.store.state.field?.[0]).toBe(4);
    return page;
  }

  test("are measured once, despite progress events of the network", async () => {
    const page = await pageWithField();
    for (let i = 0; i < 5; i++) page.store.changed("busy");
    await settled();
    expect(page.behind.count("field")).toBe(1);
  });

  test("are not shown for another joint", async () => {
    const page = await pageWithField();
    page.behind.held.add("field");
    page.store.state.joint = 3;
    page.store.changed("joint");
    expect(page.store.state.field).toBeUndefined();
    (await page.behind.asked("field")).answer(new Float32Array(4).fill(3));
    await settled();
    expect(page.store.state.field?.[0]).toBe(3);
  });

  test("return with their joint, although those of another were not finished", async () => {
    const page = await pageWithField();
    const { state, changed } = page.store;
    page.behind.held.add("bind");
    const bound = page.actions.bind();
    const call = await page.behind.asked("bind");
    for (const joint of [3, 4]) {
      state.joint = joint;
      changed("joint");
    }
    call.answer(binding());
    await bound;
    expect(state.field?.[0]).toBe(4);
  });

  test("are measured after a cancel", async () => {
    const page = await pageWithField();
    page.behind.held.add("field").add("bind");
    page.store.state.joint = 3;
    page.store.changed("joint");
    await page.behind.asked("field");
    void page.actions.bind();
    await settled();
    page.actions.cancel();
    (await page.behind.asked("field")).answer(new Float32Array(4).fill(3));
    await settled();
    expect(page.store.state.field?.[0]).toBe(3);
    expect(page.alerts).toEqual([]);
  });

  test("are not requested for another character", async () => {
    const page = await pageWithField();
    page.behind.held.add("setCharacter").add("bind");
    void page.actions.bind();
    await page.behind.asked("bind");
    page.actions.cancel();
    page.store.state.joint = 3;
    page.store.changed("joint");
    const given = await page.behind.asked("setCharacter");
    await open(page, "b.glb");
    page.behind.held.clear();
    given.answer();
    await settled();
    expect(page.alerts).toEqual([]);
    expect(page.store.state.field?.[0]).toBe(page.store.state.joint);
  });
});

describe("a question", () => {
  test("about a previous character is cancelled with it", async () => {
    const page = openBarePage();
    const { state } = page.store;
    state.service = { needsToken: false, maxUpload: 100 };
    page.behind.held.add("open");
    void page.actions.openFiles([named("a.glb")]);
    (await page.behind.asked("open")).answer({ ...opened("a.glb"), vertices: 60_000 });
    await eventually(() => expect(page.question()).toBeDefined());
    const stale = page.question()!;
    void page.actions.openFiles([named("b.glb")]);
    (await page.behind.asked("open")).answer(opened("b.glb"));
    await settled();
    expect(page.question()).toBeUndefined();
    stale.answer("server");
    await settled();
    expect(state.where).toBeUndefined();
  });

  test("about a file is cancelled once another is being read", async () => {
    const page = await pageWith("a.glb");
    paint(page);
    void page.actions.openFiles([named("b.glb")]);
    await eventually(() => expect(page.question()?.text).toContain("b.glb"));
    const { answer } = page.question()!;
    page.behind.held.add("open");
    void page.actions.openFiles([named("bb.glb")]);
    const call = await page.behind.asked("open");
    answer("open");
    await settled();
    expect(page.store.state.source.file).toBe("a.glb");
    expect(call.worker.isEnded).toBe(false);
    expect(await page.actions.save(AS_GLB)).toBeDefined();
    page.actions.cancel();
    expect(call.worker.isEnded).toBe(true);
  });
});

describe("the learned style", () => {
  test("is forgotten, also while more is being learned", async () => {
    const page = openBarePage();
    await page.actions.openFiles([named("mesh.obj")]);
    await page.actions.teach([named("a.glb")]);
    expect(page.store.state.learned?.examples[0].name).toBe("a.glb");
    page.behind.held.add("teach");
    void page.actions.teach([named("b.glb")]);
    const { answer } = await page.behind.asked("teach");
    page.behind.held.add("bind");
    void page.actions.forget();
    answer(lesson("b.glb"));
    await settled();
    expect(page.store.state.learned).toBeUndefined();
    expect(page.store.state.learnedFrom).toBe("");
  });

  test("is forgotten, also while it is bound with", async () => {
    const page = await pageWith("a.glb");
    page.behind.held.add("bind");
    const taught = page.actions.teach([named("b.glb")]);
    await page.behind.asked("bind");
    void page.actions.forget();
    await taught;
    expect(page.store.state.learned).toBeUndefined();
    (await page.behind.asked("bind")).answer(binding());
    await settled();
    expect(currentBind(page.store.state)?.title).toBe("HeterSkin");
  });

  test("can be learned with nothing open", async () => {
    const page = openBarePage();
    await page.actions.teach([named("a.glb")]);
    expect(page.alerts).toEqual([]);
    expect(page.store.state.learned?.examples[0].name).toBe("a.glb");
  });
});

describe("a skeleton", () => {
  test("that is accepted is the last one chosen", async () => {
    const page = openBarePage();
    const { state } = page.store;
    await page.actions.openFiles([named("mesh.obj")]);
    page.behind.held.add("fit");
    void page.actions.fit("snake");
    const call = await page.behind.asked("fit");
    const accepted = page.actions.acceptSkeleton();
    await settled();
    call.answer(opened("mesh.obj", "snake"));
    await accepted;
    expect(state.character?.prepared.character.skeleton.names[0]).toBe("snake0");
    expect(state.source.skeleton).toBe("template:snake");
  });

  test("can be placed again after a bind, with its options, and by undo", async () => {
    const page = openBarePage();
    const { state } = page.store;
    await page.actions.openFiles([named("mesh.obj")]);
    await page.actions.fit("snake", { fingers: 3 });
    await page.actions.acceptSkeleton();
    expect(state.fitting).toBeUndefined();
    expect(state.binds).toHaveLength(1);
    await page.actions.adjustSkeleton();
    expect(state.fitting).toMatchObject({ template: "snake", fingers: 3 });
    expect(state.binds).toEqual([]);
    await page.actions.acceptSkeleton();
    await settled();
    page.actions.undo();
    await eventually(() => expect(state.fitting?.template).toBe("snake"));
    await eventually(() => expect(state.isPlacing).toBe(false));
    page.actions.undo();
    await settled();
  });

  test("returns to the previous template", async () => {
    const page = openBarePage();
    const { state } = page.store;
    await page.actions.openFiles([named("mesh.obj")]);
    const names = () => state.character?.prepared.character.skeleton.names.join();
    const first = names();
    await page.actions.fit("snake");
    const second = names();
    expect(second).not.toBe(first);
    page.actions.undo();
    await eventually(() => expect(names()).toBe(first));
    await eventually(() => expect(state.isPlacing).toBe(false));
    page.actions.redo();
    await eventually(() => expect(names()).toBe(second));
    expect(state.fitting?.template).toBe("snake");
  });

  test("of a file that does not fit is placed by hand first", async () => {
    const page = openBarePage();
    const { state } = page.store;
    await page.actions.openFiles([named("mesh.obj")]);
    page.behind.held.add("takeSkeleton");
    const misfit = { before: 0.06, after: 0.9, changes: ["rotated"] };
    void page.actions.takeSkeleton(named("rig.glb"));
    const call = await page.behind.asked("takeSkeleton");
    call.answer({ ...opened("mesh.obj", "taken"), template: undefined, misfit });
    await settled();
    expect(state.fitting).toMatchObject({ template: "" });
    expect(page.notices.join()).toContain("6 % of its joints");
    await page.actions.acceptSkeleton();
    expect(state.source.skeleton).toBe("rig.glb");
    expect(state.binds).toHaveLength(1);
  });

  test("is accepted once its joints have moved to the middle", async () => {
    const page = openBarePage();
    const { state } = page.store;
    await page.actions.openFiles([named("mesh.obj")]);
    let settle = () => {};
    state.fitting!.settling = new Promise<void>((done) => {
      settle = done;
    });
    const accepted = page.actions.acceptSkeleton();
    expect(state.isPlacing).toBe(true);
    await settled();
    state.character!.prepared.character.skeleton.positions[0] = 0.75;
    settle();
    await accepted;
    const [call] = page.behind.begun.filter(({ name }) => name === "setSkeleton");
    expect(call.input.skeleton.positions[0]).toBe(0.75);
    expect(state.isPlacing).toBe(false);
  });

  test("accepted for one file is not used for the next", async () => {
    const page = openBarePage();
    await page.actions.openFiles([named("mesh.obj")]);
    page.behind.held.add("fit");
    void page.actions.fit("snake");
    await page.behind.asked("fit");
    void page.actions.acceptSkeleton();
    void page.actions.openFiles([named("other.obj")]);
    await settled();
    expect(page.store.state.source.file).toBe("other.obj");
    expect(page.behind.count("setSkeleton")).toBe(0);
    expect(page.store.state.fitting).toBeDefined();
    expect(page.alerts).toEqual([]);
  });
});

test("cleaned weights are named after the weights at the time of the request", async () => {
  const page = await pageWith("a.glb");
  page.behind.held.add("refine");
  const done = page.actions.refine();
  const call = await page.behind.asked("refine");
  paint(page);
  call.answer({ weights: someWeights(0), changed: 1 });
  await done;
  expect(currentBind(page.store.state)?.title).toBe("HeterSkin, cleaned");
});

test("a fix and a cleanup are undone and redone", async () => {
  const page = await pageWith("a.glb");
  const title = () => currentBind(page.store.state)?.title;
  page.store.state.marked = [2];
  await page.actions.fix([0]);
  // The highlighted vertices belong to the previous weights.
  expect(page.store.state.marked).toEqual([]);
  await page.actions.refine();
  expect(title()).toBe("HeterSkin, fixed, cleaned");
  page.actions.undo();
  expect(title()).toBe("HeterSkin, fixed");
  page.actions.undo();
  expect(title()).toBe("HeterSkin");
  page.actions.redo();
  expect(title()).toBe("HeterSkin, fixed");
  // All of them stay in the list.
  const { binds, current } = page.store.state;
  expect(binds).toHaveLength(4);
  // A repeated bind is the same entry for the steps.
  await page.actions.bind();
  expect(page.store.state.binds).toHaveLength(4);
  page.actions.choose(current);
  page.actions.undo();
  expect(title()).toBe("HeterSkin");
});

describe("saving", () => {
  test("never stores weights with another skeleton", async () => {
    const page = await pageWith("a.glb");
    page.behind.held.add("takeSkeleton");
    void page.actions.takeSkeleton(named("rig.glb"));
    const call = await page.behind.asked("takeSkeleton");
    const saved = page.actions.save(AS_GLB);
    call.answer(opened("b.glb"));
    expect(await saved).toBeUndefined();
    expect(page.notices.join()).toContain("skeleton");
    expect(page.alerts).toEqual([]);
  });

  test("does not mark a later stroke as saved", async () => {
    const page = await pageWith("a.glb");
    const bind = currentBind(page.store.state)!;
    paint(page);
    page.behind.held.add("write");
    const saved = page.actions.save(AS_GLB);
    const call = await page.behind.asked("write");
    paint(page);
    call.answer({ name: "a.glb", bytes: new Uint8Array(3) });
    expect(await saved).toBeDefined();
    expect(bind.isSaved).toBe(false);
  });

  test("continues although another file is opened", async () => {
    const page = await pageWith("a.glb");
    page.behind.held.add("write");
    const saved = page.actions.save(AS_GLB);
    const call = await page.behind.asked("write");
    await open(page, "b.glb");
    call.answer({ name: "a.glb", bytes: new Uint8Array(3) });
    expect(await saved).toBeDefined();
    await settled();
    expect(call.worker.isEnded).toBe(true);
  });
});

describe("a crashed worker", () => {
  test("is not reported as an error of its file", async () => {
    const page = openBarePage();
    page.behind.held.add("open");
    const done = page.actions.openFiles([named("a.glb")]);
    (await page.behind.asked("open")).worker.die();
    await done;
    expect(page.alerts.join()).toContain("exited unexpectedly");
    expect(page.store.state.reading).toBeUndefined();
  });

  test("rejects pending calls, and is replaced", async () => {
    const page = await pageWith("a.glb");
    const first = page.behind.binder();
    first.die();
    await page.actions.bind();
    expect(page.store.state.busy).toBeUndefined();
    expect(page.behind.binder()).not.toBe(first);
    expect(page.behind.begun.at(-1)?.worker).not.toBe(first);
    // A repeated bind replaces the previous entry.
    expect(page.store.state.binds).toHaveLength(2);
  });

  test.each(["bind", "teach", "refine"] as const)(
    "is reported if it crashes in %s",
    async (name) => {
      const page = await pageWith("a.glb");
      page.behind.held.add(name);
      const done = page.actions[name]([named("b.glb")]);
      (await page.behind.asked(name)).worker.die();
      await done;
      expect(page.alerts.join()).toContain("exited unexpectedly");
      expect(page.store.state.busy).toBeUndefined();
      page.behind.held.clear();
      await page.actions.bind();
      expect(currentBind(page.store.state)?.origin).toBe("method");
    },
  );

  test("is reported if it held the open file", async () => {
    const page = await pageWith("a.glb");
    page.behind.workers.find(({ kind }) => kind === "reader")!.die();
    expect(await page.actions.save(AS_GLB)).toBeUndefined();
    expect(page.alerts.join()).toContain("exited unexpectedly");
  });
});

test("the facts for the brush are computed once per character", async () => {
  const page = await pageWith("a.glb");
  expect(page.behind.count("facts")).toBe(1);
  expect(page.store.state.facts).toBeDefined();
  page.behind.held.add("facts");
  await open(page, "b.glb");
  expect(page.store.state.facts).toBeUndefined();
});
