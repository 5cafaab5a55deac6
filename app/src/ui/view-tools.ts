import { type PerspectiveCamera, Vector3 } from "three";
import { DIRECTIONS, type Direction } from "../../../src/parts.ts";
import type { SharedCamera } from "../address.ts";
import type { Store } from "../store.ts";
import { axesSeen, type Standpoint } from "../view/camera-fit.ts";
import type { CharacterView } from "../view/character-view.ts";
import { find, make } from "./dom.ts";
import { icon } from "./icons.ts";

/** Radius of the ring of axes, in pixels. */
const RADIUS = 27;

/** The corner of the view: axes that rotate with the camera and select a side, framing, the up axis. */
export interface ViewTools {
  /** Called when the camera has moved. */
  onTurned(listener: () => void): void;
  /** Adds a listener for camera changes. */
  turned(camera: PerspectiveCamera): void;
  /** Sets the view that the buttons act on. */
  connect(view: CharacterView): void;
}

/** Creates the corner of the view. */
export function createViewTools(store: Store): ViewTools {
  const { state } = store;
  let view: CharacterView | undefined;
  let moved: () => void = () => undefined;
  const stand = (where: Standpoint) => () => view?.viewport.stand(where);
  const ends = (["x", "y", "z"] as const).flatMap((axis) =>
    [1, -1].map((sign) => {
      const button = make(
        "button",
        {
          type: "button",
          class: `axis axis-${axis} ${sign > 0 ? "ahead" : "behind"}`,
          "aria-label": `Look along ${sign > 0 ? "" : "minus "}${axis.toUpperCase()}`,
          tabindex: -1,
          onclick: () => lookAlong(axis, sign),
        },
        sign > 0 ? axis.toUpperCase() : "",
      );
      return { axis, sign, button };
    }),
  );
  const arms = (["x", "y", "z"] as const).map((axis) => ({
    axis,
    arm: make("i", { class: `arm axis-${axis}` }),
  }));
  const cube = make(
    "div",
    { class: "axes", title: "Click an end to look from there" },
    ...arms.map(({ arm }) => arm),
    ...ends.map(({ button }) => button),
  );
  const views = make(
    "div",
    { class: "view-buttons" },
    sideButton("Front", "1", stand("front")),
    sideButton("Side", "3", stand("left")),
    sideButton("Top", "7", stand("top")),
  );
  const up = make(
    "select",
    {
      id: "up-axis",
      "aria-label": "Up",
      title: "Up axis of the view",
      onchange: () => {
        state.up = up.value as Direction;
        store.changed("up");
      },
    },
    ...DIRECTIONS.map((direction) =>
      make("option", { value: direction }, `${direction.toUpperCase().replace("-", "−")} up`),
    ),
  );
  const frame = make(
    "button",
    {
      type: "button",
      id: "frame-button",
      class: "icon-button",
      "aria-label": "Look at the whole character",
      title: "Look at the whole character (Home)",
      onclick: () => view?.frame(),
    },
    icon("frame"),
  );
  const tools = make("div", { class: "view-tools", id: "view-tools" }, cube, views, frame, up);
  find("stage-head").append(tools);
  const update = () => {
    tools.hidden = !state.character || !view;
    up.value = state.up;
  };
  store.on(["character", "up"], update);
  update();

  function lookAlong(axis: "x" | "y" | "z", sign: number): void {
    const isUp = state.up.endsWith(axis);
    if (isUp) {
      const isAbove = (state.up.startsWith("-") ? -1 : 1) === sign;
      view?.viewport.stand(isAbove ? "top" : "bottom");
      return;
    }
    // With y up the front is z; with z up it is minus y, as in the programs that use z up.
    const places: Record<string, Standpoint> = {
      x: "left",
      "-x": "right",
      z: "front",
      "-z": "back",
    };
    if (state.up.endsWith("z")) Object.assign(places, { y: "back", "-y": "front" });
    if (state.up.endsWith("x")) Object.assign(places, { y: "right", "-y": "left" });
    stand(places[`${sign < 0 ? "-" : ""}${axis}`] ?? "usual")();
  }

  return {
    onTurned(listener) {
      moved = listener;
    },
    connect(given) {
      view = given;
      update();
      this.turned(given.viewport.camera);
    },
    turned(camera) {
      moved();
      const seen = axesSeen(camera);
      for (const { axis, sign, button } of ends) {
        const { x, y, z } = seen[axis];
        button.style.transform = `translate(${sign * x * RADIUS}px, ${-sign * y * RADIUS}px)`;
        button.style.zIndex = String(Math.round(10 + sign * z * 9));
        button.classList.toggle("far", sign * z < -0.2);
      }
      for (const { axis, arm } of arms) {
        const { x, y } = seen[axis];
        arm.style.width = `${RADIUS * Math.hypot(x, y)}px`;
        arm.style.transform = `rotate(${Math.atan2(-y, x)}rad)`;
      }
    },
  };
}

function sideButton(text: string, key: string, onclick: () => void): HTMLButtonElement {
  return make("button", { type: "button", title: `${text} (${key})`, onclick }, text);
}

/** The camera of a view as numbers, for the page's address. */
export function cameraOf({ viewport }: CharacterView, tools: ViewTools): SharedCamera {
  const { camera, controls, fly } = viewport;
  return {
    get: () => [...camera.position.toArray(), ...controls.target.toArray()],
    set([x, y, z, ...at]) {
      fly({ from: new Vector3(x, y, z), at: new Vector3().fromArray(at) });
    },
    onTurned: tools.onTurned,
  };
}
