"""Gives rigged characters Blender's automatic weights (bone heat), for `heterskin evaluate`.

    blender -b --python docs/blender-automatic-weights.py -- IN_DIR OUT_DIR [TABLE SPLIT]

Every GLB in IN_DIR (with a table: those of one split) is imported, its painted weights are removed, the
mesh is parented to its armature "with automatic weights", and the result is written to OUT_DIR under the
same name. A character Blender gives up on is still written, with what weights there are; the evaluator
counts it as failed. OUT_DIR/seconds.csv gets the time of the binding alone.

Then: heterskin evaluate IN_DIR --methods existing:OUT_DIR,heterskinnet
"""

import csv
import sys
import time
from pathlib import Path

import bpy


def main(in_dir, out_dir, table=None, split=None):
    out_dir.mkdir(parents=True, exist_ok=True)
    with open(out_dir / "seconds.csv", "w", newline="") as log:
        writer = csv.writer(log)
        writer.writerow(["id", "seconds", "note"])
        for path in characters(in_dir, table, split):
            if (out_dir / path.name).exists():
                continue
            seconds, note = bind(path, out_dir / path.name)
            writer.writerow([path.stem, f"{seconds:.4f}", note])
            log.flush()


def characters(in_dir, table, split):
    paths = sorted(in_dir.glob("*.glb"))
    if table is None:
        return paths
    with open(table, newline="") as rows:
        wanted = {row["id"] for row in csv.DictReader(rows, delimiter="\t") if row["split"] == split}
    return [path for path in paths if path.stem in wanted]


def bind(source, target):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=str(source))
    armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    # The importer adds a ball that shows joints; it is no part of the character.
    meshes = [o for o in bpy.data.objects if o.type == "MESH" and o.find_armature() == armature]
    armature.data.pose_position = "REST"
    for mesh in meshes:
        clear(mesh)
    select([*meshes, armature], armature)
    note = ""
    start = time.perf_counter()
    try:
        bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    except RuntimeError as error:
        note = str(error).strip().replace("\n", " ")
    seconds = time.perf_counter() - start
    for mesh in meshes:
        if not any(modifier.type == "ARMATURE" for modifier in mesh.modifiers):
            mesh.modifiers.new("Armature", "ARMATURE").object = armature
    select([*meshes, armature], armature)
    bpy.ops.export_scene.gltf(
        filepath=str(target),
        export_format="GLB",
        use_selection=True,
        export_all_influences=True,
        export_animations=False,
        export_materials="NONE",
    )
    return seconds, note


def clear(mesh):
    """Back to an unbound mesh in the same place."""
    world = mesh.matrix_world.copy()
    mesh.parent = None
    mesh.matrix_world = world
    mesh.modifiers.clear()
    mesh.vertex_groups.clear()


def select(objects, active):
    bpy.ops.object.select_all(action="DESELECT")
    for item in objects:
        item.select_set(True)
    bpy.context.view_layer.objects.active = active


if __name__ == "__main__":
    arguments = sys.argv[sys.argv.index("--") + 1 :]
    main(*(Path(value) for value in arguments[:2]), *arguments[2:4])
