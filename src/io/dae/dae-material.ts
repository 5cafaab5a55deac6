import type { ResolveUri } from "../gltf/gltf-source.ts";
import { isPicture, missingNote } from "../is-picture.ts";
import type { SceneMaterial } from "../scene.ts";
import { type DaeDocument, refer } from "./dae-document.ts";
import { type XmlElement, xmlChild, xmlDescendants, xmlNumbers } from "./parse-xml.ts";

/** Colour and colour texture of a COLLADA material. */
export async function readDaeMaterial(
  document: DaeDocument,
  material: XmlElement,
  resolve: ResolveUri | undefined,
  notes: Set<string>,
): Promise<SceneMaterial> {
  const effect = refer(document, xmlChild(material, "instance_effect")?.attributes.url);
  const name = material.attributes.name ?? material.attributes.id ?? "material";
  const diffuse = effect && xmlDescendants(effect, "diffuse")[0];
  const [r = 0.8, g = 0.8, b = 0.8] = xmlNumbers(xmlChild(diffuse, "color")).map((v) =>
    Math.min(Math.max(v, 0), 1),
  );
  const sampler = xmlChild(diffuse, "texture")?.attributes.texture;
  const texture =
    effect && sampler ? await pictureOf(document, effect, sampler, resolve, notes) : undefined;
  return { name, color: texture ? [1, 1, 1, 1] : [r, g, b, 1], ...(texture ? { texture } : {}) };
}

/** Follows texture → sampler → surface → image → file. */
async function pictureOf(
  document: DaeDocument,
  effect: XmlElement,
  sampler: string,
  resolve: ResolveUri | undefined,
  notes: Set<string>,
): Promise<Uint8Array | undefined> {
  const parameter = (sid: string | undefined) =>
    xmlDescendants(effect, "newparam").find((element) => element.attributes.sid === sid);
  const surface = xmlChild(xmlChild(parameter(sampler), "sampler2D"), "source")?.text.trim();
  const image = xmlChild(xmlChild(parameter(surface), "surface"), "init_from")?.text.trim();
  const from = xmlChild(refer(document, image ?? sampler), "init_from");
  // COLLADA 1.5 has it in an element of its own.
  const path = (xmlChild(from, "ref")?.text ?? from?.text)?.trim();
  if (!path) return undefined;
  const bytes = await resolve?.(path, "picture");
  if (bytes && isPicture(bytes)) return bytes;
  notes.add(missingNote("picture", path));
  return undefined;
}
