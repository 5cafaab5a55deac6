/** Computations of the view: ray casts, camera distance, the outline of a limb, addresses. */
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Raycaster,
  Vector3,
} from "three";
import { describe, expect, test } from "vitest";
import { facingOf } from "../../app/src/facing.ts";
import type { OpenedCharacter } from "../../app/src/file-calls.ts";
import { strokeKind } from "../../app/src/paint/paint-tools.ts";
import { sparsePose, withPose } from "../../app/src/pose-text.ts";
import { jointReach, jointRows, jointsAbove } from "../../app/src/ui/joint-rows.ts";
import { createBody } from "../../app/src/view/body.ts";
import { distanceToSee, framedBox } from "../../app/src/view/camera-fit.ts";
import { limbOutline } from "../../app/src/view/limb-ring.ts";
import { hitMesh } from "../../app/src/view/ray-mesh.ts";
import { createBoneTexture } from "../../app/src/view/skin-shader.ts";
import { makeSample } from "../../samples/index.ts";
import { prepareCharacter } from "../../src/character/prepare-character.ts";
import { fileFromCharacter } from "../../src/formats/file-from-character.ts";
import { readLook } from "../../src/formats/index.ts";
import { createRandom } from "../../src/math/random.ts";
import { forwardKinematics, randomPose } from "../../src/skeleton/pose.ts";
import { linearBlend } from "../../src/weights/deform.ts";
import { tube } from "../helpers/odd-characters.ts";

const { mesh, skeleton, weights } = makeSample("fish");

test.each([1, 2, 3, 4])("a ray hits the same triangle as in three.js, seed %i", (seed) => {
  const random = createRandom(seed);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(mesh.positions, 3));
  geometry.setIndex(new BufferAttribute(mesh.triangles, 1));
  const other = new Mesh(geometry, new MeshBasicMaterial({ side: DoubleSide }));
  let hits = 0;
  for (let i = 0; i < 30; i++) {
    const from = new Vector3(random() - 0.5, random(), 2 + random());
    const to = new Vector3().fromArray(mesh.positions, 3 * Math.floor(random() * 500));
    to.x += 0.1 * (random() - 0.5);
    const direction = to.sub(from).normalize();
    const [wanted] = new Raycaster(from, direction).intersectObject(other);
    const hit = hitMesh(mesh.positions, mesh.triangles, from.toArray(), direction.toArray());
    expect(hit === undefined).toBe(wanted === undefined);
    if (!hit || !wanted) continue;
    hits++;
    expect(hit.distance).toBeCloseTo(wanted.distance, 4);
  }
  expect(hits).toBeGreaterThan(5);
});

test.each([1, 2, 3, 4, 5])(
  "a framed character is completely visible and fills the view, seed %i",
  (seed) => {
    const random = createRandom(seed);
    const box = framedBox([mesh.positions, Float32Array.of(0.3 * random(), 1 + random(), 0)]);
    const back = new Vector3(random() - 0.5, 0.4 * random(), 1).normalize();
    const up = new Vector3(0, 1, 0);
    const camera = new PerspectiveCamera(32, 0.5 + random(), 0.01, 50);
    const y = Math.tan((camera.fov * Math.PI) / 360);
    const away = distanceToSee(box, back, up, { x: y * camera.aspect, y });
    const center = box.low.clone().add(box.high).multiplyScalar(0.5);
    camera.position.copy(center).addScaledVector(back, away);
    camera.lookAt(center);
    camera.updateMatrixWorld();
    camera.updateProjectionMatrix();
    let most = 0;
    for (let v = 0; v < mesh.positions.length; v += 3) {
      const seen = new Vector3().fromArray(mesh.positions, v).project(camera);
      most = Math.max(most, Math.abs(seen.x), Math.abs(seen.y));
    }
    expect(most).toBeLessThan(1.03);
    const dot = new Vector3().fromArray(box.points!, box.points!.length - 3).project(camera);
    expect(Math.max(most, Math.abs(dot.x), Math.abs(dot.y))).toBeGreaterThan(0.97);
  },
);

test("the outline of a limb excludes other limbs, and is closed", () => {
  const radius = 0.2;
  const [near, far] = [tube(24, 16).mesh, tube(24, 16).mesh];
  const shifted = far.positions.map((value, i) => (i % 3 === 0 ? value + 2 : value));
  const both = {
    positions: Float32Array.of(...near.positions, ...shifted),
    triangles: Uint32Array.of(
      ...near.triangles,
      ...far.triangles.map((v) => v + near.positions.length / 3),
    ),
  };
  const ring = limbOutline(both, [0.05, 0.503, 0], [0, 1, 0]);
  expect(ring.length).toBeGreaterThan(0);
  const ends = new Map<string, number>();
  for (let i = 0; i < ring.length; i += 3) {
    const [x, y, z] = ring.subarray(i, i + 3);
    expect(y).toBeCloseTo(0.503, 5);
    expect(Math.hypot(x, z)).toBeLessThan(radius + 1e-5);
    expect(Math.hypot(x, z)).toBeGreaterThan(0.9 * radius);
    const key = [x, z].map((value) => value.toFixed(4)).join();
    ends.set(key, (ends.get(key) ?? 0) + 1);
  }
  expect([...ends.values()].every((count) => count % 2 === 0)).toBe(true);
});

