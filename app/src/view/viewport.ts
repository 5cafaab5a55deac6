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

/** A view of a scene that is drawn when something changed, and only then. */
export interface Viewport {
  scene: Scene;
  camera: PerspectiveCamera;
  controls: OrbitControls;
  canvas: HTMLCanvasElement;
  /** Draws with the next frame. */
  redraw(): void;
  /** Moves the camera so that a box is seen whole. */
  frame(low: Vector3, high: Vector3): void;
  /** Where a point is on the canvas, in CSS pixels. */
  toScreen(point: Vector3): { x: number; y: number };
  /** Turns the camera about its target, radians. */
  turn(right: number, up: number): void;
  zoom(factor: number): void;
}

/**
 * Opens a view on a canvas.
 *
 * @param passes told before each drawing which objects to show where; one pass draws all
 */
export function createViewport(
  canvas: HTMLCanvasElement,
  passes: () => { left: number; right: number; prepare: () => void }[],
): Viewport {
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
    for (const { left, right, prepare } of passes()) {
      prepare();
      renderer.setScissor(left * width, 0, (right - left) * width, height);
      renderer.render(scene, camera);
    }
  };
  controls.addEventListener("change", redraw);
  new ResizeObserver(() => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0 || height === 0) return;
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    draw();
  }).observe(canvas);
  return {
    scene,
    camera,
    controls,
    canvas,
    redraw,
    frame(low, high) {
      const centre = low.clone().add(high).multiplyScalar(0.5);
      const radius = high.distanceTo(low) / 2;
      const narrow = Math.min(1, camera.aspect);
      const distance = (radius / Math.sin((camera.fov * Math.PI) / 360) / narrow) * 0.86;
      camera.position.copy(
        new Vector3(0.42, 0.2, 1).normalize().multiplyScalar(distance).add(centre),
      );
      controls.target.copy(centre);
      controls.update();
      redraw();
    },
    toScreen(point) {
      const at = point.clone().project(camera);
      return {
        x: ((at.x + 1) / 2) * canvas.clientWidth,
        y: ((1 - at.y) / 2) * canvas.clientHeight,
      };
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
