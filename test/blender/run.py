"""Cases for the add-on, run inside Blender by scripts/test-blender.mjs."""

import json
import os
import sys
import traceback

import bpy
import numpy

bpy.ops.preferences.addon_install(filepath=os.environ["HETERSKIN_ZIP"], overwrite=True)
bpy.ops.preferences.addon_enable(module="heterskin")
import heterskin  # noqa: E402  (available once the zip is installed)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scene import (  # noqa: E402
    CASES,
    NAMES,
    SAMPLES,
    SMALL,
    bind,
    build,
    case,
    check,
    expected,
    fresh,
    make_armature,
    make_mesh,
    refused,
    rows,
    select,
    three,
    whole,
    worst,
)


def keep(name, meshes, armature):
    """Saves a bound character as the add-on saw it, with its weights, for the command line to bind again."""
    bones = heterskin.character.deform_bones(armature)
    facts = {
        "mesh": heterskin.character.mesh_of(meshes),
        "skeleton": heterskin.character.skeleton_of(armature, bones),
        "rows": [row for mesh in meshes for row in rows(mesh)],
    }
    with open(os.path.join(os.environ["HETERSKIN_BOUND"], f"{name}.json"), "w") as file:
        json.dump(facts, file)


@case
def every_sample_is_bound():
    for name in NAMES:
        mesh, armature, _facts = build(name)
        check(bind([mesh], armature) == {"FINISHED"}, name)
        check(any(m.type == "ARMATURE" and m.object == armature for m in mesh.modifiers), "no modifier")
        whole(mesh)
        keep(name, [mesh], armature)


# Debian's Blender 3.4 imports glTF with a name that its NumPy lacks.
if "bool" not in numpy.__dict__:
    numpy.bool = bool

IMPORTERS = {
    ".glb": lambda file: bpy.ops.import_scene.gltf(filepath=file),
    ".gltf": lambda file: bpy.ops.import_scene.gltf(filepath=file),
    ".fbx": lambda file: bpy.ops.import_scene.fbx(filepath=file),
    ".dae": lambda file: bpy.ops.wm.collada_import(filepath=file),
}


