import {
  DirectionalLight,
  GridHelper,
  HemisphereLight,
  type Object3D,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

/** A part of the canvas that shows something of its own. */
export interface Pass {
  /** Shares of the width, 0 to 1. */
  left: number;
  right: number;
  /** Whether the whole picture is drawn into the part, rather than cut to it. */
  isWhole: boolean;
  /** Told before the part is drawn. */
  prepare(): void;
}

/** How the camera looks: where from, and at what. */
export interface Sight {
  from: Vector3;
  at: Vector3;
}

/** A view of a scene that is drawn when something changed, and only then. */
export interface Viewport {
  scene: Scene;
  camera: PerspectiveCamera;
  controls: OrbitControls;
  canvas: HTMLCanvasElement;
  /** Draws with the next frame. */
  redraw(): void;
  /** Moves the camera so that a box is seen whole, from the front: +z, or -z where `facing` is -1. */
  frame(low: Vector3, high: Vector3, facing: 1 | -1): void;
  /** Moves the camera within half a second; at once where the visitor wants little motion. */
  fly(to: Sight): void;
  /** Where a point is on the canvas, in CSS pixels, in the part of the canvas at `x`. */
  toScreen(point: Vector3, x?: number): { x: number; y: number };
  /** From a place of the canvas in CSS pixels to the part it is in: -1 to 1 each way, y up. */
  inPart(x: number, y: number): { x: number; y: number; part: number };
  /** Turns the camera about its target, radians. */
  turn(right: number, up: number): void;
  zoom(factor: number): void;
}

/** Milliseconds of a flight of the camera. */
const FLIGHT = 450;

/**
 * Opens a view on a canvas.
 *
 * @param passes told before each drawing which objects to show where; one pass draws all
 */
export function createViewport(canvas: HTMLCanvasElement, passes: () => Pass[]): Viewport {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  renderer.setPixelRatio(Math.min(2, devicePixelRatio));
  const scene = new Scene();
  const camera = new PerspectiveCamera(32, 1, 0.01, 50);
  camera.position.set(0.7, 0.8, 2.2);
  scene.add(new HemisphereLight(0xffffff, 0x8a90a0, 1.9));
  camera.add(light(0.5, 0.8, 1, 1.6));
  scene.add(camera, floor());
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = false;
  controls.target.set(0, 0.5, 0);
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
    for (const pass of passes()) {
      const { left, right } = pass;
      pass.prepare();
      const share = aim(pass);
      renderer.setViewport(pass.isWhole ? left * width : 0, 0, share * width, height);
      renderer.setScissor(left * width, 0, (right - left) * width, height);
      renderer.render(scene, camera);
    }
    // Tells tests, and scripts that take pictures, when the view holds still.
    canvas.dataset.frame = `${++frames}`;
  };
  /** Gives the camera the shape of a part; its share of the width. */
  const aim = ({ isWhole, left, right }: Pass) => {
    const share = isWhole ? right - left : 1;
    camera.aspect = (share * canvas.clientWidth) / canvas.clientHeight;
    camera.updateProjectionMatrix();
    return share;
  };
  /** The part of the canvas at a place, and where that begins and how wide it is, in pixels. */
  const partAt = (x: number) => {
    const all = passes();
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
    redraw();
  };
  controls.addEventListener("change", redraw);
  new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    renderer.setSize(width, height, false);
    draw();
  }).observe(canvas);
  return {
    scene,
    camera,
    controls,
    canvas,
    redraw,
    frame(low, high, facing) {
      const center = low.clone().add(high).multiplyScalar(0.5);
      const radius = high.distanceTo(low) / 2;
      // Higher than the middle: bars cover the lower end of the view.
      center.y -= 0.13 * radius;
      partAt(0);
      const narrow = Math.min(1, camera.aspect);
      const distance = (radius / Math.sin((camera.fov * Math.PI) / 360) / narrow) * 1.04;
      const from = new Vector3(0.42 * facing, 0.2, facing)
        .normalize()
        .multiplyScalar(distance)
        .add(center);
      flight++;
      lookFrom({ from, at: center });
    },
    fly(to) {
      const turn = ++flight;
      const start = { from: camera.position.clone(), at: controls.target.clone() };
      const began = performance.now();
      const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
      const step = (now: number) => {
        if (turn !== flight) return;
        const share = isStill ? 1 : Math.min(1, (now - began) / FLIGHT);
        const eased = share * share * (3 - 2 * share);
        lookFrom({
          from: start.from.clone().lerp(to.from, eased),
          at: start.at.clone().lerp(to.at, eased),
        });
        if (share < 1) requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    },
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
      offset.applyAxisAngle(new Vector3(0, 1, 0), right);
      const side = new Vector3().crossVectors(new Vector3(0, 1, 0), offset).normalize();
      const tilted = offset.clone().applyAxisAngle(side, -up);
      // Not over the top, where up and down change places.
      if (Math.abs(tilted.y) < 0.98 * tilted.length()) offset.copy(tilted);
      camera.position.copy(controls.target).add(offset);
      controls.update();
      redraw();
    },
    zoom(factor) {
      camera.position.sub(controls.target).multiplyScalar(factor).add(controls.target);
      controls.update();
      redraw();
    },
  };
}

function light(x: number, y: number, z: number, intensity: number): Object3D {
  const lamp = new DirectionalLight(0xffffff, intensity);
  lamp.position.set(x, y, z);
  return lamp;
}

function floor(): Object3D {
  const grid = new GridHelper(2, 20, 0x8890a0, 0x8890a0);
  grid.material.transparent = true;
  grid.material.opacity = 0.25;
  return grid;
}
