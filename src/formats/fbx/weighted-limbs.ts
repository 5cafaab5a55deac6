import { limbAttribute } from "./fbx-model.ts";
import { leadingValues, type RawFbxNode, rawNode, withText } from "./raw-fbx.ts";
import { connect, type FbxEditor, rawType, takeId } from "./raw-objects.ts";

/**
 * Subtypes of models that Blender's importer takes for an object, not for a bone, so that it drops their
 * weights. A mesh, light or camera that is a bone stays one: as a limb it would lose what it shows.
 */
const OBJECTS = new Set(["Root", "Null"]);

/** Where the subtype is among the values of a model and of an attribute: after id and name. */
const TYPE_AT = 2;

/**
 * Turns models of subtype Root and Null, with their attributes, into limbs, so that every program reads the
 * weights on them. Other models stay.
 *
 * @param models ids of the models that have weights
 */
export function makeLimbs(editor: FbxEditor, models: Iterable<string>): void {
  for (const id of models) {
    const model = editor.byId.get(id);
    if (model?.name !== "Model" || !OBJECTS.has(rawType(model))) continue;
    editor.replaced.set(model, withText(model, TYPE_AT, "LimbNode"));
    makeLimbAttribute(editor, id, model);
  }
}

function makeLimbAttribute(editor: FbxEditor, model: string, node: RawFbxNode): void {
  const attributes = (editor.below.get(model) ?? []).flatMap((id) => {
    const node = editor.byId.get(id);
    return node?.name === "NodeAttribute" ? [{ id, node }] : [];
  });
  const [number, label] = leadingValues(node);
  if (attributes.length === 0 && typeof number === "bigint") {
    const added = takeId(editor);
    editor.added.push(limbAttribute(added, String(label).split("\0")[0]));
    connect(editor, added, number);
  }
  for (const { id, node } of attributes) {
    if (!OBJECTS.has(rawType(node)) || isShared(editor, id)) continue;
    const children = node.children.map((child) =>
      child.name === "TypeFlags" ? rawNode("TypeFlags", ["Skeleton"]) : child,
    );
    editor.replaced.set(node, { ...withText(node, TYPE_AT, "LimbNode"), children });
  }
}

/** Whether several models have an attribute, so that it cannot follow one of them. */
function isShared({ connections }: FbxEditor, attribute: string): boolean {
  const uses = connections.children.filter((link) => String(leadingValues(link)[1]) === attribute);
  return uses.length > 1;
}
