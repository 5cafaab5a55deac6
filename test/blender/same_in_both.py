"""Compares what Blender reads from two files of one character: run inside Blender with a list of pairs as JSON."""

import json
import sys
import tempfile

import bpy
import numpy
from mathutils.kdtree import KDTree

# Debian's Blender 3.4 comes with a numpy that lacks a name its glTF reader uses.
if not hasattr(numpy, "bool"):
    numpy.bool = bool

SAMPLES = 5


def import_file(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path.endswith(".fbx"):
        bpy.ops.import_scene.fbx(filepath=path, anim_offset=0)
    else:
        bpy.ops.import_scene.gltf(filepath=path)
    # Hidden objects of an FBX would not be evaluated.
    for thing in bpy.data.objects:
        thing.hide_viewport = False


def meshes():
    found = [o for o in bpy.data.objects if o.type == "MESH" and len(o.data.polygons) > 0]
    # Blender's glTF reader adds a ball to draw bones with.
    return [o for o in found if not o.name.startswith("Icosphere") or o.vertex_groups]


def armatures():
    return [o for o in bpy.data.objects if o.type == "ARMATURE"]


def has_curves(action):
    """Returns curves; Blender 4.4 and later keep them by layer, strip and slot, 5.0 only there."""
    if hasattr(action, "fcurves"):
        return len(action.fcurves) > 0
    return any(bag.fcurves for layer in action.layers for strip in layer.strips for bag in strip.channelbags)


def takes(clips):
    """Returns the actions of each take by their object; `clips` are the possible names of takes."""
    found = {}
    for owner in list(bpy.data.objects) + list(bpy.data.shape_keys):
        data = owner.animation_data
        for track in data.nla_tracks if data else []:
            for strip in track.strips:
                found.setdefault(track.name, []).append((owner, strip.action))
    if found:
        return found
    owners = {o.name: o for o in list(bpy.data.shape_keys) + list(bpy.data.objects)}
    for action in bpy.data.actions:
        parts = action.name.split("|")
        if has_curves(action) and parts[0] in owners:
            # The name of the layer follows, unless it is that of the take.
            whole = "|".join(parts[1:])
            take = whole if whole in clips else "|".join(parts[1:-1])
            found.setdefault(take, []).append((owners[parts[0]], action))
    return found


def resting(path):
    """Returns the pose of a file without its animations: once they are read, Blender no longer has it."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path.endswith(".fbx"):
        bpy.ops.import_scene.fbx(filepath=path, use_anim=False)
    else:
        with open(path, "rb") as file:
            data = file.read()
        # An unknown key of the same length.
        with tempfile.NamedTemporaryFile(suffix=".glb") as still:
            still.write(data.replace(b'"animations":', b'"animationz":'))
            still.flush()
            bpy.ops.import_scene.gltf(filepath=still.name)
    bones = {(a.name, b.name): b.matrix_basis.copy() for a in armatures() for b in a.pose.bones}
    return bones | {o.name: o.matrix_basis.copy() for o in bpy.data.objects}


def play(actions, rest):
    for owner in list(bpy.data.objects) + list(bpy.data.shape_keys):
        if owner.animation_data:
            owner.animation_data.action = None
            for track in owner.animation_data.nla_tracks:
                track.mute = True
    for thing in bpy.data.objects:
        thing.matrix_basis = rest.get(thing.name, thing.matrix_basis)
    for armature in armatures():
        for bone in armature.pose.bones:
            bone.matrix_basis = rest[armature.name, bone.name]
    for owner, action in actions:
        if not owner.animation_data:
            owner.animation_data_create()
        owner.animation_data.action = action


def bone_heads():
    return {b.name: list(a.matrix_world @ b.head) for a in armatures() for b in a.pose.bones}


def shape_values():
    return {
        f"{key.name}": key.value
        for o in meshes()
        if o.data.shape_keys
        for key in o.data.shape_keys.key_blocks
        if key != key.id_data.reference_key
    }


def read(path, clips):
    rest = resting(path)
    import_file(path)
    facts = {"meshes": len(meshes()), "triangles": 0, "points": [], "rows": [], "takes": {}}
    facts["shapes"] = sum(len(o.data.shape_keys.key_blocks) - 1 for o in meshes() if o.data.shape_keys)
    names = {s.material.name.split(".0")[0] for o in meshes() for s in o.material_slots if s.material}
    facts["materials"] = len(names - {"plain"})
    facts["uvs"] = sum(len(o.data.uv_layers) for o in meshes())
    animated = takes(clips)
    play([], rest)
    # Programs choose different bind poses, so a pose is compared: the first of a take, or the rest pose.
    if animated:
        play(animated[min(animated)], rest)
        bpy.context.scene.frame_set(0)
    for mesh in meshes():
        if mesh.data.shape_keys:
            for key in mesh.data.shape_keys.key_blocks:
                key.value = 0
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    bones = {b.name for a in armatures() for b in a.data.bones}
    for mesh in meshes():
        shown = mesh.evaluated_get(graph)
        names = [group.name for group in mesh.vertex_groups]
        facts["triangles"] += sum(len(p.vertices) - 2 for p in mesh.data.polygons)
        for vertex in shown.data.vertices:
            facts["points"].append(list(shown.matrix_world @ vertex.co))
            facts["rows"].append({names[e.group]: e.weight for e in vertex.groups if names[e.group] in bones})
    facts["joints"] = {
        b.name: list(a.matrix_world @ b.head) for a in armatures() for b in a.pose.bones
    }
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    for name, actions in animated.items():
        play(actions, rest)
        seconds = max(action.frame_range[1] for _, action in actions) / fps
        poses = []
        for i in range(SAMPLES):
            at = seconds * i / (SAMPLES - 1) * fps
            bpy.context.scene.frame_set(int(at), subframe=at - int(at))
            poses.append({**bone_heads(), **{f"shape {k}": [v] for k, v in shape_values().items()}})
        facts["takes"][name] = {"seconds": seconds, "poses": poses}
    return facts


def size_of(points):
    if not points:
        return 1
    array = numpy.array(points)
    return max(float((array.max(axis=0) - array.min(axis=0)).max()), 1e-9)


def differ(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


def compare(one, other, job):
    """Compares two readings; distances are fractions of the character's size."""
    expected = job["points"]
    size = size_of(one["points"])
    answer = {"expected": farthest(expected, other["points"]) / size, "counts": {}, "moved": 0.0, "weights": 0.0, "joints": 0.0, "poses": 0.0, "problems": []}
    for what in ("meshes", "triangles", "materials", "shapes", "uvs"):
        answer["counts"][what] = [one[what], other[what]]
    common = set(other["takes"]) & set(job["clips"]) if job["isEdited"] else other["takes"]
    answer["counts"]["takes"] = [len(one["takes"]), len(common)]
    for a, b in ((one, other), (other, one)):
        tree = tree_of(b["points"])
        for point, row in zip(a["points"], a["rows"]):
            near = tree.find_range(point, 2e-4 * size)
            if not near:
                answer["moved"] = max(answer["moved"], tree.find(point)[2] / size)
                continue
            answer["weights"] = max(
                answer["weights"],
                min(row_difference(row, b["rows"][index]) for _, index, _ in near),
            )
    for what in ("joints", "takes"):
        lacking = set(one[what]) ^ set(other[what])
        # An edited file keeps limbs that only mark ends, and takes that glTF cannot hold.
        if job["isEdited"]:
            lacking -= set(other[what])
        if lacking:
            answer["problems"].append(f"{what} in one only: {', '.join(sorted(lacking)[:8])}")
    for name in set(one["joints"]) & set(other["joints"]):
        answer["joints"] = max(answer["joints"], differ(one["joints"][name], other["joints"][name]) / size)
    for name in set(one["takes"]) & set(other["takes"]):
        a, b = one["takes"][name], other["takes"][name]
        if abs(a["seconds"] - b["seconds"]) > 0.01:
            answer["problems"].append(f"{name} takes {a['seconds']} and {b['seconds']} seconds")
        for pose, same in zip(a["poses"], b["poses"]):
            for key in set(pose) & set(same):
                off = differ(pose[key], same[key]) / (1 if key.startswith("shape ") else size)
                if off > answer["poses"]:
                    answer["poses"], answer["worst"] = off, f"{name}: {key}"
    return answer


def tree_of(points):
    tree = KDTree(max(len(points), 1))
    for index, point in enumerate(points):
        tree.insert(point, index)
    tree.balance()
    return tree


def farthest(points, others):
    tree = tree_of(others)
    return max([tree.find(point)[2] for point in points], default=0)


def row_difference(a, b):
    return max([abs(a.get(name, 0) - b.get(name, 0)) for name in set(a) | set(b)] or [0])


jobs, out = sys.argv[sys.argv.index("--") + 1 :]
with open(jobs) as file:
    answers = {
        job["name"]: compare(read(job["glb"], job["clips"]), read(job["fbx"], job["clips"]), job)
        for job in json.load(file)
    }
with open(out, "w") as file:
    json.dump(answers, file)