describe("a pose in an address", () => {
  test.each([1, 2, 3])("is restored within a degree, seed %i", (seed) => {
    const rotations = randomPose(skeleton, createRandom(seed), { probability: 0.6 });
    const text = sparsePose(rotations);
    expect(text).toMatch(/^[\w-]+$/);
    const back = Float32Array.from(rotations, (_, i) => (i % 4 === 3 ? 1 : 0));
    withPose(back, text);
    for (let j = 0; j < rotations.length; j += 4) {
      const dot = [0, 1, 2, 3].reduce((sum, i) => sum + rotations[j + i] * back[j + i], 0);
      // Cosine of half an angle.
      expect(Math.abs(dot)).toBeGreaterThan(Math.cos((1.5 * Math.PI) / 180));
    }
  });

  test("is empty at rest, and damaged ones do no harm", () => {
    const rest = Float32Array.from({ length: 40 }, (_, i) => (i % 4 === 3 ? 1 : 0));
    expect(sparsePose(rest)).toBe("");
    for (const text of ["%%%", "a", "zzzz", "_____________"]) {
      withPose(rest, text);
      for (let j = 0; j < 40; j += 4) {
        expect(Math.hypot(...rest.subarray(j, j + 4))).toBeCloseTo(1, 5);
      }
    }
  });
});

test("an animal is shown from the front, whichever way it faces in the file", () => {
  const fox = makeSample("fox");
  const names = fox.skeleton.names.map((name) => name.replace("Toe", "Hoof"));
  expect(facingOf(fox)).toBe(1);
  const turned = (p: Float32Array) => p.map((value, i) => (i % 3 === 1 ? value : -value));
  const mesh = { ...fox.mesh, positions: turned(fox.mesh.positions) };
  const skeleton = { ...fox.skeleton, names, positions: turned(fox.skeleton.positions) };
  expect(facingOf({ mesh, skeleton })).toBe(-1);
});

test("a tree lists each joint once, after its parent and with its depth", () => {
  const rows = jointRows(skeleton);
  expect(rows.map(({ joint }) => joint).sort((a, b) => a - b)).toEqual([...skeleton.names.keys()]);
  rows.forEach(({ joint, depth, hasChildren }, i) => {
    const above = jointsAbove(skeleton.parents, joint);
    expect(above).toHaveLength(depth);
    expect(hasChildren).toBe(skeleton.parents.includes(joint));
    for (const other of above) {
      expect(rows.findIndex((row) => row.joint === other)).toBeLessThan(i);
    }
  });
});

test("the reach of joints is their weight, as a fraction of the largest", () => {
  const reach = jointReach(weights!, skeleton.names.length);
  expect(Math.max(...reach)).toBeCloseTo(1);
  const sums = new Float64Array(skeleton.names.length);
  weights!.weights.forEach((weight, slot) => {
    sums[weights!.joints[slot]] += weight;
  });
  const ratio = sums[1] / Math.max(...sums);
  expect(reach[1]).toBeCloseTo(ratio, 4);
});

test("Ctrl subtracts, or adds where subtracting is chosen; Shift smooths", () => {
  const keys = { ctrlKey: false, metaKey: false, shiftKey: false };
  expect(strokeKind("replace", keys)).toBe("replace");
  expect(strokeKind("add", { ...keys, ctrlKey: true })).toBe("subtract");
  expect(strokeKind("subtract", { ...keys, metaKey: true })).toBe("add");
  expect(strokeKind("add", { ...keys, shiftKey: true })).toBe("smooth");
});

test("a motion does not pose vertices on the CPU until they are requested", () => {
  const character = { name: "fish", mesh, skeleton, weights: weights! };
  const prepared = prepareCharacter(character);
  const file = fileFromCharacter(character);
  const opened = { prepared, look: readLook(file) } as OpenedCharacter;
  const bones = createBoneTexture(skeleton.names.length);
  const body = createBody(opened, { list: [], dispose: () => undefined }, bones);
  const versions = () =>
    Object.values(body.mesh.geometry.attributes).map((part) => (part as BufferAttribute).version);
  const own = prepared.character.weights!;
  body.weigh(own, false);
  const before = versions();
  const matrices = forwardKinematics(
    prepared.character.skeleton,
    randomPose(skeleton, createRandom(1), { probability: 0.8 }),
  );
  bones.set(matrices);
  body.pose(matrices, false);
  body.weigh(own, false);
  expect(versions()).toEqual(before);
  expect(bones.uniforms.isPosed.value).toBe(true);
  const wanted = linearBlend(prepared.character.mesh.positions, own, matrices);
  expect(body.positions()).toBeAllClose(wanted, 1e-6);
  body.weigh(own, true);
  expect(versions()).not.toEqual(before);
});
