"""Cases of what happens while the add-on is working."""

import os
import subprocess
import time
from types import SimpleNamespace

import bpy
import heterskin
from heterskin.client import Worker, WorkerError
from scene import (
    SAMPLES,
    SMALL,
    bind,
    build,
    case,
    check,
    expected,
    make_armature,
    make_mesh,
    rows,
    select,
    three,
    whole,
    worst,
)


class Window:
    """Stub of a window and its manager, which Blender lacks in the background."""

    def __init__(self):
        self.open = 0
        self.text = None

    def progress_begin(self, *_range):
        self.open += 1

    def progress_end(self):
        self.open -= 1

    def progress_update(self, _value):
        pass

    def event_timer_add(self, *_args, **_named):
        self.open += 1

    def event_timer_remove(self, _timer):
        self.open -= 1

    def modal_handler_add(self, _operator):
        pass

    def status_text_set(self, text):
        self.text = text


def pressed(name="bind"):
    """Runs an operator as if its button was pressed in a window."""
    kind = getattr(heterskin, f"OBJECT_OT_heterskin_{name}")
    members = {key: getattr(kind, key) for key in ("prepare", "finisher") if hasattr(kind, key)}
    operator = type("Pressed", (heterskin._WorkerOperator,), members)()
    operator.said = []
    operator.properties = SimpleNamespace(is_property_set=lambda _name: False)
    operator.report = lambda _kinds, text: operator.said.append(text)
    window = Window()
    now = bpy.context
    operator.context = SimpleNamespace(
        selected_objects=now.selected_objects,
        active_object=now.active_object,
        scene=now.scene,
        window=window,
        window_manager=window,
        workspace=window,
    )
    operator.state = operator.start(operator.context)
    return operator


def tick(operator, kind="TIMER"):
    operator.state = operator.modal(operator.context, SimpleNamespace(type=kind))
    return operator.state


def ended(operator, seconds=60):
    """Lets time pass until an operator has ended; returns how it did."""
    until = time.monotonic() + seconds
    while operator.state == {"RUNNING_MODAL"}:
        check(time.monotonic() < until, "it still waits")
        time.sleep(0.02)
        tick(operator)
    check(operator.context.window.open == 0, "the progress bar or the timer is still there")
    check(operator.context.window.text is None, "the status is still there")
    return operator.state


def given_up(operator, word):
    check(ended(operator) == {"CANCELLED"}, "it was not cancelled")
    check(word in operator.said[-1] and operator.said[-1].endswith("."), f"said: {operator.said}")


def untouched(mesh):
    check(not mesh.vertex_groups and not mesh.modifiers and not mesh.parent, f"{mesh.name} was changed")


def start_small():
    mesh, armature, facts = build(SMALL)
    select([mesh], armature)
    return mesh, armature, facts, pressed()


@case
def a_pressed_button_binds():
    mesh, _armature, facts, operator = start_small()
    check(ended(operator) == {"FINISHED"}, f"said: {operator.said}")
    check(worst(rows(mesh), expected(facts)) < 2e-3, "weights differ")


@case
def a_mesh_deleted_meanwhile():
    mesh, _armature, _facts, operator = start_small()
    bpy.data.objects.remove(mesh)
    given_up(operator, "deleted")


@case
def an_armature_deleted_meanwhile():
    mesh, armature, _facts, operator = start_small()
    bpy.data.objects.remove(armature)
    given_up(operator, "deleted")
    untouched(mesh)


@case
def a_mesh_edited_meanwhile():
    for change in (lambda mesh: mesh.data.vertices.add(3), lambda mesh: setattr(mesh, "scale", (1, 2, 1))):
        mesh, _armature, _facts, operator = start_small()
        change(mesh)
        bpy.context.view_layer.update()
        given_up(operator, "was changed")
        untouched(mesh)


@case
def fewer_vertices_of_the_second_mesh_leave_the_first():
    mesh, armature, facts = build(SMALL)
    other = make_mesh("other", three(facts["positions"]), three(facts["triangles"]))
    select([mesh, other], armature)
    operator = pressed()
    other.data.clear_geometry()
    given_up(operator, "was changed")
    untouched(mesh)
    untouched(other)


