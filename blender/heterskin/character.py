"""Converts meshes and armatures for the worker, and writes weights to vertex groups."""

import array

import bpy
from mathutils import Matrix

from .client import WorkerError, pack

CHANGED = '"{}" was changed while HeterSkin was running, so its weights were left unchanged; try again.'

# Blender is z up, the worker y up; left stays left.
TO_Y_UP = Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1)))

# Two names, because vertex groups and attributes of a mesh share one namespace in Blender.
DOUBT_GROUP = "HeterSkin doubts"
DOUBT_COLORS = "HeterSkin doubt colors"


class BindTarget:
    """Meshes, their armature and its deform bones, stored by name: Blender's objects do not survive an undo or Edit Mode."""

    def __init__(self, meshes, armature, bones):
        self._meshes = [_key(mesh) for mesh in meshes]
        self._armature = _key(armature)
        self._bones = [bone.name for bone in bones]

    @property
    def meshes(self):
        return [_found(key, "MESH") for key in self._meshes]

    @property
    def armature(self):
        return _found(self._armature, "ARMATURE")

    @property
    def bones(self):
        armature = self.armature
        deforming = deform_bones(armature)
        if [bone.name for bone in deforming] != self._bones:
            raise WorkerError(CHANGED.format(armature.name))
        return deforming


def _key(thing):
    return thing.name, thing.library.filepath if thing.library else None


def _found(key, kind):
    found = bpy.data.objects.get(key)
    if found is None or found.type != kind:
        raise WorkerError(f'"{key[0]}" was deleted or renamed while HeterSkin was running, so nothing was changed.')
    return found


def check_writable(meshes):
    """Raises WorkerError if the vertex groups of a mesh cannot be written."""
    for mesh in meshes:
        # Weights in an override of linked data are not saved.
        if mesh.library or mesh.data.library or mesh.data.override_library:
            raise WorkerError(f'"{mesh.name}" is linked from another file; make it and its data local first.')
        if mesh.parent and mesh.parent_type == "BONE":
            raise WorkerError(
                f'"{mesh.name}" is parented to the bone "{mesh.parent_bone}", which would move it twice; clear its parent first.'
            )
        check_mode(mesh)


def check_mode(thing):
    """Raises WorkerError if a mode holds edits that are not in the object's data yet."""
    if thing.data.is_editmode or thing.mode == "SCULPT":
        mode = "Edit" if thing.data.is_editmode else "Sculpt"
        raise WorkerError(f'"{thing.name}" is in {mode} Mode; leave it and try again.')


def armature_of(mesh):
    """Returns the armature that deforms a mesh: of its modifier, or its parent."""
    for modifier in mesh.modifiers:
        if modifier.type == "ARMATURE" and modifier.object:
            return modifier.object
    if mesh.parent and mesh.parent.type == "ARMATURE":
        return mesh.parent
    return None


def deform_bones(armature):
    """Returns the deform bones in rest pose; parents come first, as Blender lists them."""
    check_mode(armature)
    bones = [bone for bone in armature.data.bones if bone.use_deform]
    if not bones:
        raise WorkerError(f'"{armature.name}" has no deform bones to bind to; turn Deform on.')
    return bones


def selected_bones(armature):
    """Returns the selected deform bones; raises WorkerError if there are none."""
    bones = [bone for bone in deform_bones(armature) if _is_selected(armature, bone)]
    if not bones:
        raise WorkerError(f'"{armature.name}" has no selected deform bones; select some, or bind to all.')
    return bones


def _is_selected(armature, bone):
    # From Blender 5.0 on, pose bones have the selection, and bones have none.
    holder = bone if hasattr(bone, "select") else armature.pose.bones.get(bone.name)
    return holder is not None and holder.select


def collection_bones(armature, name):
    """Returns the deform bones of a collection, or of a bone group before Blender 4.0; raises WorkerError if there are none."""
    collections = getattr(armature.data, "collections_all", None) or getattr(armature.data, "collections", None)
    if collections is not None:
        found = collections.get(name)
        members = {bone.name for bone in found.bones} if found else set()
    else:
        members = {bone.name for bone in armature.pose.bones if bone.bone_group and bone.bone_group.name == name}
    bones = [bone for bone in deform_bones(armature) if bone.name in members]
    if not bones:
        raise WorkerError(f'"{armature.name}" has no deform bones in a collection "{name}"; choose another.')
    return bones


def select_bone(armature, name):
    """Selects one bone and makes it active."""
    for bone in armature.data.bones:
        holder = bone if hasattr(bone, "select") else armature.pose.bones[bone.name]
        holder.select = bone.name == name
    armature.data.bones.active = armature.data.bones[name]


