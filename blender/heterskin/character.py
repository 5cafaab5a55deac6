"""Meshes and armatures of a scene as the worker takes them, and weights back into vertex groups."""

import array

import bpy
from mathutils import Matrix

from .client import WorkerError, pack

# Blender is z up, the worker y up; left stays left.
TO_Y_UP = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))


def armature_of(mesh):
    """The armature that deforms a mesh: of its modifier, or its parent."""
    for modifier in mesh.modifiers:
        if modifier.type == "ARMATURE" and modifier.object:
            return modifier.object
    if mesh.parent and mesh.parent.type == "ARMATURE":
        return mesh.parent
    return None


def deform_bones(armature, only_selected=False):
    """Bones that move vertices, in rest pose; parents come first, as Blender lists them."""
    bones = [bone for bone in armature.data.bones if bone.use_deform]
    if only_selected:
        bones = [bone for bone in bones if bone.select]
    if not bones:
        raise WorkerError(f'"{armature.name}" has no deform bones to bind to; switch Deform on.')
    return bones


def skeleton_of(armature, bones):
    """Names, parents and places of bones, in world space, y up; poses do not matter."""
    to_world = TO_Y_UP @ armature.matrix_world
    place = {bone.name: index for index, bone in enumerate(bones)}
    parents = array.array("i")
    positions = array.array("f")
    for bone in bones:
        above = bone.parent
        while above and above.name not in place:
            above = above.parent
        parents.append(place[above.name] if above else -1)
        positions.extend(to_world @ bone.head_local)
    names = [bone.name for bone in bones]
    return {"names": names, "parents": pack(parents), "positions": pack(positions)}


def mesh_of(meshes):
    """The meshes as one, in world space, y up: the shapes they are modelled in, without modifiers."""
    positions = array.array("f")
    triangles = array.array("I")
    for mesh in meshes:
        first = len(positions) // 3
        data = mesh.data
        keys = data.shape_keys
        points = keys.reference_key.data if keys else data.vertices
        to_world = TO_Y_UP @ mesh.matrix_world
        for point in points:
            positions.extend(to_world @ point.co)
        data.calc_loop_triangles()
        for triangle in data.loop_triangles:
            triangles.extend(first + corner for corner in triangle.vertices)
    return {"positions": pack(positions), "triangles": pack(triangles)}


def weights_of(meshes, bones, influences=8):
    """The weights vertex groups hold for bones, heaviest first; None where there are none."""
    place = {bone.name: index for index, bone in enumerate(bones)}
    joints = array.array("H")
    values = array.array("f")
    for mesh in meshes:
        bone_of = {group.index: place[group.name] for group in mesh.vertex_groups if group.name in place}
        for vertex in mesh.data.vertices:
            row = sorted(
                ((entry.weight, bone_of[entry.group]) for entry in vertex.groups if entry.group in bone_of),
                reverse=True,
            )[:influences]
            total = sum(weight for weight, _ in row) or 1.0
            row += [(0.0, 0)] * (influences - len(row))
            values.extend(weight / total for weight, _ in row)
            joints.extend(joint if weight > 0 else 0 for weight, joint in row)
    if not any(values):
        return None
    return {"influences": influences, "joints": pack(joints), "weights": pack(values)}


def examples_of(objects, left_out):
    """Rigged meshes with weights, one character for each armature."""
    groups = {}
    for mesh in objects:
        armature = armature_of(mesh) if mesh.type == "MESH" and mesh not in left_out else None
        if armature and mesh.data.polygons:
            groups.setdefault(armature, []).append(mesh)
    sent = []
    for armature, meshes in groups.items():
        bones = deform_bones(armature)
        weights = weights_of(meshes, bones)
        if weights:
            skeleton = skeleton_of(armature, bones)
            sent.append({"name": meshes[0].name, "mesh": mesh_of(meshes), "skeleton": skeleton, "weights": weights})
    return sent


def locked_names(meshes, bones):
    """Names of bones whose vertex group is locked in every mesh that has it."""
    names = {bone.name for bone in bones}
    locks = {}
    for mesh in meshes:
        for group in mesh.vertex_groups:
            if group.name in names:
                locks.setdefault(group.name, []).append(group.lock_weight)
    return [name for name, states in locks.items() if all(states)]


def write_weights(meshes, bones, influences, joints, values, only_selected=False):
    """Puts rows into the vertex groups of bones; groups that are locked, or of no bone, stay."""
    names = [bone.name for bone in bones]
    first = 0
    for mesh in meshes:
        vertices = mesh.data.vertices
        chosen = [v.index for v in vertices if v.select] if only_selected else range(len(vertices))
        groups = {}
        for name in names:
            group = mesh.vertex_groups.get(name)
            if group and not group.lock_weight:
                group.remove(list(chosen))
            groups[name] = group
        for index in chosen:
            row = (first + index) * influences
            for slot in range(row, row + influences):
                if values[slot] <= 0:
                    continue
                name = names[joints[slot]]
                group = groups[name] or mesh.vertex_groups.new(name=name)
                groups[name] = group
                if not group.lock_weight:
                    group.add([index], values[slot], "REPLACE")
        first += len(vertices)


def mark_doubts(meshes, doubts, group_name="HeterSkin doubts"):
    """Doubtful vertices as a vertex group and a colour attribute; nothing where there are none."""
    first = 0
    for mesh in meshes:
        count = len(mesh.data.vertices)
        doubtful = [index for index in range(count) if doubts[first + index]]
        first += count
        group = mesh.vertex_groups.get(group_name)
        if group:
            mesh.vertex_groups.remove(group)
        attributes = mesh.data.color_attributes
        if group_name in attributes:
            attributes.remove(attributes[group_name])
        if not doubtful:
            continue
        mesh.vertex_groups.new(name=group_name).add(doubtful, 1.0, "REPLACE")
        colours = attributes.new(name=group_name, type="BYTE_COLOR", domain="POINT")
        # A mesh without faces has no colours.
        if colours is None:
            continue
        marked = set(doubtful)
        for index in range(count):
            colours.data[index].color = (1, 0.2, 0, 1) if index in marked else (0.8, 0.8, 0.8, 1)


def bind_to(meshes, armature):
    """Parents meshes to their armature and gives them its modifier, where they have none."""
    for mesh in meshes:
        if armature_of(mesh) is None:
            world = mesh.matrix_world.copy()
            mesh.parent = armature
            mesh.matrix_world = world
        if not any(m.type == "ARMATURE" and m.object == armature for m in mesh.modifiers):
            modifier = mesh.modifiers.new(name=armature.name, type="ARMATURE")
            modifier.object = armature
            # Before what subdivides: weights are those of the mesh as modelled.
            with bpy.context.temp_override(object=mesh, active_object=mesh):
                bpy.ops.object.modifier_move_to_index(modifier=modifier.name, index=0)