def imported(file):
    """Returns the armature of a file that deforms most meshes, and those meshes."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="heterskin")
    IMPORTERS[os.path.splitext(file)[1].lower()](file)
    groups = {}
    for mesh in bpy.data.objects:
        armature = mesh.type == "MESH" and heterskin.character.armature_of(mesh)
        if armature and mesh.data.polygons:
            groups.setdefault(armature.name, []).append(mesh)
    if not groups:
        return None, []
    name = max(sorted(groups), key=lambda each: len(groups[each]))
    return bpy.data.objects[name], groups[name]


@case
def files_of_others_are_bound():
    folder = os.environ.get("HETERSKIN_FILES")
    for file in sorted(os.listdir(folder)) if folder else []:
        if os.path.splitext(file)[1].lower() not in IMPORTERS:
            continue
        try:
            armature, meshes = imported(os.path.join(folder, file))
        except RuntimeError as error:
            print(f"  {file}: Blender cannot import it ({str(error).strip().splitlines()[-1]})")
            continue
        if not armature:
            print(f"  {file}: no skinned mesh")
            continue
        check(bind(meshes, armature) == {"FINISHED"}, file)
        for mesh in meshes:
            whole(mesh)
        keep(file, meshes, armature)


def same_as_plain(change, tolerance=2e-3):
    mesh, armature, facts = build(SMALL)
    change(mesh, armature)
    check(bind([mesh], armature) == {"FINISHED"}, "not finished")
    difference = worst(rows(mesh), expected(facts))
    check(difference < tolerance, f"weights differ by {difference}")


@case
def scaled_and_moved_objects():
    def change(mesh, armature):
        for each in (mesh, armature):
            each.scale = (100, 100, 100)
            each.location = (5, -3, 2)

    same_as_plain(change)


@case
def unapplied_scale_of_the_mesh_alone():
    def change(mesh, _armature):
        for vertex in mesh.data.vertices:
            vertex.co *= 0.01
        mesh.scale = (100, 100, 100)

    same_as_plain(change)


@case
def left_handed_scale():
    def change(mesh, _armature):
        for vertex in mesh.data.vertices:
            vertex.co.x *= -1
        mesh.data.flip_normals()
        mesh.scale = (-1, 1, 1)

    same_as_plain(change)


@case
def posed_armature():
    def change(_mesh, armature):
        for bone in armature.pose.bones:
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = (0.4, 0.2, 0.1)

    same_as_plain(change)


@case
def shape_key_at_one():
    def change(mesh, _armature):
        mesh.shape_key_add(name="Basis")
        key = mesh.shape_key_add(name="fat")
        for point in key.data:
            point.co *= 1.5
        key.value = 1

    same_as_plain(change)


@case
def subdivision_modifier():
    def change(mesh, _armature):
        mesh.modifiers.new("subsurf", "SUBSURF").levels = 2

    same_as_plain(change)
    mesh = bpy.data.objects[SMALL]
    check([m.type for m in mesh.modifiers][0] == "ARMATURE", "the armature's modifier is not the first")


@case
def hidden_geometry():
    def change(mesh, _armature):
        for polygon in mesh.data.polygons:
            polygon.hide = polygon.index % 2 == 0
        for vertex in mesh.data.vertices:
            vertex.hide = vertex.index % 3 == 0

    same_as_plain(change)


@case
def names_with_commas():
    rename = lambda name: f"{name}, part*"  # noqa: E731
    mesh, armature, facts = build(SMALL, rename=rename)
    bpy.context.scene.heterskin.method = "heat"
    try:
        check(bind([mesh], armature) == {"FINISHED"}, "not finished")
        whole(mesh)
        names = {rename(name) for name in facts["names"]}
        check({name for row in rows(mesh) for name in row} <= names, "weights of other names")
        # A lock of such a name holds, too.
        locked = next(iter(rows(mesh)[0]))
        mesh.vertex_groups[locked].lock_weight = True
        before = [row.get(locked, 0) for row in rows(mesh)]
        check(bind([mesh], armature) == {"FINISHED"}, "not finished")
        after = [row.get(locked, 0) for row in rows(mesh)]
        check(max(abs(a - b) for a, b in zip(before, after)) < 1e-4, "the lock was broken")
    finally:
        bpy.context.scene.heterskin.method = "network"


@case
def several_meshes_are_one_character():
    facts = SAMPLES[SMALL]
    fresh()
    positions, triangles = three(facts["positions"]), three(facts["triangles"])
    half = len(triangles) // 2
    parts = []
    for name, some in (("front", triangles[:half]), ("back", triangles[half:])):
        used = sorted({corner for triangle in some for corner in triangle})
        place = {vertex: i for i, vertex in enumerate(used)}
        mesh = make_mesh(name, [positions[v] for v in used], [tuple(place[c] for c in t) for t in some])
        parts.append((mesh, used))
    armature = make_armature(facts)
    check(bind([mesh for mesh, _ in parts], armature) == {"FINISHED"}, "not finished")
    wanted = expected(facts)
    for mesh, used in parts:
        difference = worst(rows(mesh), [wanted[v] for v in used])
        check(difference < 2e-3, f"{mesh.name}: weights differ by {difference}")


@case
def two_armatures():
    facts = SAMPLES[SMALL]
    fresh()
    pairs = []
    for number in range(2):
        mesh = make_mesh(f"fish{number}", three(facts["positions"]), three(facts["triangles"]))
        armature = make_armature(facts)
        mesh.modifiers.new("rig", "ARMATURE").object = armature
        pairs.append((mesh, armature))
    bpy.ops.object.select_all(action="DESELECT")
    for mesh, _ in pairs:
        mesh.select_set(True)
    bpy.context.view_layer.objects.active = pairs[0][0]
    check(bpy.ops.object.heterskin_bind() == {"FINISHED"}, "not finished")
    for mesh, _ in pairs:
        check(worst(rows(mesh), expected(facts)) < 2e-3, "weights differ")


@case
def locked_and_foreign_groups_stay():
    mesh, armature, facts = build(SMALL)
    bind([mesh], armature)
    locked = max(facts["names"], key=lambda name: sum(row.get(name, 0) for row in rows(mesh)))
    group = mesh.vertex_groups[locked]
    group.lock_weight = True
    other = mesh.vertex_groups.new(name="not a bone")
    other.add(list(range(10)), 0.7, "REPLACE")
    before = [row.get(locked, 0) for row in rows(mesh)]
    check(bind([mesh], armature) == {"FINISHED"}, "not finished")
    after = rows(mesh)
    check(max(abs(a - row.get(locked, 0)) for a, row in zip(before, after)) < 1e-4, "the lock was broken")
    check(all(abs(after[v]["not a bone"] - 0.7) < 1e-6 for v in range(10)), "another group changed")


@case
def old_weights_of_deform_bones_go():
    mesh, armature, facts = build(SMALL)
    first = mesh.vertex_groups.new(name=facts["names"][0])
    first.add(list(range(len(mesh.data.vertices))), 1.0, "REPLACE")
    check(bind([mesh], armature) == {"FINISHED"}, "not finished")
    check(worst(rows(mesh), expected(facts)) < 2e-3, "weights differ")


@case
def selected_vertices_only():
    mesh, armature, facts = build(SMALL)
    bind([mesh], armature)
    group = mesh.vertex_groups[facts["names"][0]]
    group.add(list(range(len(mesh.data.vertices))), 0.5, "REPLACE")
    before = rows(mesh)
    for vertex in mesh.data.vertices:
        vertex.select = vertex.index < 20
    bpy.context.scene.heterskin.selected_vertices = True
    try:
        check(bind([mesh], armature) == {"FINISHED"}, "not finished")
    finally:
        bpy.context.scene.heterskin.selected_vertices = False
    after = rows(mesh)
    check(after[20:] == before[20:], "a vertex that was not selected changed")
    check(worst(after[:20], expected(facts)[:20]) < 2e-3, "the selected ones differ")


@case
def binds_like_a_rigged_neighbour():
    mesh, armature, facts = build(SMALL)
    hero = make_mesh("hero", three(facts["positions"]), three(facts["triangles"]))
    taught = facts["names"][1]
    hero.vertex_groups.new(name=taught).add(list(range(len(hero.data.vertices))), 1.0, "REPLACE")
    heterskin.character.bind_to([hero], armature)
    collection = bpy.data.collections.new("like")
    collection.objects.link(hero)
    settings = bpy.context.scene.heterskin
    settings.like = collection
    try:
        check(bind([mesh], armature) == {"FINISHED"}, "not bound")
    finally:
        settings.like = None
    own = sum(max(row, key=row.get) == taught for row in rows(mesh))
    plain = sum(max(row, key=row.get) == taught for row in expected(facts))
    check(own > plain + len(rows(mesh)) // 4, f"{own} vertices follow the learned style, {plain} without it")
    settings.like = bpy.data.collections.new("empty")
    select([mesh], armature)
    refused([mesh], armature, "to learn from")
    settings.like = None


@case
def refine_and_transfer():
    mesh, armature, facts = build(SMALL)
    bind([mesh], armature)
    select([mesh], armature)
    check(bpy.ops.object.heterskin_refine() == {"FINISHED"}, "refine did not finish")
    whole(mesh)
    copy = make_mesh("copy", [tuple(1.01 * x for x in p) for p in three(facts["positions"])], three(facts["triangles"]))
    bpy.ops.object.select_all(action="DESELECT")
    copy.select_set(True)
    mesh.select_set(True)
    bpy.context.view_layer.objects.active = mesh
    check(bpy.ops.object.heterskin_transfer() == {"FINISHED"}, "transfer did not finish")
    whole(copy)
    check(heterskin.character.armature_of(copy) == armature, "no armature")


@case
def fixing_leaves_whole_rows():
    # As bound, and with a third of the vertices on one wrong bone, which the poses must reveal.
    for is_spoiled in (False, True):
        mesh, armature, facts = build(SMALL)
        bind([mesh], armature)
        if is_spoiled:
            for group in mesh.vertex_groups:
                group.remove(list(range(0, len(mesh.data.vertices), 3)))
            mesh.vertex_groups[facts["names"][-1]].add(list(range(0, len(mesh.data.vertices), 3)), 1.0, "REPLACE")
        before = rows(mesh)
        select([mesh], armature)
        check(bpy.ops.object.heterskin_fix() == {"FINISHED"}, "fix did not finish")
        whole(mesh)
        check(not is_spoiled or rows(mesh) != before, "nothing was fixed")
    mesh, armature, _facts = build(SMALL)
    select([mesh], armature)
    try:
        bpy.ops.object.heterskin_fix()
    except RuntimeError as error:
        check("no weights to fix" in str(error), f"said: {error}")
    else:
        raise AssertionError("a mesh without weights was not refused")


@case
def a_mesh_without_triangles_is_a_sentence_or_bound():
    fresh()
    facts = SAMPLES[SMALL]
    mesh = make_mesh("points", three(facts["positions"])[:50], [])
    armature = make_armature(facts)
    try:
        bind([mesh], armature)
        whole(mesh)
    except RuntimeError as error:
        check(str(error).strip().endswith("."), f"said: {error}")


@case
def no_deform_bones():
    mesh, armature, _facts = build(SMALL)
    for bone in armature.data.bones:
        bone.use_deform = False
    refused([mesh], armature, "deform")


@case
def a_worker_that_was_killed_is_started_again():
    mesh, armature, facts = build(SMALL)
    bind([mesh], armature)
    heterskin._worker.process.kill()
    heterskin._worker.process.wait()
    check(bind([mesh], armature) == {"FINISHED"}, "not finished")
    check(worst(rows(mesh), expected(facts)) < 2e-3, "weights differ")


@case
def a_worker_killed_at_work_gives_a_sentence():
    _mesh, _armature, facts = build(SMALL)
    worker = heterskin.worker()
    job = worker.send("bind", mesh=heterskin.character.mesh_of([_mesh]), skeleton={"names": [], "parents": [], "positions": []})
    process = worker.process
    process.kill()
    try:
        worker.wait(job, patience=20)
    except heterskin.WorkerError as error:
        check("try again" in str(error) or str(error).endswith("."), str(error))
    else:
        raise AssertionError("no error")
    # A process that has not exited yet would receive the next request.
    process.wait()


@case
def cancelling_leaves_the_weights():
    mesh, armature, facts = build(SMALL)
    bind([mesh], armature)
    before = rows(mesh)
    worker = heterskin.worker()
    bones = heterskin.character.deform_bones(armature)
    request = {"mesh": heterskin.character.mesh_of([mesh]), "skeleton": heterskin.character.skeleton_of(armature, bones)}
    job = worker.send("bind", **request)
    worker.cancel(job)
    try:
        worker.wait(job, patience=60)
    except heterskin.WorkerError as error:
        check("Cancelled" in str(error), str(error))
    check(rows(mesh) == before, "the weights changed")


@case
def undo_restores_the_groups():
    mesh, armature, facts = build(SMALL)
    group = mesh.vertex_groups.new(name=facts["names"][0])
    group.add(list(range(len(mesh.data.vertices))), 1.0, "REPLACE")
    before = rows(mesh)
    select([mesh], armature)
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.object.heterskin_bind()
    bpy.ops.ed.undo_push(message="after")
    check(rows(bpy.data.objects[SMALL]) != before, "nothing changed")
    bpy.ops.ed.undo()
    check(rows(bpy.data.objects[SMALL]) == before, "undo did not restore the groups")


import bone_tails  # noqa: E402, F401
import doubt_marks  # noqa: E402, F401  (more cases)
import meanwhile  # noqa: E402, F401
import odd_scenes  # noqa: E402, F401
import artists  # noqa: E402, F401
import selected_bones  # noqa: E402, F401

# A list of names, separated by commas, runs only those cases.
wanted = [name for name in os.environ.get("HETERSKIN_CASES", "").split(",") if name]
chosen = [each for each in CASES if not wanted or each.__name__ in wanted]
check(chosen, f"there is no case {wanted}")
failed = 0
for each in chosen:
    try:
        each()
        print(f"ok      {each.__name__}")
    except Exception:
        failed += 1
        print(f"FAILED  {each.__name__}")
        traceback.print_exc()
print(f"{len(chosen) - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
