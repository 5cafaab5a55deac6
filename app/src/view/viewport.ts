import {
  DirectionalLight,
  HemisphereLight,
  PerspectiveCamera,
  type Quaternion,
  Scene,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Direction } from "../../../src/parts.ts";
import {
  type Box,
  distanceToSee,
  type Insets,
  roomy,
  STANDPOINTS,
  type Standpoint,
  turnToUp,
} from "./camera-fit.ts";
import { createFloor, type Floor } from "./floor.ts";
import { screenPixels } from "./screen-pixels.ts";

/** A part of the canvas with its own content. */
export interface Pass {
  /** Horizontal extent as fractions of the width. */
  left: number;
  right: number;
  /** Whether the part shows the whole image rather than a section of it. */
  isWhole: boolean;
  /** Called before the part is drawn. */
  prepare(): void;
}

/** Position and target of the camera. */
export interface Sight {
  from: Vector3;
  at: Vector3;
}

/** A view of a scene that is drawn only when something has changed. */
export interface Viewport {
  scene: Scene;
  camera: PerspectiveCamera;
  controls: OrbitControls;
  canvas: HTMLCanvasElement;
  /** Requests a draw in the next frame. */
  redraw(): void;
  /** Measures again which parts of the canvas bars cover. */
  measure(): void;
  /** Draws immediately. */
  draw(): void;
  /** Moves the camera to show a whole box, from its front: +z, or -z if `facing` is -1. */
  frame(box: Box, facing: 1 | -1, up: Direction): void;
  /** Flies to a direction from which it looks at a box, by default the framed one. */
  stand(where: Standpoint, box?: Box): void;
  /** Moves the camera within half a second, or immediately if the visitor prefers reduced motion. */
  fly(to: Sight): void;
  /** Position of a point on the canvas in CSS pixels, within the part of the canvas at `x`. */
  toScreen(point: Vector3, x?: number): { x: number; y: number };
  /** Converts a position on the canvas in CSS pixels to coordinates of its part: -1 to 1 each way, y up. */
  inPart(x: number, y: number): { x: number; y: number; part: number };
  /** Rotates the camera about its target, in radians. */
  turn(right: number, up: number): void;
  zoom(factor: number): void;
  /** Draws the framed box as a square image with a transparent background, a little from the side. */
  thumbnail(size: number): HTMLCanvasElement;
  /** Draws the view, scaled by a factor, with a transparent background and without the floor. */
  picture(factor: number): HTMLCanvasElement;
  /** Shows a second view from the side, in a corner. */
  setInset(isShown: boolean): void;
}

/** What a viewport needs to know about the page around it. */
export interface ViewportHost {
  /** Objects to show and where; one pass draws all. */
  passes(): Pass[];
  /** What covers the canvas. */
  insets(): Insets;
  /** Called when the camera has moved. */
  turned(camera: PerspectiveCamera): void;
}

/** Duration of a camera flight (ms). */
const FLIGHT = 450;
/** Margin around what is framed. */
const AIR = 1.07;
/** Size of the second view as a fraction of the canvas. */
export const INSET = 0.3;

