"""Characters in a scene for the cases, and functions that check them."""

import glob
import json
import os

import bpy
from mathutils import Vector

FOLDER = os.environ["HETERSKIN_SAMPLES"]
NAMES = sorted(os.path.basename(file)[:-5] for file in glob.glob(os.path.join(FOLDER, "*.json")))
SAMPLES = {name: json.load(open(os.path.join(FOLDER, f"{name}.json"))) for name in NAMES}
SMALL = "fish"


def fresh():
    for group in (bpy.data.objects, bpy.data.meshes, bpy.data.armatures):
        for item in list(group):
            group.remove(item)


def three(values):
    return [tuple(values[i : i + 3]) for i in range(0, len(values), 3)]


def make_mesh(name, positions, triangles):
    data = bpy.data.meshes.new(name)
    data.from_pydata(positions, [], triangles)
    mesh = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(mesh)
    return mesh


def make_armature(facts, rename=lambda name: name):
    armature = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    heads = three(facts["joints"])
    ends = three(facts["ends"])
    bones = []
    for joint, name in enumerate(facts["names"]):
        bone = armature.data.edit_bones.new(rename(name))
        bone.head = heads[joint]
        children = [c for c, parent in enumerate(facts["parents"]) if parent == joint]
        tail = Vector(heads[children[0]]) if children else Vector(ends[joint])
        if (tail - bone.head).length < 1e-4:
            tail = bone.head + Vector((0, 0, 0.05))
        bone.tail = tail
        bone.roll = 0.3 * joint
        bones.append(bone)
    for joint, parent in enumerate(facts["parents"]):
        if parent >= 0:
            bones[joint].parent = bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def build(name, **more):
    fresh()
    facts = SAMPLES[name]
    mesh = make_mesh(name, three(facts["positions"]), three(facts["triangles"]))
    return mesh, make_armature(facts, **more), facts


def select(meshes, armature):
    bpy.ops.object.select_all(action="DESELECT")
    for mesh in meshes:
        mesh.select_set(True)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()


def select_bones(armature, names):
    """Selects only the bones with the given names; from Blender 5.0 on, pose bones have the selection."""
    for bone in armature.data.bones:
        (bone if hasattr(bone, "select") else armature.pose.bones[bone.name]).select = bone.name in names


def bind(meshes, armature):
    select(meshes, armature)
    return bpy.ops.object.heterskin_bind()


def rows(mesh):
    names = [group.name for group in mesh.vertex_groups]
    return [
        {names[e.group]: e.weight for e in v.groups if e.weight > 0 and not names[e.group].startswith("HeterSkin")}
        for v in mesh.data.vertices
    ]


def expected(facts):
    count = facts["influences"]
    return [
        {
            facts["names"][facts["weightJoints"][slot]]: facts["weights"][slot]
            for slot in range(v * count, (v + 1) * count)
            if facts["weights"][slot] > 0
        }
        for v in range(len(facts["positions"]) // 3)
    ]


def worst(found, wanted, rename=lambda name: name):
    difference = 0.0
    for a, b in zip(found, wanted):
        b = {rename(name): weight for name, weight in b.items()}
        for name in set(a) | set(b):
            difference = max(difference, abs(a.get(name, 0) - b.get(name, 0)))
    return difference


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def whole(mesh):
    for index, row in enumerate(rows(mesh)):
        check(abs(sum(row.values()) - 1) < 1e-3, f"vertex {index} of {mesh.name} sums to {sum(row.values())}")


CASES = []


def case(function):
    CASES.append(function)
    return function


def refused(meshes, armature, word):
    try:
        bind(meshes, armature)
    except RuntimeError as error:
        check(word in str(error), f"said: {error}")
        return
    raise AssertionError("it was not refused")
