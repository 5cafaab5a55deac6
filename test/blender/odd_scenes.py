"""Cases of unusual scenes."""

import os
import tempfile

import bpy
import heterskin
from scene import SMALL, bind, build, case, check, fresh, make_mesh, refused, rows, select, three, whole


def heavy(mesh):
    """Returns the group that most vertices of a mesh follow."""
    names = [group.name for group in mesh.vertex_groups]
    return mesh.vertex_groups[max(names, key=lambda name: sum(row.get(name, 0) for row in rows(mesh)))]


def held(mesh, group):
    return [row.get(group.name, 0) for row in rows(mesh)]


@case
def linked_meshes_are_refused_and_linked_armatures_are_not():
    mesh, armature, facts = build(SMALL)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "library.blend")
        bpy.data.libraries.write(file, {mesh, armature})
        fresh()
        with bpy.data.libraries.load(file, link=True) as (there, here):
            here.objects = list(there.objects)
        for each in here.objects:
            bpy.context.collection.objects.link(each)
        mesh, armature = bpy.data.objects[SMALL], bpy.data.objects["rig"]
        refused([mesh], armature, "linked")
        check(not mesh.vertex_groups, "it was changed")
        own = make_mesh("own", three(facts["positions"]), three(facts["triangles"]))
        check(bind([own], armature) == {"FINISHED"}, "not finished")
        whole(own)
        # The object can be overridden, but its weights belong to the linked data.
        for data in (False, True):
            local = mesh.override_create(remap_local_usages=True) if mesh.library else mesh
            if data:
                local.data.override_create(remap_local_usages=True)
            refused([local], armature, "linked")
            mesh = local
        fresh()
    for library in list(bpy.data.libraries):
        bpy.data.libraries.remove(library)


@case
def a_mesh_on_a_bone_is_refused():
    mesh, armature, facts = build(SMALL)
    mesh.parent, mesh.parent_type, mesh.parent_bone = armature, "BONE", facts["names"][1]
    refused([mesh], armature, facts["names"][1])
    check(not mesh.vertex_groups and not mesh.modifiers, "it was changed")


@case
def meshes_stay_where_they_are():
    def sheared(mesh, armature):
        armature.scale = (1, 2, 3)
        mesh.rotation_euler = (0.5, 0.6, 0.7)

    def animated(mesh, armature):
        mesh.location.x = armature.location.x = 2
        mesh.keyframe_insert("location", frame=1)

    def child(mesh, armature):
        above = bpy.data.objects.new("above", None)
        bpy.context.collection.objects.link(above)
        above.location.y = armature.location.y = 3
        mesh.parent = above
        mesh.rotation_euler.z = 0.2

    for change in (sheared, animated, child):
        mesh, armature, _facts = build(SMALL)
        change(mesh, armature)
        bpy.context.view_layer.update()
        before = mesh.matrix_world.copy()
        check(bind([mesh], armature) == {"FINISHED"}, "not finished")
        bpy.context.scene.frame_set(bpy.context.scene.frame_current + 1)
        check(mesh.parent == armature, "no parent")
        moved = max(abs(a - b) for x, y in zip(before, mesh.matrix_world) for a, b in zip(x, y))
        check(moved < 1e-5, f"{change.__name__}: it moved by {moved}")


@case
def a_mirror_modifier_mirrors_before_the_armature():
    mesh, armature, _facts = build(SMALL, rename=lambda name: name + ".L")
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in list(armature.data.edit_bones):
        twin = armature.data.edit_bones.new(bone.name[:-2] + ".R")
        # So far away that no vertex follows it.
        twin.head, twin.tail = [(each.x + 50, each.y, each.z) for each in (bone.head, bone.tail)]
    bpy.ops.object.mode_set(mode="OBJECT")
    mesh.modifiers.new("mirror", "MIRROR")
    mesh.modifiers.new("subsurf", "SUBSURF")
    check(bind([mesh], armature) == {"FINISHED"}, "not finished")
    check([m.type for m in mesh.modifiers] == ["MIRROR", "ARMATURE", "SUBSURF"], "the modifiers are in another order")
    names = {group.name for group in mesh.vertex_groups}
    check({name[:-2] + ".R" for name in names if name.endswith(".L")} <= names, "the other half has no groups")


@case
def locks_leave_whole_rows():
    mesh, armature, facts = build(SMALL)
    bind([mesh], armature)
    group = heavy(mesh)
    some = list(range(0, len(mesh.data.vertices), 5))
    for each in mesh.vertex_groups:
        each.remove(some[:20])
    group.add(some, 0.3, "REPLACE")
    group.lock_weight = True
    before = held(mesh, group)
    other = make_mesh("other", three(facts["positions"]), three(facts["triangles"]))
    for meshes in ([mesh], [mesh, other], [mesh, other]):
        check(bind(meshes, armature) == {"FINISHED"}, "not finished")
        # In the last round the group of the other mesh exists, and is not locked.
        for each in meshes:
            whole(each)
        check(held(mesh, group) == before, "the lock was broken")
        other.vertex_groups.new(name=group.name)
    select([mesh], armature)
    check(bpy.ops.object.heterskin_refine() == {"FINISHED"}, "not finished")
    whole(mesh)
    check(held(mesh, group) == before, "the lock was broken by refining")


@case
def empty_locked_groups_stay_empty():
    mesh, armature, facts = build(SMALL)
    bind([mesh], armature)
    name = heavy(mesh).name
    mesh, armature, facts = build(SMALL)
    mesh.vertex_groups.new(name=name).lock_weight = True
    check(bind([mesh], armature) == {"FINISHED"}, "not finished")
    check(not any(name in row for row in rows(mesh)), "the lock was broken")
    whole(mesh)


@case
def nothing_to_bind_is_a_sentence():
    mesh, armature, _facts = build(SMALL)
    settings = bpy.context.scene.heterskin
    for vertex in mesh.data.vertices:
        vertex.select = False
    settings.selected_vertices = True
    try:
        refused([mesh], armature, "No vertices are selected")
    finally:
        settings.selected_vertices = False
    check(not mesh.vertex_groups and not mesh.modifiers, "it was changed")
    refused([make_mesh("nothing", [], [])], armature, '"nothing" has no vertices')


@case
def an_example_that_no_bone_deforms_is_left_out():
    mesh, armature, facts = build(SMALL)
    hero = make_mesh("hero", three(facts["positions"]), three(facts["triangles"]))
    props = bpy.data.objects.new("props", bpy.data.armatures.new("props"))
    heterskin.character.bind_to([hero], props)
    settings = bpy.context.scene.heterskin
    settings.like = bpy.data.collections.new("like")
    settings.like.objects.link(hero)
    try:
        refused([mesh], armature, "to learn from")
    finally:
        settings.like = None


@case
def a_program_that_is_no_node():
    with tempfile.TemporaryDirectory() as folder:
        for number, (said, word) in enumerate((("5", "does not run as Node"), ("v18.3.0", "18.3"), ("", "does not run as Node"))):
            program = os.path.join(folder, f"node{number}")
            with open(program, "w") as file:
                file.write(f"#!/bin/sh\necho {said}\n")
            os.chmod(program, 0o755)
            check(word in heterskin.find_node.problem(program, "package"), f"{said} is accepted as Node")