@case
def a_bone_renamed_or_switched_off_meanwhile():
    for change in (lambda bone: setattr(bone, "name", "other"), lambda bone: setattr(bone, "use_deform", False)):
        mesh, armature, _facts, operator = start_small()
        change(armature.data.bones[1])
        given_up(operator, "was changed")
        untouched(mesh)


@case
def bones_edited_meanwhile():
    mesh, armature, facts, operator = start_small()
    bpy.context.view_layer.objects.active = armature
    # The bones are created again, the same as before.
    for mode in ("EDIT", "OBJECT"):
        bpy.ops.object.mode_set(mode=mode)
    check(ended(operator) == {"FINISHED"}, f"said: {operator.said}")
    check(worst(rows(mesh), expected(facts)) < 2e-3, "weights differ")


@case
def in_edit_mode_meanwhile_and_before():
    for which in (0, 1):
        thing = start_small()
        bpy.context.view_layer.objects.active = thing[which]
        bpy.ops.object.mode_set(mode="EDIT")
        try:
            given_up(thing[3], "Edit Mode")
            bpy.context.view_layer.objects.active = thing[1]
            again = pressed()
            check(again.state == {"CANCELLED"} and "Edit Mode" in again.said[0], f"said: {again.said}")
        finally:
            bpy.context.view_layer.objects.active = thing[which]
            bpy.ops.object.mode_set(mode="OBJECT")
        untouched(thing[0])


@case
def undo_meanwhile():
    mesh, armature, _facts = build(SMALL)
    select([mesh], armature)
    bpy.ops.ed.undo_push(message="built")
    mesh.location.x = 1
    bpy.ops.ed.undo_push(message="moved")
    operator = pressed()
    bpy.ops.ed.undo()
    given_up(operator, "was changed")
    untouched(bpy.data.objects[SMALL])
    bpy.ops.ed.redo()
    bpy.context.view_layer.update()
    select([bpy.data.objects[SMALL]], bpy.data.objects["rig"])
    operator = pressed()
    bpy.ops.ed.undo()
    bpy.ops.ed.redo()
    bpy.context.view_layer.update()
    check(ended(operator) == {"FINISHED"}, f"said: {operator.said}")
    whole(bpy.data.objects[SMALL])


@case
def weights_painted_while_they_are_refined():
    mesh, armature, facts = build(SMALL)
    bind([mesh], armature)
    select([mesh], armature)
    operator = pressed("refine")
    for group in mesh.vertex_groups[:2]:
        group.add([0], 0.4, "REPLACE")
    before = rows(mesh)
    given_up(operator, "was changed")
    check(rows(mesh) == before, "painted weights were lost")


@case
def selection_and_settings_changed_meanwhile():
    mesh, armature, facts = build(SMALL)
    for vertex in mesh.data.vertices:
        vertex.select = vertex.index < 20
    settings = bpy.context.scene.heterskin
    settings.selected_vertices = True
    select([mesh], armature)
    operator = pressed()
    settings.selected_vertices = False
    for vertex in mesh.data.vertices:
        vertex.select = True
    check(ended(operator) == {"FINISHED"}, f"said: {operator.said}")
    check([bool(row) for row in rows(mesh)] == [v < 20 for v in range(len(rows(mesh)))], "other vertices were bound")


@case
def escape_and_a_closed_window():
    mesh, armature, _facts, operator = start_small()
    check(tick(operator, "ESC") == {"CANCELLED"}, "not cancelled")
    ended(operator)
    operator = pressed()
    # As Blender does when the window is closed or another file is opened.
    operator.cancel(operator.context)
    check(operator.context.window.open == 0, "the progress bar or the timer is still there")
    untouched(mesh)
    # No request waits behind the cancelled one.
    check(bind([mesh], armature) == {"FINISHED"}, "not finished")


@case
def escape_after_node_was_lost():
    mesh, _armature, _facts, operator = start_small()
    find_node = heterskin.find_node.find_node
    heterskin.find_node.find_node = lambda _preferred: None
    try:
        check(tick(operator) in ({"RUNNING_MODAL"}, {"FINISHED"}), f"said: {operator.said}")
        if operator.state == {"RUNNING_MODAL"}:
            check(tick(operator, "ESC") == {"CANCELLED"}, "not cancelled")
        ended(operator)
    finally:
        heterskin.find_node.find_node = find_node