/** Opens a view on a canvas. */
export function createViewport(canvas: HTMLCanvasElement, host: ViewportHost): Viewport {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  renderer.setPixelRatio(Math.min(2, devicePixelRatio));
  const scene = new Scene();
  const camera = new PerspectiveCamera(32, 1, 0.01, 50);
  camera.position.set(0.7, 0.8, 2.2);
  const side = new PerspectiveCamera(32, 1, 0.01, 50);
  scene.add(new HemisphereLight(0xffffff, 0x8a90a0, 1.9));
  for (const each of [camera, side]) {
    const lamp = new DirectionalLight(0xffffff, 1.6);
    lamp.position.set(0.5, 0.8, 1);
    // Only the light of the camera that draws is on.
    each.add(lamp);
    lamp.visible = each === camera;
    scene.add(each);
  }
  const floor: Floor = createFloor();
  scene.add(floor.group);
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = false;
  controls.zoomToCursor = true;
  controls.target.set(0, 0.5, 0);
  /** What is framed, and how. */
  let framed: { box: Box; turn: Quaternion; facing: 1 | -1 } | undefined;
  let insets: Insets = { top: 0, bottom: 0 };
  let hasInset = false;
  let frames = 0;
  let isWaiting = false;
  const redraw = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      draw();
    });
  };
  const draw = () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    renderer.setScissorTest(true);
    for (const pass of host.passes()) {
      const { left, right } = pass;
      pass.prepare();
      const share = aim(pass);
      renderer.setViewport(pass.isWhole ? left * width : 0, 0, share * width, height);
      renderer.setScissor(left * width, 0, (right - left) * width, height);
      renderer.render(scene, camera);
    }
    if (hasInset && framed) drawInset(framed, width, height);
    // Tells tests and scripts that take screenshots when the view has settled.
    canvas.dataset.frame = `${++frames}`;
  };
  /** Draws the side view in the lower right corner. */
  const drawInset = ({ box, turn }: NonNullable<typeof framed>, width: number, height: number) => {
    const size = Math.round(INSET * Math.min(width, height));
    const place = [width - size - 12, 12, size, size] as const;
    const back = new Vector3(...STANDPOINTS.left).applyQuaternion(turn);
    lookAtBox(side, box, back, turn);
    renderer.setViewport(...place);
    renderer.setScissor(...place);
    renderer.clearDepth();
    const [own, other] = [camera.children[0], side.children[0]];
    [own.visible, other.visible] = [false, true];
    renderer.autoClearColor = false;
    renderer.render(scene, side);
    renderer.autoClearColor = true;
    [own.visible, other.visible] = [true, false];
  };
  /** Sets the aspect ratio of the camera for a part. Returns the fraction of its width. */
  const aim = ({ isWhole, left, right }: Pass) => {
    const share = isWhole ? right - left : 1;
    const [width, height] = [share * canvas.clientWidth, canvas.clientHeight];
    camera.aspect = width / height;
    // A box that fits the whole view also fits a part of it, and a smaller window.
    camera.zoom = framed ? Math.min(1, framedDistance() / distanceNow()) : 1;
    const shift = (insets.bottom - insets.top) / 2;
    camera.setViewOffset(width, height, 0, shift, width, height);
    return share;
  };
  /** Distance of the camera when it framed its box, and the distance required for the part it looks at. */
  let wholeDistance = 1;
  const framedDistance = () => wholeDistance;
  const distanceNow = () => {
    const { box, turn, facing } = framed!;
    return needed(box, standpoint("usual", turn, facing), turn, camera.aspect);
  };
  const needed = (box: Box, back: Vector3, turn: Quaternion, aspect: number) => {
    const high = canvas.clientHeight || 1;
    const free = Math.max(0.3, (high - insets.top - insets.bottom) / high);
    const y = Math.tan((camera.fov * Math.PI) / 360);
    const up = new Vector3(0, 1, 0).applyQuaternion(turn);
    return AIR * distanceToSee(box, back, up, { x: y * aspect, y: y * free });
  };
  const standpoint = (where: Standpoint, turn: Quaternion, facing: 1 | -1) => {
    const [x, y, z] = STANDPOINTS[where];
    return new Vector3(x * facing, y, z * facing).normalize().applyQuaternion(turn);
  };
  /** Points a separate camera at a box. */
  const lookAtBox = (other: PerspectiveCamera, box: Box, back: Vector3, turn: Quaternion) => {
    const up = new Vector3(0, 1, 0).applyQuaternion(turn);
    const y = Math.tan((other.fov * Math.PI) / 360);
    const center = box.low.clone().add(box.high).multiplyScalar(0.5);
    const away = AIR * distanceToSee(box, back, up, { x: y * other.aspect, y });
    other.up.copy(up);
    other.position.copy(center).addScaledVector(back, away);
    other.lookAt(center);
    other.updateProjectionMatrix();
  };
  /** The part of the canvas at a position, where it starts and its width, in pixels. */
  const partAt = (x: number) => {
    const all = host.passes();
    const fraction = x / canvas.clientWidth;
    const found = all.findIndex(({ right }) => fraction < right);
    const part = found < 0 ? all.length - 1 : found;
    const share = aim(all[part]);
    const start = all[part].isWhole ? all[part].left * canvas.clientWidth : 0;
    return { part, start, width: share * canvas.clientWidth };
  };
  let flight = 0;
  const lookFrom = ({ from, at }: Sight) => {
    camera.position.copy(from);
    controls.target.copy(at);
    controls.update();
    host.turned(camera);
    redraw();
  };
  const setUp = (turn: Quaternion) => {
    camera.up.set(0, 1, 0).applyQuaternion(turn);
    // The controls keep the up axis from their creation.
    const inner = controls as unknown as { _quat: Quaternion; _quatInverse: Quaternion };
    inner._quat.setFromUnitVectors(camera.up, new Vector3(0, 1, 0));
    inner._quatInverse.copy(inner._quat).invert();
  };
  const fly = (to: Sight) => {
    const turn = ++flight;
    const start = { from: camera.position.clone(), at: controls.target.clone() };
    const began = performance.now();
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = (now: number) => {
      if (turn !== flight) return;
      const share = isStill ? 1 : Math.min(1, Math.max(0, (now - began) / FLIGHT));
      const eased = share * share * (3 - 2 * share);
      lookFrom({
        from: start.from.clone().lerp(to.from, eased),
        at: start.at.clone().lerp(to.at, eased),
      });
      if (share < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  };
  /** Draws an image of another size, and restores the size of the canvas. */
  const taken = (width: number, height: number, render: () => void): HTMLCanvasElement => {
    const out = document.createElement("canvas");
    out.width = width;
    out.height = height;
    const ratio = renderer.getPixelRatio();
    renderer.setPixelRatio(1);
    renderer.setSize(width, height, false);
    floor.group.visible = false;
    render();
    out.getContext("2d")?.drawImage(canvas, 0, 0);
    floor.group.visible = true;
    renderer.setPixelRatio(ratio);
    renderer.setSize(canvas.clientWidth, canvas.clientHeight, false);
    draw();
    return out;
  };
  controls.addEventListener("change", () => {
    host.turned(camera);
    redraw();
  });
  // A gesture in the view ends a flight.
  controls.addEventListener("start", () => flight++);
  new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    insets = host.insets();
    renderer.setSize(width, height, false);
    draw();
  }).observe(canvas);
  const standAt = (where: Standpoint, box = framed?.box): Sight | undefined => {
    if (!framed || !box) return undefined;
    const { turn, facing } = framed;
    const back = standpoint(where, turn, facing);
    const at = box.low.clone().add(box.high).multiplyScalar(0.5);
    partAt(0);
    const from = at.clone().addScaledVector(back, needed(box, back, turn, camera.aspect));
    return { at, from };
  };
  return {
    scene,
    camera,
    controls,
    canvas,
    redraw,
    draw,
    measure() {
      insets = host.insets();
      redraw();
    },
    frame(box, facing, up) {
      const turn = turnToUp(up);
      framed = { box, turn, facing };
      insets = host.insets();
      setUp(turn);
      floor.put(box, up);
      const [all] = host.passes();
      aim(all);
      wholeDistance = distanceNow();
      flight++;
      lookFrom(standAt("usual")!);
    },
    stand(where, box) {
      insets = host.insets();
      const sight = standAt(where, box);
      if (sight) fly(sight);
    },
    fly,
    toScreen(point, x = 0) {
      const { start, width } = partAt(x);
      const at = point.clone().project(camera);
      return {
        x: start + ((at.x + 1) / 2) * width,
        y: ((1 - at.y) / 2) * canvas.clientHeight,
      };
    },
    inPart(x, y) {
      const { part, start, width } = partAt(x);
      return { part, x: ((x - start) / width) * 2 - 1, y: 1 - (y / canvas.clientHeight) * 2 };
    },
    turn(right, up) {
      const offset = camera.position.clone().sub(controls.target);
      offset.applyAxisAngle(camera.up, right);
      const across = new Vector3().crossVectors(camera.up, offset).normalize();
      const tilted = offset.clone().applyAxisAngle(across, -up);
      // Not over the top, where up and down would swap.
      if (Math.abs(tilted.dot(camera.up)) < 0.98 * tilted.length()) offset.copy(tilted);
      lookFrom({ from: controls.target.clone().add(offset), at: controls.target.clone() });
    },
    zoom(factor) {
      const offset = camera.position.clone().sub(controls.target).multiplyScalar(factor);
      lookFrom({ from: controls.target.clone().add(offset), at: controls.target.clone() });
    },
    thumbnail(size) {
      const target = new WebGLRenderTarget(size, size, { samples: 4 });
      const out = document.createElement("canvas");
      out.width = out.height = size;
      if (!framed) return out;
      const { box, turn, facing } = framed;
      side.aspect = 1;
      lookAtBox(side, roomy(box), standpoint("usual", turn, facing), turn);
      const [own, other] = [camera.children[0], side.children[0]];
      [own.visible, other.visible, floor.group.visible] = [false, true, false];
      renderer.setScissorTest(false);
      renderer.setRenderTarget(target);
      renderer.clear();
      renderer.render(scene, side);
      const pixels = new Uint8Array(size * size * 4);
      renderer.readRenderTargetPixels(target, 0, 0, size, size, pixels);
      renderer.setRenderTarget(null);
      [own.visible, other.visible, floor.group.visible] = [true, false, true];
      target.dispose();
      out.getContext("2d")?.putImageData(screenPixels(pixels, size), 0, 0);
      return out;
    },
    picture(factor) {
      const { clientWidth: width, clientHeight: height } = canvas;
      return taken(width * factor, height * factor, () => {
        renderer.setScissorTest(true);
        for (const pass of host.passes()) {
          pass.prepare();
          const share = aim(pass);
          const start = pass.isWhole ? pass.left * width : 0;
          const across = [start, 0, share * width, height] as const;
          renderer.setViewport(...scaled(across, factor));
          const cut = [pass.left * width, 0, (pass.right - pass.left) * width, height] as const;
          renderer.setScissor(...scaled(cut, factor));
          renderer.render(scene, camera);
        }
      });
    },
    setInset(isShown) {
      if (hasInset === isShown) return;
      hasInset = isShown;
      redraw();
    },
  };
}

type Rectangle = readonly [number, number, number, number];

const scaled = (rectangle: Rectangle, factor: number) =>
  rectangle.map((value) => value * factor) as [number, number, number, number];
