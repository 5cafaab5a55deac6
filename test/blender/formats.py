"""Reports what Blender finds in files; run inside Blender by check-formats.ts with a list of jobs as JSON."""

import json
import os
import sys

import bpy
import numpy
from mathutils import Quaternion

# Debian's Blender 3.4 comes with a numpy that lacks a name its glTF reader uses.
if not hasattr(numpy, "bool"):
    numpy.bool = bool

EPSILON = 1e-4


def import_file(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    ending = os.path.splitext(path)[1].lower()
    if ending == ".fbx":
        bpy.ops.import_scene.fbx(filepath=path)
    elif ending == ".dae":
        bpy.ops.wm.collada_import(filepath=path)
    else:
        bpy.ops.import_scene.gltf(filepath=path)
    # Hidden objects of an FBX would not be evaluated.
    for thing in bpy.data.objects:
        thing.hide_viewport = False


def triangles(mesh):
    return sum(max(len(p.vertices) - 2, 0) for p in mesh.polygons)


MAPPED = ("Base Color", "Normal", "Metallic", "Roughness", "Emission", "Specular")


def mapped(material):
    """Returns the inputs of a material that an image drives; Blender's FBX reader may or may not link alpha."""
    nodes = material.node_tree.nodes if material.node_tree else []
    shader = next((node for node in nodes if node.type == "BSDF_PRINCIPLED"), None)
    return [name for name in MAPPED if shader and any(has_picture(l) for l in shader.inputs[name].links)]


def has_picture(link):
    node = link.from_node
    if node.type == "TEX_IMAGE" and node.image:
        return True
    return any(has_picture(l) for socket in node.inputs for l in socket.links)


def shown_meshes():
    meshes = [o for o in bpy.data.objects if o.type == "MESH" and len(o.data.polygons) > 0]
    # Blender's glTF reader adds a ball to draw bones with.
    return [o for o in meshes if not o.name.startswith("Icosphere") or o.vertex_groups]


def inventory():
    meshes = shown_meshes()
    slots = [s.material for o in meshes for s in o.material_slots if s.material]
    shapes = [len(o.data.shape_keys.key_blocks) - 1 for o in meshes if o.data.shape_keys]
    return {
        "meshes": len(meshes),
        "triangles": sum(triangles(o.data) for o in meshes),
        "materials": len(set(slots)),
        "UV sets": sum(len(o.data.uv_layers) for o in meshes),
        "colours": sum(len(o.data.color_attributes) for o in meshes),
        "shapes": sum(shapes),
        "maps": sum(len(mapped(material)) for material in set(slots)),
        "bones": sum(len(o.data.bones) for o in bpy.data.objects if o.type == "ARMATURE"),
        "takes": len(takes()),
        "cameras": len([o for o in bpy.data.objects if o.type == "CAMERA"]),
        "lights": len([o for o in bpy.data.objects if o.type == "LIGHT"]),
    }


def takes():
    """Groups actions by the file's name of the take: Blender creates an action per take and object."""
    names = set()
    for owner in list(bpy.data.objects) + list(bpy.data.shape_keys):
        if owner.animation_data:
            names |= {track.name for track in owner.animation_data.nla_tracks}
    if names:
        return names
    for action in bpy.data.actions:
        parts = action.name.split("|")
        if len(action.fcurves) > 0:
            names.add("|".join(parts[1:-1]) if len(parts) > 2 else "all")
    return names


def rows(mesh):
    names = [group.name for group in mesh.vertex_groups]
    return [{names[e.group]: e.weight for e in v.groups if e.weight > 0} for v in mesh.data.vertices]


def check_weights(wanted):
    """Compares rows one by one: vertices of a mesh in FBX and DAE are the file's points."""
    problems, worst, compared = [], 0.0, 0
    bones = {b.name for o in bpy.data.objects if o.type == "ARMATURE" for b in o.data.bones}
    for entry in wanted:
        found = [
            o
            for o in bpy.data.objects
            if o.type == "MESH" and len(o.data.vertices) == entry["points"] and same_name(o.name, entry["name"])
        ]
        if len(found) != 1:
            problems.append(f"{len(found)} meshes are called {entry['name']}")
            continue
        for row, should in zip(rows(found[0]), entry["rows"]):
            # A bone that Blender does not import cannot have weight there.
            should = {name: weight for name, weight in should.items() if name in bones}
            compared += 1
            for name in set(row) | set(should):
                worst = max(worst, abs(row.get(name, 0) - should.get(name, 0)))
        missing = {name for row in entry["rows"] for name in row} - bones
        if missing:
            problems.append(f"Blender has no bone {', '.join(sorted(missing))}")
    return {"worst": worst, "compared": compared, "problems": problems}


def same_name(blender, ours):
    return blender == ours or blender.rsplit(".", 1)[0] == ours or blender.replace("_", " ") == ours.replace("_", " ")


def evaluated(mesh):
    graph = bpy.context.evaluated_depsgraph_get()
    shown = mesh.evaluated_get(graph)
    matrix = shown.matrix_world
    return [matrix @ v.co for v in shown.data.vertices]


def box():
    """Returns the bounds of all meshes together, in the bind pose, in meters."""
    for armature in [o for o in bpy.data.objects if o.type == "ARMATURE"]:
        armature.animation_data_clear()
        armature.data.pose_position = "REST"
    for mesh in [o for o in bpy.data.objects if o.type == "MESH"]:
        mesh.animation_data_clear()
        if mesh.data.shape_keys:
            mesh.data.shape_keys.animation_data_clear()
            for key in mesh.data.shape_keys.key_blocks:
                key.value = 0
    bpy.context.view_layer.update()
    points = [p for o in shown_meshes() for p in evaluated(o)]
    for armature in [o for o in bpy.data.objects if o.type == "ARMATURE"]:
        armature.data.pose_position = "POSE"
    return [f(p[axis] for p in points) for f in (min, max) for axis in range(3)] if points else []


def check_poses(most=6):
    """Rotates bones one by one: only vertices with weight on the bone or its descendants may move."""
    wrong, posed = [], 0
    for armature in [o for o in bpy.data.objects if o.type == "ARMATURE"]:
        armature.animation_data_clear()
        for bone in armature.pose.bones:
            bone.matrix_basis.identity()
            bone.rotation_mode = "QUATERNION"
        meshes = [
            o
            for o in bpy.data.objects
            if o.type == "MESH" and any(m.type == "ARMATURE" and m.object == armature for m in o.modifiers)
        ]
        used = {g.name for o in meshes for g in o.vertex_groups}
        candidates = [b for b in armature.pose.bones if b.name in used]
        step = max(1, len(candidates) // most)
        before = None
        for bone in candidates[::step]:
            if before is None:
                bpy.context.view_layer.update()
                before = [evaluated(o) for o in meshes]
            bone.rotation_quaternion = Quaternion((0.3, 0.5, 1), 0.7)
            bpy.context.view_layer.update()
            moving = {bone.name} | {child.name for child in bone.children_recursive}
            for mesh, still in zip(meshes, before):
                size = max(max(mesh.dimensions), 1e-6)
                for row, a, b in zip(rows(mesh), still, evaluated(mesh)):
                    share = sum(weight for name, weight in row.items() if name in moving)
                    if share < 1e-6 and (a - b).length > EPSILON * size:
                        wrong.append(f"{bone.name} moves what it should not in {mesh.name}")
                        break
                else:
                    affected = [
                        (a - b).length
                        for row, a, b in zip(rows(mesh), still, evaluated(mesh))
                        if sum(w for n, w in row.items() if n in moving) > 0.5
                    ]
                    if len(affected) > 20 and max(affected) < EPSILON * size:
                        wrong.append(f"{bone.name} moves nothing in {mesh.name}")
            bone.rotation_quaternion = Quaternion()
            posed += 1
    return {"posed": posed, "wrong": wrong}


def run(job):
    answer = {"file": job["file"]}
    try:
        import_file(job["file"])
        answer["inventory"] = inventory()
        answer["box"] = box()
        if job.get("weights"):
            with open(job["weights"]) as file:
                answer["weights"] = check_weights(json.load(file))
        if job.get("pose"):
            answer["poses"] = check_poses()
    except Exception as error:  # Blender's importers fail in many ways; the table reports it.
        lines = str(error).strip().splitlines()
        answer["error"] = next((line for line in lines[::-1] if "Error" in line), lines[-1])
    return answer


jobs, out = sys.argv[sys.argv.index("--") + 1 :]
with open(jobs) as file:
    answers = [run(job) for job in json.load(file)]
with open(out, "w") as file:
    json.dump(answers, file)
