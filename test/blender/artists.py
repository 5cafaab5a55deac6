"""Cases of what artists expect: operator properties, poll, bone collections, local repair, doubtful bones."""

import bpy
import heterskin
from scene import SMALL, bind, build, case, check, rows, select, select_bones, whole


def weight_on(mesh, name):
    return sum(row.get(name, 0) for row in rows(mesh))


@case
def operators_have_properties_and_the_rest_comes_from_the_panel():
    mesh, armature, _facts = build(SMALL)
    select([mesh], armature)
    bpy.context.scene.heterskin.influences = 2
    try:
        check(bpy.ops.object.heterskin_bind(method="heat") == {"FINISHED"}, "not finished")
        check(max(len(row) for row in rows(mesh)) <= 2, "the panel's influences were ignored")
        check(bpy.ops.object.heterskin_bind(method="heat", influences=1) == {"FINISHED"}, "not finished")
        check(max(len(row) for row in rows(mesh)) == 1, "the operator's influences were ignored")
        check(bpy.context.scene.heterskin.method == "network", "the operator changed the panel")
    finally:
        bpy.context.scene.heterskin.influences = 4


@case
def operators_cannot_be_called_without_a_mesh():
    _mesh, armature, _facts = build(SMALL)
    select([], armature)
    for name in ("bind", "refine", "fix", "transfer", "repair"):
        check(not getattr(bpy.ops.object, f"heterskin_{name}").poll(), f"{name} can be called")


@case
def a_selected_armature_is_found_though_the_mesh_is_active():
    mesh, armature, _facts = build(SMALL)
    select([mesh], armature)
    bpy.context.view_layer.objects.active = mesh
    check(bpy.ops.object.heterskin_bind(method="heat") == {"FINISHED"}, "not finished")
    check(heterskin.character.armature_of(mesh) == armature, "not bound to the selected armature")


@case
def bones_of_a_collection_are_written():
    mesh, armature, facts = build(SMALL)
    name = max(facts["names"], key=lambda each: sum(row.get(each, 0) for row in _solved(facts)))
    data = armature.data
    if hasattr(data, "collections"):
        data.collections.new("chosen").assign(data.bones[name])
    else:
        armature.pose.bones[name].bone_group = armature.pose.bone_groups.new(name="chosen")
    other = next(each for each in facts["names"] if each != name)
    mesh.vertex_groups.new(name=other).add(list(range(len(mesh.data.vertices))), 1.0, "REPLACE")
    select([mesh], armature)
    done = bpy.ops.object.heterskin_bind(bones="COLLECTION", bone_collection="chosen")
    check(done == {"FINISHED"}, "not finished")
    whole(mesh)
    check({each for row in rows(mesh) for each in row} == {name, other}, "other bones were written")


def _solved(facts):
    from scene import expected

    return expected(facts)


def _damaged():
    """Returns a bound mesh whose selected vertices all follow one wrong bone, and its previous rows."""
    mesh, armature, facts = build(SMALL)
    bind([mesh], armature)
    before = rows(mesh)
    wrong = facts["names"][-1]
    seed = len(mesh.data.vertices) // 2
    damaged = {seed} | {v for edge in mesh.data.edges if seed in edge.vertices for v in edge.vertices}
    for group in mesh.vertex_groups:
        group.remove(list(damaged))
    group = mesh.vertex_groups.get(wrong) or mesh.vertex_groups.new(name=wrong)
    group.add(list(damaged), 1.0, "REPLACE")
    for vertex in mesh.data.vertices:
        vertex.select = vertex.index in damaged
    select([mesh], armature)
    return mesh, before, damaged


def _distance(a, b):
    return sum(abs(a.get(name, 0) - b.get(name, 0)) for name in set(a) | set(b))


@case
def repairs_change_the_selected_vertices_for_the_better_and_hold_the_rest():
    for repair in (
        lambda: bpy.ops.object.heterskin_repair(mode="HAMMER"),
        lambda: bpy.ops.object.heterskin_repair(mode="SMOOTH", steps=30),
        lambda: bpy.ops.object.heterskin_bind(selected_vertices=True),
    ):
        mesh, before, damaged = _damaged()
        harm = sum(_distance(rows(mesh)[v], before[v]) for v in damaged)
        check(repair() == {"FINISHED"}, "not finished")
        after = rows(mesh)
        whole(mesh)
        check(all(after[v] == before[v] for v in range(len(after)) if v not in damaged), "another vertex was changed")
        left = sum(_distance(after[v], before[v]) for v in damaged)
        check(left < 0.5 * harm, f"{left} of {harm} is left")


@case
def a_doubtful_bone_is_listed_and_can_be_selected():
    mesh, armature, _facts = build(SMALL)
    data = armature.data
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    far = data.edit_bones.new("far away")
    far.head, far.tail = (90, 90, 90), (90, 90, 91)
    bpy.ops.object.mode_set(mode="OBJECT")
    select([mesh], armature)
    check(bpy.ops.object.heterskin_bind(method="heat") == {"FINISHED"}, "not finished")
    listed = {entry.bone: entry for entry in bpy.context.scene.heterskin.doubtful}
    check("far away" in listed, f"listed: {list(listed)}")
    select_bones(armature, [])
    check(bpy.ops.pose.heterskin_select(armature=armature.name, bone="far away") == {"FINISHED"}, "not selected")
    check([bone.name for bone in heterskin.character.selected_bones(armature)] == ["far away"], "another selection")


@case
def the_weight_paint_menu_has_entries():
    drawn = bpy.types.VIEW3D_MT_paint_weight._dyn_ui_initialize()
    check(heterskin.draw_paint_menu in drawn, "no entries")
