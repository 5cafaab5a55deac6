"""Binds rigged characters with Blender's automatic weights (bone heat), for `heterskin evaluate`.

    blender -b --python docs/blender-automatic-weights.py -- IN_DIR OUT_DIR [TABLE SPLIT [ADD_ON_ZIP]]

Every GLB in IN_DIR (with a table: those of one split) is imported, its painted weights are removed, the
mesh is parented to its armature "with automatic weights", and the result is written to OUT_DIR under the
same name. A character on which Blender fails is still written, with the weights it has; the evaluation
counts it as failed. OUT_DIR/seconds.csv contains the time of the binding alone. With the zip of the add-on,
each character is also bound by the add-on, into OUT_DIR/heterskin, with its time and the peak memory of the
worker process so far.

Needs Debian's packages blender and python3-numpy. Then: heterskin evaluate IN_DIR --methods existing:OUT_DIR,network
"""

import csv
import json
import struct
import sys
import time
from pathlib import Path

import bpy
import numpy

# Debian 12 combines Blender 3.4's glTF add-on with a numpy that no longer has this name.
if "bool" not in vars(numpy):
    numpy.bool = bool


def main(in_dir, out_dir, table=None, split=None, add_on=None):
    out_dir.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if add_on:
        (out_dir / "heterskin").mkdir(exist_ok=True)
        bpy.ops.preferences.addon_install(filepath=add_on, overwrite=True)
        bpy.ops.preferences.addon_enable(module="heterskin")
    with open(out_dir / "seconds.csv", "w", newline="") as log:
        writer = csv.writer(log)
        writer.writerow(["id", "vertices", "seconds", "note", "button seconds", "button MB"])
        for path in characters(in_dir, table, split):
            armature, meshes = imported(path)
            count = sum(len(mesh.data.vertices) for mesh in meshes)
            seconds, note = bind(armature, meshes, automatic)
            (out_dir / path.name).write_bytes(glb(armature, meshes))
            row = [path.stem, count, f"{seconds:.4f}", note]
            if add_on:
                seconds, _ = bind(armature, meshes, button)
                (out_dir / "heterskin" / path.name).write_bytes(glb(armature, meshes))
                row += [f"{seconds:.4f}", worker_megabytes()]
            writer.writerow(row)
            log.flush()


def characters(in_dir, table, split):
    paths = sorted(in_dir.glob("*.glb"))
    if table is None:
        return paths
    with open(table, newline="") as rows:
        wanted = {row["id"] for row in csv.DictReader(rows, delimiter="\t") if row["split"] == split}
    return [path for path in paths if path.stem in wanted]


def imported(source):
    # Not the factory settings, which would end the add-on's process.
    for group in (bpy.data.objects, bpy.data.meshes, bpy.data.armatures, bpy.data.actions):
        bpy.data.batch_remove(list(group))
    # As a sensible user would: seams closed (bone heat treats them as holes and fails on twice as many
    # characters), and bones that point at their children.
    bpy.ops.import_scene.gltf(filepath=str(source), merge_vertices=True, bone_heuristic="FORTUNE")
    armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    armature.data.pose_position = "REST"
    # The importer adds a sphere that displays joints; it is not part of the character.
    return armature, [o for o in bpy.data.objects if o.type == "MESH" and o.find_armature() == armature]


def bind(armature, meshes, how):
    for mesh in meshes:
        clear(mesh)
    select([*meshes, armature], armature)
    note = ""
    start = time.perf_counter()
    try:
        how()
    except RuntimeError as error:
        note = str(error).strip().replace("\n", " ").replace(",", ";")
    return time.perf_counter() - start, note


def automatic():
    bpy.ops.object.parent_set(type="ARMATURE_AUTO")


def button():
    bpy.ops.object.heterskin_bind()


def worker_megabytes():
    """Returns the peak memory of the add-on's process in MB, or nothing if the system does not report it."""
    import heterskin

    status = Path(f"/proc/{heterskin.worker().process.pid}/status")
    if not status.exists():
        return ""
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return round(int(peak.split()[1]) / 1024)