def skeleton_of(armature, bones):
    """Returns names, parents, positions and ends of bones in world space, y up; ignores the pose."""
    to_world = TO_Y_UP @ armature.matrix_world
    index_of = {bone.name: index for index, bone in enumerate(bones)}
    parents = array.array("i")
    positions = array.array("f")
    ends = array.array("f")
    has_tails = tails_point_at_children(bones)
    for bone in bones:
        above = bone.parent
        while above and above.name not in index_of:
            above = above.parent
        parents.append(index_of[above.name] if above else -1)
        positions.extend(to_world @ bone.head_local)
        ends.extend(to_world @ (bone.tail_local if has_tails else bone.head_local))
    names = [bone.name for bone in bones]
    return {"names": names, "parents": pack(parents), "positions": pack(positions), "ends": pack(ends)}


def tails_point_at_children(bones):
    """Whether the tails of bones mean anything: importers of FBX and glTF give them any direction."""
    parents = [bone for bone in bones if bone.children]
    pointing = [bone for bone in parents if any(_points_at(bone, child) for child in bone.children)]
    return len(pointing) * 2 >= len(parents)


def _points_at(bone, child):
    to_child = child.head_local - bone.head_local
    length = (bone.tail_local - bone.head_local).length
    if to_child.length < 1e-3 * length:
        # Bones that start at one point say nothing.
        return True
    return (bone.tail_local - bone.head_local).normalized().dot(to_child.normalized()) > 0.9


def mesh_of(meshes):
    """Joins the meshes into one, in world space, y up: their basis shapes, without modifiers."""
    positions = array.array("f")
    triangles = array.array("I")
    for mesh in meshes:
        check_mode(mesh)
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
    if not positions:
        raise WorkerError(f'"{meshes[0].name}" has no vertices.')
    return {"positions": pack(positions), "triangles": pack(triangles)}


def weights_of(meshes, bones, influences=8):
    """Returns the weights in the vertex groups of bones, largest first, or None if there are none."""
    index_of = {bone.name: index for index, bone in enumerate(bones)}
    joints = array.array("H")
    values = array.array("f")
    for mesh in meshes:
        bone_of = {group.index: index_of[group.name] for group in mesh.vertex_groups if group.name in index_of}
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


def locked_rows(meshes, bones, locks, influences=8):
    """Returns the weights of locked groups; the rest of each row goes to an unlocked bone."""
    index_of = {bone.name: index for index, bone in enumerate(bones)}
    free = next((index for name, index in index_of.items() if name not in locks), None)
    joints = array.array("H")
    values = array.array("f")
    for mesh in meshes:
        bone_of = {group.index: index_of[group.name] for group in mesh.vertex_groups if group.name in locks}
        for vertex in mesh.data.vertices:
            held = [(entry.weight, bone_of[entry.group]) for entry in vertex.groups if entry.group in bone_of]
            row = sorted(held, reverse=True)[: influences - 1]
            total = sum(weight for weight, _ in row)
            row = [(weight / max(total, 1.0), joint) for weight, joint in row]
            row.append((max(0.0, 1.0 - total), free) if free is not None else (0.0, 0))
            row += [(0.0, 0)] * (influences - len(row))
            values.extend(weight for weight, _ in row)
            joints.extend(joint if weight > 0 else 0 for weight, joint in row)
    return {"influences": influences, "joints": pack(joints), "weights": pack(values)}


def examples_of(objects, left_out):
    """Returns rigged meshes with weights as characters, one per armature."""
    groups = {}
    for mesh in objects:
        armature = armature_of(mesh) if mesh.type == "MESH" and mesh not in left_out else None
        if armature and mesh.data.polygons and any(bone.use_deform for bone in armature.data.bones):
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
    """Returns the bones whose vertex group is locked in every mesh that has it."""
    names = {bone.name for bone in bones}
    locks = {}
    for mesh in meshes:
        for group in mesh.vertex_groups:
            if group.name in names:
                locks.setdefault(group.name, []).append(group.lock_weight)
    return [name for name, states in locks.items() if all(states)]


def selected_vertices(meshes):
    """Returns the indices of the selected vertices of each mesh."""
    selected = [[vertex.index for vertex in mesh.data.vertices if vertex.select] for mesh in meshes]
    if not any(selected):
        raise WorkerError(f'No vertices are selected in "{meshes[0].name}"; select some, or bind all.')
    return selected


def write_weights(meshes, bones, influences, joints, values, only=None, chosen=None):
    """Writes rows to the vertex groups of bones, for all vertices or those that `only` lists per mesh.

    Locked groups, and groups of no bone, are left unchanged. With `chosen`, a set of bone names, only these bones
    take their weights from the rows; see `_around_chosen`.
    """
    names = [bone.name for bone in bones]
    first = 0
    for number, mesh in enumerate(meshes):
        vertices = mesh.data.vertices
        groups = {name: mesh.vertex_groups.get(name) for name in names}
        locked = {group.index: name for name, group in groups.items() if group and group.lock_weight}
        free = {group.index: name for name, group in groups.items() if group and not group.lock_weight}
        written = {}
        for index in range(len(vertices)) if only is None else only[number]:
            start = (first + index) * influences
            row = [(names[joints[slot]], values[slot]) for slot in range(start, start + influences) if values[slot] > 0]
            held = sum(entry.weight for entry in vertices[index].groups if entry.group in locked)
            if locked:
                row = _around_locks(row, held, set(locked.values()), bones)
            if chosen is not None:
                existing = [(free[entry.group], entry.weight) for entry in vertices[index].groups if entry.group in free]
                row = _around_chosen(row, existing, 1.0 - held, chosen)
            if row is not None:
                written[index] = row
        for name in free.values():
            groups[name].remove(list(written))
        for index, row in written.items():
            for name, weight in row:
                if groups[name] is None:
                    groups[name] = mesh.vertex_groups.new(name=name)
                groups[name].add([index], weight, "REPLACE")
        first += len(vertices)
        _add_twins(mesh, groups)


