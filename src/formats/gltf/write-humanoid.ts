import { InputError } from "../../input-error.ts";
import { humanBones, REQUIRED_BONES } from "../../skeleton/conventions.ts";
import { skeletonRoles } from "../../skeleton/roles.ts";
import type { Skeleton } from "../../skeleton/skeleton.ts";
import type { CharacterFile } from "../character-file.ts";
import type { GltfJson } from "./gltf-json.ts";

/** The license of VRM Consortium for works whose author has chosen no other. */
const LICENSE = "https://vrm.dev/licenses/1.0/";

/** Whether a skeleton has all bones that a VRM 1.0 humanoid requires. */
export function canBeHumanoid(skeleton: Skeleton): boolean {
  const bones = humanBones(skeletonRoles(skeleton));
  return REQUIRED_BONES.every((bone) => bones.has(bone));
}

/**
 * Describes the joints as a VRM 1.0 humanoid, in the extension VRMC_vrm; an existing description keeps its
 * other contents.
 *
 * Throws `InputError` if a required bone is missing.
 *
 * @param nodes J, the node of each joint
 */
export function writeHumanoid(
  json: GltfJson,
  { character, source }: CharacterFile,
  nodes: Int32Array,
): void {
  const bones = humanBones(skeletonRoles(character.skeleton));
  const missing = REQUIRED_BONES.filter((bone) => !bones.has(bone));
  if (missing.length > 0) {
    throw new InputError(
      `${source.name}: a VRM needs the bones ${missing.join(", ")}; the skeleton has none in these roles.`,
    );
  }
  const old = json.extensions?.VRMC_vrm as { meta?: object } | undefined;
  const humanoid = {
    humanBones: Object.fromEntries(
      [...bones].map(([bone, joint]) => [bone, { node: nodes[joint] }]),
    ),
  };
  const meta = { name: character.name, authors: ["unknown"], licenseUrl: LICENSE };
  json.extensions = {
    ...json.extensions,
    VRMC_vrm: { specVersion: "1.0", meta, ...old, humanoid },
  };
  delete json.extensions.VRM;
  const used = (json.extensionsUsed ?? []).filter((name) => name !== "VRM" && name !== "VRMC_vrm");
  json.extensionsUsed = [...used, "VRMC_vrm"];
}