def clear(mesh):
    """Unbinds a mesh without moving it."""
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


def glb(armature, meshes):
    """Returns a GLB with the rest pose and every weight.

    Blender's own exporter (3.4) fails on vertices without weight, which the evaluation counts, and keeps
    only four influences per vertex.
    """
    bones = list(armature.data.bones)
    index = {bone.name: i for i, bone in enumerate(bones)}
    heads = [y_up(armature.matrix_world @ bone.head_local) for bone in bones]
    nodes = []
    for bone, head in zip(bones, heads):
        origin = heads[index[bone.parent.name]] if bone.parent else (0, 0, 0)
        node = {"name": bone.name, "translation": [a - b for a, b in zip(head, origin)]}
        if bone.children:
            node["children"] = [index[child.name] for child in bone.children]
        nodes.append(node)
    positions, corners, rows = [], [], []
    for mesh in meshes:
        first = len(positions)
        mesh.data.calc_loop_triangles()
        corners += [first + v for face in mesh.data.loop_triangles for v in face.vertices]
        for vertex in mesh.data.vertices:
            positions.append(y_up(mesh.matrix_world @ vertex.co))
            groups = [(mesh.vertex_groups[g.group].name, g.weight) for g in vertex.groups]
            rows.append([(index[n], w) for n, w in groups if n in index and w > 0])
    sets = max(1, -(-max(len(row) for row in rows) // 4))
    joints = numpy.zeros((len(rows), sets * 4), numpy.uint16)
    weights = numpy.zeros((len(rows), sets * 4), numpy.float32)
    for v, row in enumerate(rows):
        total = sum(weight for _, weight in row)
        for slot, (joint, weight) in enumerate(row):
            joints[v, slot], weights[v, slot] = joint, weight / total
    inverse = [[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1] for x, y, z in heads]
    bin_chunk, views, accessors = bytearray(), [], []

    def add(values, kind, component, low_high=False):
        data = numpy.ascontiguousarray(values)
        views.append({"buffer": 0, "byteOffset": len(bin_chunk), "byteLength": data.nbytes})
        bin_chunk.extend(data.tobytes() + bytes(-data.nbytes % 4))
        count = data.size if kind == "SCALAR" else len(data)
        accessor = {"bufferView": len(views) - 1, "componentType": component, "count": count}
        if low_high:
            accessor |= {"min": data.min(0).tolist(), "max": data.max(0).tolist()}
        accessors.append(accessor | {"type": kind})
        return len(accessors) - 1

    floats, shorts, ints = 5126, 5123, 5125
    attributes = {"POSITION": add(numpy.array(positions, numpy.float32), "VEC3", floats, True)}
    for n in range(sets):
        attributes[f"JOINTS_{n}"] = add(joints[:, n * 4 : n * 4 + 4], "VEC4", shorts)
        attributes[f"WEIGHTS_{n}"] = add(weights[:, n * 4 : n * 4 + 4], "VEC4", floats)
    indices = add(numpy.array(corners, numpy.uint32), "SCALAR", ints)
    matrices = add(numpy.array(inverse, numpy.float32), "MAT4", floats)
    roots = [index[bone.name] for bone in bones if not bone.parent]
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [*roots, len(nodes)]}],
        "nodes": [*nodes, {"name": "mesh", "mesh": 0, "skin": 0}],
        "skins": [{"joints": list(range(len(bones))), "inverseBindMatrices": matrices}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": indices}]}],
        "buffers": [{"byteLength": len(bin_chunk)}],
        "bufferViews": views,
        "accessors": accessors,
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    size = 12 + 8 + len(text) + 8 + len(bin_chunk)
    head = struct.pack("<4sIII4s", b"glTF", 2, size, len(text), b"JSON")
    return head + text + struct.pack("<I4s", len(bin_chunk), b"BIN\0") + bytes(bin_chunk)


def y_up(point):
    return (point[0], point[2], -point[1])


if __name__ == "__main__":
    arguments = sys.argv[sys.argv.index("--") + 1 :]
    main(*(Path(value) for value in arguments[:2]), *arguments[2:5])