@case
def two_at_once():
    facts = SAMPLES[SMALL]
    mesh, armature, _facts = build(SMALL)
    other = make_mesh("other", three(facts["positions"]), three(facts["triangles"]))
    operators = []
    for each in (mesh, other):
        select([each], armature)
        operators.append(pressed())
    for operator in reversed(operators):
        check(ended(operator) == {"FINISHED"}, f"said: {operator.said}")
    for each in (mesh, other):
        check(worst(rows(each), expected(facts)) < 2e-3, "weights differ")


@case
def a_process_that_dies_tells_all_who_wait():
    mesh, armature, _facts = build(SMALL)
    check(bind([mesh], armature) == {"FINISHED"}, "not finished")
    operators = [pressed(), pressed()]
    heterskin._worker.process.kill()
    given_up(operators[0], "try again")
    # A new process exists before the second check.
    check(bind([mesh], armature) == {"FINISHED"}, "not finished")
    given_up(operators[1], "try again")


@case
def the_second_of_two_armatures_fails():
    facts = SAMPLES[SMALL]
    mesh, armature, _facts = build(SMALL)
    odd = make_mesh("odd", three(facts["positions"]), three(facts["triangles"]))
    # The worker detects it after it has bound the first.
    odd.data.vertices[3].co.x = float("nan")
    mesh.modifiers.new("rig", "ARMATURE").object = armature
    odd.modifiers.new("rig", "ARMATURE").object = make_armature(facts)
    bpy.ops.object.select_all(action="DESELECT")
    for each in (mesh, odd):
        each.select_set(True)
    bpy.context.view_layer.objects.active = mesh
    try:
        bpy.ops.object.heterskin_bind()
    except RuntimeError as error:
        check("not a number" in str(error), f"said: {error}")
    else:
        raise AssertionError("it was not refused")
    check(not mesh.vertex_groups, "the first was bound")


def program(text):
    """A worker of a few lines of Node."""
    return Worker([heterskin.find_node.find_node(), "-e", text])


def fails(worker, word, **request):
    try:
        worker.wait(worker.send("bind", **request), patience=20)
    except WorkerError as error:
        check(word in str(error), f"said: {error}")
    else:
        raise AssertionError("no error")
    finally:
        worker.stop()


READY = 'console.log(JSON.stringify({ready:true,protocol:1,version:"0"}));'


@case
def processes_that_are_no_worker():
    fails(program("process.exit(1)"), "preferences")
    fails(program('console.log("usage: another")'), "preferences")
    fails(program(READY.replace("protocol:1", "protocol:2") + "setInterval(()=>{},1000)"), "version")
    fails(program(READY), "try again")


@case
def words_that_are_no_answers():
    answer = '{"id":1,"result":{"fine":true}}'
    worker = program(READY + f"console.log('a warning');console.log('3');console.log('{answer}');setInterval(()=>{{}},1000)")
    check(worker.wait(worker.send("bind"), patience=20) == {"fine": True}, "no answer")
    worker.stop()


@case
def a_process_that_hangs_does_not_hang_blender():
    worker = program(READY + "for(;;);")
    began = time.monotonic()
    # More than the buffer of a pipe.
    job = worker.send("bind", mesh="x" * 5_000_000)
    worker.cancel(job)
    check(time.monotonic() - began < 2, "Blender was kept waiting")
    hung = worker.process.pid
    worker.send("bind")
    check(worker.process.pid != hung, "it waits behind the hung process")
    worker.stop()


QUIT = """
import sys
sys.path.insert(0, {folder!r})
import heterskin
heterskin.register()
heterskin._worker = heterskin.Worker([{node!r}, "-e", "for(;;);"])
heterskin._worker.send("bind")
print("pid", heterskin._worker.process.pid, flush=True)
"""


@case
def a_process_that_hangs_ends_with_blender():
    folder = os.path.dirname(os.path.dirname(heterskin.__file__))
    script = QUIT.format(folder=folder, node=heterskin.find_node.find_node())
    command = [bpy.app.binary_path, "-b", "--factory-startup", "--python-expr", script]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=60).stdout
    pid = int(next(line for line in said.splitlines() if line.startswith("pid")).split()[1])
    try:
        os.kill(pid, 9)
    except ProcessLookupError:
        return
    raise AssertionError("it outlived Blender")