def _around_chosen(row, existing, left, chosen):
    """Returns a row that sums to `left`: the chosen bones as in `row`, the others as in `existing`, scaled.

    A vertex without other weight takes the others from `row` too. None means that no chosen bone moves the vertex,
    before or after, and its weights stay unchanged.
    """
    solved = [(name, weight) for name, weight in row if name in chosen]
    if not solved and not any(weight > 0 for name, weight in existing if name in chosen):
        return None
    others = [(name, weight) for name, weight in existing if name not in chosen and weight > 0]
    if not others:
        return row
    rest = left - sum(weight for _, weight in solved)
    if rest <= 1e-6:
        return solved
    total = sum(weight for _, weight in others)
    return solved + [(name, weight * rest / total) for name, weight in others]


def _around_locks(row, held, locked, bones):
    """Scales the unlocked weights of a row to the sum that the locked groups leave."""
    left = 1.0 - held
    free = [(name, weight) for name, weight in row if name not in locked]
    if left <= 1e-6 or not row:
        return []
    if not free:
        spare = _spare(row[0][0], locked, bones)
        return [(spare, left)] if spare else []
    total = sum(weight for _, weight in free)
    return [(name, weight * left / total) for name, weight in free]


def _spare(name, locked, bones):
    """Returns the nearest unlocked ancestor of a bone, or any unlocked bone."""
    free = [bone.name for bone in bones if bone.name not in locked]
    above = next(bone for bone in bones if bone.name == name).parent
    while above and above.name not in free:
        above = above.parent
    return above.name if above else next(iter(free), None)


def _add_twins(mesh, groups):
    """Adds the groups of the other side, which a Mirror modifier needs."""
    if not any(modifier.type == "MIRROR" and modifier.use_mirror_vertex_groups for modifier in mesh.modifiers):
        return
    for name in [name for name, group in groups.items() if group]:
        twin = bpy.utils.flip_name(name)
        if twin in groups and mesh.vertex_groups.get(twin) is None:
            mesh.vertex_groups.new(name=twin)


def mark_doubts(meshes, doubts):
    """Marks doubtful vertices in a vertex group and a color attribute; removes earlier marks."""
    first = 0
    for mesh in meshes:
        count = len(mesh.data.vertices)
        doubtful = [index for index in range(count) if doubts[first + index]]
        first += count
        group = mesh.vertex_groups.get(DOUBT_GROUP)
        if group:
            mesh.vertex_groups.remove(group)
        if doubtful:
            mesh.vertex_groups.new(name=DOUBT_GROUP).add(doubtful, 1.0, "REPLACE")
        _color_doubts(mesh.data, set(doubtful))


def _color_doubts(data, doubtful):
    """Colors the doubtful vertices in an attribute that later binds reuse; removes it if there are none."""
    attributes = data.color_attributes
    colors = attributes.get(DOUBT_COLORS)
    # The artist may have converted it to a color per face corner.
    if colors and (not doubtful or colors.domain != "POINT"):
        attributes.remove(colors)
        colors = None
    if not doubtful:
        return
    colors = colors or attributes.new(name=DOUBT_COLORS, type="BYTE_COLOR", domain="POINT")
    for index, point in enumerate(colors.data):
        point.color = (1, 0.2, 0, 1) if index in doubtful else (0.8, 0.8, 0.8, 1)


def bind_to(meshes, armature):
    """Parents meshes to their armature and adds its modifier, unless they have them."""
    for mesh in meshes:
        if armature_of(mesh) is None:
            # Set through the parent inverse, which keeps shear and leaves animated transforms alone.
            above = mesh.matrix_world @ mesh.matrix_basis.inverted_safe() if mesh.parent else Matrix()
            mesh.parent = armature
            mesh.matrix_parent_inverse = armature.matrix_world.inverted_safe() @ above
        if not any(m.type == "ARMATURE" and m.object == armature for m in mesh.modifiers):
            # Before subdivision, because weights belong to the mesh as modeled. After Mirror modifiers, so
            # that the other half follows its own bones.
            position = max((index + 1 for index, m in enumerate(mesh.modifiers) if m.type == "MIRROR"), default=0)
            modifier = mesh.modifiers.new(name=armature.name, type="ARMATURE")
            modifier.object = armature
            with bpy.context.temp_override(object=mesh, active_object=mesh):
                bpy.ops.object.modifier_move_to_index(modifier=modifier.name, index=position)
