"""Cases of bones that differ only by their tails."""

import math

import bpy
import heterskin
from mathutils import Vector
from scene import SMALL, bind, build, case, check, fresh, make_mesh

ARMS = 5
RINGS = 12
SIDES = 6


def star():
    """Five arms in the plane y = 0, one root below the middle, five connected bones that start in the middle."""
    fresh()
    points, faces, arm_of = [], [], []
    for arm in range(ARMS):
        angle = arm / ARMS * 2 * math.pi + 0.3
        x, z = math.cos(angle), math.sin(angle)
        first = len(points)
        for ring in range(RINGS + 1):
            along = 0.02 + 1.08 * ring / RINGS
            for side in range(SIDES):
                turn = side / SIDES * 2 * math.pi
                across, depth = 0.12 * math.cos(turn), 0.12 * math.sin(turn)
                points.append((x * along - z * across, depth, z * along + x * across))
                arm_of.append(arm if along > 0.35 else None)
                a, b = first + ring * SIDES + side, first + ring * SIDES + (side + 1) % SIDES
                if ring < RINGS:
                    faces.append((a, b, b + SIDES, a + SIDES))
        faces.append(tuple(first + side for side in range(SIDES))[::-1])
        faces.append(tuple(first + RINGS * SIDES + side for side in range(SIDES)))
    mesh = make_mesh("star", points, faces)
    armature = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    root = armature.data.edit_bones.new("root")
    root.head, root.tail = (0, 0.05, 0), (0, 0, 0)
    for arm in range(ARMS):
        angle = arm / ARMS * 2 * math.pi + 0.3
        bone = armature.data.edit_bones.new(f"arm{arm}")
        bone.head, bone.tail = (0, 0, 0), (math.cos(angle), 0, math.sin(angle))
        bone.parent, bone.use_connect = root, True
    bpy.ops.object.mode_set(mode="OBJECT")
    return mesh, armature, arm_of


@case
def every_arm_of_a_star_follows_its_bone():
    mesh, armature, arm_of = star()
    check(bind([mesh], armature) == {"FINISHED"}, "not finished")
    names = [group.name for group in mesh.vertex_groups]
    wrong = 0
    for vertex, arm in zip(mesh.data.vertices, arm_of):
        heaviest = max(vertex.groups, key=lambda entry: entry.weight)
        wrong += arm is not None and names[heaviest.group] != f"arm{arm}"
    check(wrong == 0, f"{wrong} vertices follow the wrong arm")


@case
def tails_of_an_importer_are_not_used():
    _mesh, armature, _facts = build(SMALL)
    bones = heterskin.character.deform_bones(armature)
    check(heterskin.character.tails_point_at_children(bones), "tails of an artist are not used")
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in armature.data.edit_bones:
        bone.tail = bone.head + Vector((0.1, 0.2, -0.1))
    bpy.ops.object.mode_set(mode="OBJECT")
    bones = heterskin.character.deform_bones(armature)
    check(not heterskin.character.tails_point_at_children(bones), "tails of any direction are used")
