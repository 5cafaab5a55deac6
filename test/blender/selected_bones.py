"""Cases of *Selected bones only*: solved with all bones, written to the selected ones."""

from types import SimpleNamespace

import bpy
import heterskin
from scene import SMALL, bind, build, case, check, expected, refused, rows, select_bones, whole

TOLERANCE = 2e-3


def bind_selected(meshes, armature, names):
    select_bones(armature, names)
    settings = bpy.context.scene.heterskin
    settings.bones = "SELECTED"
    try:
        return bind(meshes, armature)
    finally:
        settings.bones = "ALL"


def two_bones(facts):
    """Returns two bones with much weight: the second shares vertices with bones that are not chosen."""
    total = {name: sum(row.get(name, 0) for row in expected(facts)) for name in facts["names"]}
    return sorted(total, key=total.get)[-2:]


def repaint(mesh, names):
    """Replaces the solved weights by others that sum to 1, a different mix at each vertex."""
    for group in mesh.vertex_groups:
        group.remove(list(range(len(mesh.data.vertices))))
    for vertex in mesh.data.vertices:
        picked = [names[(vertex.index + step) % len(names)] for step in range(3)]
        for name, weight in zip(picked, (0.5, 0.3, 0.2)):
            group = mesh.vertex_groups.get(name) or mesh.vertex_groups.new(name=name)
            group.add([vertex.index], weight, "REPLACE")


def check_row(index, before, after, solved, chosen):
    """Checks that chosen bones are as solved, and the others keep their proportions and fill the rest."""
    for name in chosen:
        difference = abs(after.get(name, 0) - solved.get(name, 0))
        check(difference < TOLERANCE, f"vertex {index}: {name} differs from the solve by {difference}")
    others = {name: weight for name, weight in before.items() if name not in chosen}
    rest = 1 - sum(after.get(name, 0) for name in chosen)
    scale = rest / sum(others.values())
    for name in set(others) | (set(after) - set(chosen)):
        difference = abs(after.get(name, 0) - scale * others.get(name, 0))
        check(difference < TOLERANCE, f"vertex {index}: {name} is not scaled, it differs by {difference}")


@case
def selected_bones_after_a_bind_change_nothing():
    mesh, armature, facts = build(SMALL)
    bind([mesh], armature)
    before = rows(mesh)
    check(bind_selected([mesh], armature, two_bones(facts)) == {"FINISHED"}, "not finished")
    whole(mesh)
    for index, (a, b) in enumerate(zip(before, rows(mesh))):
        for name in set(a) | set(b):
            check(abs(a.get(name, 0) - b.get(name, 0)) < TOLERANCE, f"vertex {index}: {name} changed")


@case
def selected_bones_are_solved_and_the_others_fill_the_rest():
    mesh, armature, facts = build(SMALL)
    repaint(mesh, facts["names"])
    chosen = two_bones(facts)
    before = rows(mesh)
    check(bind_selected([mesh], armature, chosen) == {"FINISHED"}, "not finished")
    whole(mesh)
    after = rows(mesh)
    solved = expected(facts)
    shared = 0
    for index, row in enumerate(before):
        # Without other weight there is nothing to scale; see the case of bare vertices.
        if any(name not in chosen for name in row):
            check_row(index, row, after[index], solved[index], chosen)
            shared += 0 < sum(after[index].get(name, 0) for name in chosen) < 1
    check(shared > 0, "no vertex is shared between chosen and other bones")


@case
def vertices_that_never_follow_the_selected_bones_stay():
    mesh, armature, facts = build(SMALL)
    chosen = two_bones(facts)
    solved = expected(facts)
    other = next(name for name in facts["names"] if name not in chosen)
    # Rows deliberately do not sum to 1: they must not be normalized either.
    mesh.vertex_groups.new(name=other).add(list(range(len(mesh.data.vertices))), 0.4, "REPLACE")
    mesh.vertex_groups.new(name="not a bone").add(list(range(len(mesh.data.vertices))), 0.7, "REPLACE")
    check(bind_selected([mesh], armature, chosen) == {"FINISHED"}, "not finished")
    stayed = 0
    for row, wanted in zip(rows(mesh), solved):
        check(abs(row["not a bone"] - 0.7) < 1e-6, "a group of no bone changed")
        if not any(name in wanted for name in chosen):
            stayed += 1
            check(set(row) == {other, "not a bone"} and abs(row[other] - 0.4) < 1e-6, f"changed to {row}")
    check(stayed > 0, "every vertex follows a chosen bone")


@case
def bare_vertices_take_the_rest_from_the_solve():
    mesh, armature, facts = build(SMALL)
    chosen = two_bones(facts)
    # The first half follows only a chosen bone, the second half nothing.
    half = len(mesh.data.vertices) // 2
    mesh.vertex_groups.new(name=chosen[0]).add(list(range(half)), 1.0, "REPLACE")
    check(bind_selected([mesh], armature, chosen) == {"FINISHED"}, "not finished")
    solved = expected(facts)
    for index, row in enumerate(rows(mesh)):
        if index >= half and not any(name in solved[index] for name in chosen):
            check(not row, f"vertex {index} got weight of bones that were not chosen: {row}")
            continue
        for name in set(row) | set(solved[index]):
            check(abs(row.get(name, 0) - solved[index].get(name, 0)) < TOLERANCE, f"vertex {index}: {name} differs")


@case
def selected_bones_respect_locks_and_selected_vertices():
    mesh, armature, facts = build(SMALL)
    repaint(mesh, facts["names"])
    chosen = two_bones(facts)
    locked = next(name for name in facts["names"] if name not in chosen)
    mesh.vertex_groups[locked].lock_weight = True
    before = rows(mesh)
    for vertex in mesh.data.vertices:
        vertex.select = vertex.index % 2 == 0
    settings = bpy.context.scene.heterskin
    settings.selected_vertices = True
    try:
        check(bind_selected([mesh], armature, chosen) == {"FINISHED"}, "not finished")
    finally:
        settings.selected_vertices = False
    after = rows(mesh)
    whole(mesh)
    check([row.get(locked) for row in after] == [row.get(locked) for row in before], "the lock was broken")
    check(after[1::2] == before[1::2], "a vertex that was not selected changed")
    check(after[0::2] != before[0::2], "no selected vertex changed")


@case
def no_selected_bones_is_a_sentence():
    mesh, armature, _facts = build(SMALL)
    select_bones(armature, [])
    bpy.context.scene.heterskin.bones = "SELECTED"
    try:
        refused([mesh], armature, "no selected")
    finally:
        bpy.context.scene.heterskin.bones = "ALL"
    check(not mesh.vertex_groups and not mesh.modifiers, "it was changed")


@case
def selection_of_bones_is_found_where_blender_5_has_it():
    """Selects bones; from Blender 5.0 on, pose bones have the selection and bones have none."""
    bones = [SimpleNamespace(name=name, use_deform=True) for name in ("hip", "knee", "toe")]
    pose = {bone.name: SimpleNamespace(select=bone.name == "knee") for bone in bones}
    data = SimpleNamespace(bones=bones, is_editmode=False)
    armature = SimpleNamespace(name="rig", mode="OBJECT", data=data, pose=SimpleNamespace(bones=pose))
    found = heterskin.character.selected_bones(armature)
    check([bone.name for bone in found] == ["knee"], f"found {found}")
