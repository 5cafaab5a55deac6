"""Skin weights by HeterSkin: a menu item next to Automatic Weights."""

bl_info = {
    "name": "HeterSkin",
    "author": "The HeterSkin developers",
    "version": (0, 1, 0),
    "blender": (3, 3, 0),
    "location": "View3D > Object > Parent, and the sidebar",
    "description": "Skin weights for any mesh and your own armature",
    "category": "Rigging",
}

import atexit
from functools import partial

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, PointerProperty, StringProperty

from . import character, find_node, repair
from .client import Worker, WorkerError, unpack

_worker = None


def preferences():
    addon = bpy.context.preferences.addons.get(__package__)
    return addon.preferences if addon else None


def find_command():
    """Returns the command that runs HeterSkin, and why it cannot run or None: an executable comes before Node."""
    chosen = preferences()
    executable = None if chosen and (chosen.node or chosen.package) else find_node.find_executable()
    if executable:
        return [executable], None
    node = find_node.find_node(chosen.node if chosen else "")
    package = find_node.find_package(chosen.package if chosen else "")
    return [node, package], find_node.problem(node, package)


def worker():
    """Returns the single worker process; raises WorkerError if it cannot start."""
    global _worker
    command, wrong = find_command()
    if wrong:
        raise WorkerError(wrong)
    if _worker is None or _worker.command != command:
        if _worker:
            _worker.stop()
        _worker = Worker(command)
    return _worker


def stop_worker():
    global _worker
    if _worker:
        _worker.stop()
        _worker = None


METHODS = [
    ("network", "Network", "Network trained on artists' weights"),
    ("heat", "Heat", "Heat diffusion from the bones over the surface; needs no network"),
    ("geodesic-voxel", "Geodesic voxel", "Geodesic voxel binding"),
    ("hollow", "HollowDist falloff", "Weights fall off with the distance inside the body"),
]
MIRRORS = [("none", "No", "Keep each side as computed"), ("x", "X", "Average both sides"), ("x+", "+X to -X", "Copy the side at larger X"), ("x-", "-X to +X", "Copy the side at smaller X")]


class HeterSkinPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    node: StringProperty(name="Node", description="Path of Node; detected automatically if empty", subtype="FILE_PATH")
    package: StringProperty(name="Package", description="Folder of the heterskin package; the one in the add-on if empty", subtype="DIR_PATH")

    def draw(self, _context):
        command, wrong = find_command()
        column = self.layout.column()
        column.prop(self, "node")
        column.prop(self, "package")
        if wrong:
            column.label(text=wrong, icon="ERROR")
        elif len(command) == 1:
            column.label(text=f"Executable at {command[0]}; Node is not needed", icon="CHECKMARK")
        else:
            version = find_node.node_version(command[0])
            column.label(text=f"Node {version[0]}.{version[1]} at {command[0]}", icon="CHECKMARK")
            column.label(text=f"Package at {command[1]}", icon="CHECKMARK")


BONES = [
    ("ALL", "All", "Write the weights of all deform bones"),
    ("SELECTED", "Selected", "Write the weights of the selected bones, and scale those of the others to fill the rest"),
    ("COLLECTION", "Collection", "Write the weights of the bones of a collection (a bone group before Blender 4.0)"),
]

# Options of a bind: the panel has them for the scene, the operator for its redo panel and for scripts.
BIND_OPTIONS = {
    "method": EnumProperty(name="Method", items=METHODS, default="network"),
    "influences": IntProperty(name="Influences", description="Maximum influences per vertex", default=4, min=1, max=8),
    "smooth": IntProperty(name="Smooth", description="Smoothing iterations over the surface", default=0, min=0, max=50),
    "mirror": EnumProperty(name="Mirror", items=MIRRORS, default="none"),
    "rigid": BoolProperty(name="Rigid parts", description="Move small or rigid loose parts as one piece"),
    "keep": BoolProperty(name="Keep weights", description="Keep the weights of vertices that already have some"),
    "like_path": StringProperty(name="Like files", subtype="FILE_PATH", description="Bind in the style of a rigged file, or of all files in a folder"),
    "selected_vertices": BoolProperty(name="Selected vertices only"),
    "bones": EnumProperty(name="Bones", items=BONES, default="ALL"),
    "bone_collection": StringProperty(name="Collection", description="Name of a collection of bones"),
    "doubts": BoolProperty(name="Mark doubts", description="Mark doubtful vertices in a vertex group and a color attribute"),
}


class HeterSkinDoubt(bpy.types.PropertyGroup):
    """A bone that the last bind doubts."""

    armature: StringProperty()
    bone: StringProperty()
    reason: StringProperty()


class HeterSkinSettings(bpy.types.PropertyGroup):
    __annotations__ = {
        **BIND_OPTIONS,
        "like": PointerProperty(name="Like", type=bpy.types.Collection, description="Bind in the style of the rigged meshes in this collection"),
        "doubtful": CollectionProperty(type=HeterSkinDoubt),
    }


def targets(context):
    """Returns the selected meshes by armature; a mesh without an armature uses the active one."""
    active = context.active_object
    fallback = active if active and active.type == "ARMATURE" else None
    others = [each for each in context.selected_objects if each.type == "ARMATURE"]
    found = {}
    for mesh in context.selected_objects:
        if mesh.type != "MESH":
            continue
        armature = fallback or character.armature_of(mesh) or (others[0] if len(others) == 1 else None)
        if armature is None:
            raise WorkerError(f'"{mesh.name}" has no armature; select one last, or add an Armature modifier.')
        found.setdefault(armature, []).append(mesh)
    if not found:
        raise WorkerError("Select one or more meshes, and their armature last.")
    meshes = [mesh for some in found.values() for mesh in some]
    check_apart(meshes)
    character.check_writable(meshes)
    return found


def check_apart(meshes):
    """Raises WorkerError if two meshes share their data, and therefore their vertex groups."""
    if len({mesh.data for mesh in meshes}) < len(meshes):
        raise WorkerError("Two of the selected meshes share their data; make them single-user first.")


def scene_of(target, weights_of):
    """Returns a function that reads the current mesh, skeleton and optionally weights of a target."""

    def of_scene():
        meshes, bones = target.meshes, target.bones
        fields = {"mesh": character.mesh_of(meshes), "skeleton": character.skeleton_of(target.armature, bones)}
        return {**fields, "weights": weights_of(meshes, bones)} if weights_of else fields

    return of_scene


def weighted_targets(context, purpose):
    """Yields a target and the function that writes a result to it, for each armature; raises WorkerError without weights."""
    for armature, meshes in targets(context).items():
        bones = character.deform_bones(armature)
        if character.weights_of(meshes, bones) is None:
            raise WorkerError(f'"{meshes[0].name}" has no weights to {purpose}; bind it first.')
        target = character.BindTarget(meshes, armature, bones)

        def write(result, target=target):
            character.write_weights(
                target.meshes, target.bones, result["influences"], unpack(result["joints"]), unpack(result["weights"])
            )

        yield target, meshes[0].name, write


def chosen_names(settings, armature):
    """Returns the names of the bones whose weights are written, or None for all."""
    if settings.bones == "SELECTED":
        return {bone.name for bone in character.selected_bones(armature)}
    if settings.bones == "COLLECTION":
        return {bone.name for bone in character.collection_bones(armature, settings.bone_collection)}
    return None


def likes(settings, collection, meshes):
    """Returns the examples for the worker, without the meshes that are to be bound."""
    sent = character.examples_of(collection.all_objects, meshes) if collection else []
    if collection and not sent:
        raise WorkerError(f'The collection "{collection.name}" has no other rigged meshes with weights to learn from.')
    path = bpy.path.abspath(settings.like_path)
    return sent + ([{"file": path}] if path else [])


class _Job:
    """One request of an operator: what it reads from the scene, and what it does with the answer."""

    def __init__(self, what, name, of_scene, finish, **more):
        self.what = what
        self.name = name
        self.of_scene = of_scene
        self.asked = of_scene()
        self.request = {"name": name, **self.asked, **more}
        self.finish = finish

    def check(self):
        """Raises WorkerError if the scene has changed since the request."""
        if self.of_scene() != self.asked:
            raise WorkerError(character.CHANGED.format(self.name))


def has_meshes(cls, context):
    """Whether meshes are selected in a mode whose edits are in the object's data."""
    meshes = [each for each in context.selected_objects if each.type == "MESH"]
    if not meshes:
        cls.poll_message_set("Select one or more meshes, and their armature last.")
    return bool(meshes)


class _WorkerOperator:
    """Sends requests one by one and waits: modal with a progress bar, blocking for scripts."""

    @classmethod
    def poll(cls, context):
        return has_meshes(cls, context)

    def execute(self, context):
        try:
            jobs = self.prepare(context)
            warm = worker()
            finish(jobs, [warm.wait(warm.send(job.what, **job.request)) for job in jobs])
        except WorkerError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def invoke(self, context, _event):
        return self.execute(context) if bpy.app.background else self.start(context)

    def start(self, context):
        try:
            self.jobs = self.prepare(context)
            # Keep this worker to the end, even if the preferences change in the meantime.
            self.worker = worker()
            self.results = []
            self.begin()
        except WorkerError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        manager = context.window_manager
        manager.progress_begin(0, 100)
        self.timer = manager.event_timer_add(0.05, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def begin(self):
        job = self.jobs[len(self.results)]
        self.job = self.worker.send(job.what, **job.request)

    def modal(self, context, event):
        if event.type == "ESC":
            self.cancel(context)
            self.report({"INFO"}, "Cancelled; the weights are unchanged.")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            if not self.is_done(context):
                return {"RUNNING_MODAL"}
            # Write everything at the end, so that a failure leaves the scene unchanged.
            finish(self.jobs, self.results)
        except WorkerError as error:
            self.end(context)
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        except BaseException:
            self.end(context)
            raise
        self.end(context)
        return {"FINISHED"}

    def is_done(self, context):
        """Processes the answers that have arrived; returns whether all jobs are done."""
        while len(self.results) < len(self.jobs):
            answer = self.worker.poll(self.job)
            if answer is None:
                return False
            if "progress" in answer:
                percent = round(100 * answer["progress"]["fraction"])
                context.window_manager.progress_update(percent)
                context.workspace.status_text_set(f'HeterSkin: {answer["progress"]["stage"]} {percent} % (Esc cancels)')
            if "error" in answer:
                raise WorkerError(answer["error"]["message"])
            if "result" in answer:
                self.results.append(answer["result"])
                if len(self.results) < len(self.jobs):
                    self.begin()
        return True

    def cancel(self, context):
        """Also called by Blender when the window is closed or another file is opened."""
        self.worker.cancel(self.job)
        self.end(context)

    def end(self, context):
        context.window_manager.progress_end()
        context.window_manager.event_timer_remove(self.timer)
        if context.workspace:
            context.workspace.status_text_set(None)


def finish(jobs, results):
    """Writes the results of all jobs, or none."""
    for job in jobs:
        job.check()
    for job, result in zip(jobs, results):
        job.finish(result)


class OBJECT_OT_heterskin_bind(_WorkerOperator, bpy.types.Operator):
    """Compute weights of the selected meshes for the deform bones of their armature"""

    bl_idname = "object.heterskin_bind"
    bl_label = "Armature Deform with HeterSkin Weights"
    bl_options = {"REGISTER", "UNDO"}
    __annotations__ = dict(BIND_OPTIONS)

    def draw(self, _context):
        self.layout.use_property_split = True
        for name in BIND_OPTIONS:
            self.layout.prop(self, name)

    def prepare(self, context):
        settings = self
        # What a script or the redo panel does not set comes from the scene's panel.
        for name in BIND_OPTIONS:
            if not self.properties.is_property_set(name):
                setattr(self, name, getattr(context.scene.heterskin, name))
        context.scene.heterskin.doubtful.clear()
        jobs = []
        for armature, meshes in targets(context).items():
            bones = character.deform_bones(armature)
            chosen = chosen_names(settings, armature)
            locks = character.locked_names(meshes, bones)
            options = {
                "method": settings.method,
                "maxInfluences": settings.influences,
                "smooth": settings.smooth,
                "rigidIslands": settings.rigid,
                "lock": locks,
                # The armature states which bones deform.
                "allJoints": True,
            }
            if settings.mirror != "none":
                options["mirror"] = settings.mirror
            target = character.BindTarget(meshes, armature, bones)
            more = {"options": options}
            existing = None
            if settings.keep and character.weights_of(meshes, bones) is not None:
                existing = character.weights_of
                options["keepExisting"] = True
            elif locks:
                existing = partial(character.locked_rows, locks=locks)
            examples = likes(settings, context.scene.heterskin.like, meshes)
            if examples:
                more["like"] = examples
            only = character.selected_vertices(meshes) if settings.selected_vertices else None
            finish_one = self.finisher(target, only, chosen, settings.doubts)
            jobs.append(_Job("bind", meshes[0].name, scene_of(target, existing), finish_one, **more))
        return jobs

    def finisher(self, target, only, chosen, doubts):
        def finish_one(result):
            meshes, bones = target.meshes, target.bones
            character.bind_to(meshes, target.armature)
            character.write_weights(
                meshes, bones, result["influences"], unpack(result["joints"]), unpack(result["weights"]), only, chosen
            )
            if doubts:
                character.mark_doubts(meshes, unpack(result["doubts"]["vertices"]))
            for doubt in result["doubts"]["bones"]:
                entry = bpy.context.scene.heterskin.doubtful.add()
                entry.armature, entry.bone, entry.reason = target.armature.name, doubt["bone"], doubt["reason"]
            for warning in result["warnings"]:
                self.report({"INFO"}, warning)
            for finding in result["doubts"]["findings"]:
                self.report({"WARNING"}, finding["text"])

        return finish_one


class OBJECT_OT_heterskin_refine(_WorkerOperator, bpy.types.Operator):
    """Remove weight from bones that are far from a vertex inside the body"""

    bl_idname = "object.heterskin_refine"
    bl_label = "Refine Weights"
    bl_options = {"REGISTER", "UNDO"}

    def prepare(self, context):
        return [
            _Job("refine", name, scene_of(target, character.weights_of), write)
            for target, name, write in weighted_targets(context, "refine")
        ]


class OBJECT_OT_heterskin_fix(_WorkerOperator, bpy.types.Operator):
    """Check the weights in extreme poses, and fix what detaches, tears or stands still"""

    bl_idname = "object.heterskin_fix"
    bl_label = "Check Poses and Fix Weights"
    bl_options = {"REGISTER", "UNDO"}

    def prepare(self, context):
        return [
            _Job("fix", name, scene_of(target, character.weights_of), self.finisher(write))
            for target, name, write in weighted_targets(context, "fix")
        ]

    def finisher(self, write):
        def finish_one(result):
            if result["fixed"] > 0:
                write(result)
            for finding in result["findings"]:
                self.report({"INFO"}, finding["text"])
            found = len(result["findings"])
            text = f"{found} found, {result['fixed']} fixed, {result['left']} left" if found else "Nothing detaches, tears or stands still"
            self.report({"INFO"}, text)

        return finish_one


class OBJECT_OT_heterskin_repair(bpy.types.Operator):
    """Repair the weights of the selected vertices; all others are held"""

    bl_idname = "object.heterskin_repair"
    bl_label = "Repair Weights of Selected Vertices"
    bl_options = {"REGISTER", "UNDO"}

    mode: EnumProperty(
        name="Repair",
        items=[
            ("SMOOTH", "Smooth", "Average each vertex with its neighbors"),
            ("HAMMER", "Hammer", "Replace the weights by those around the selection, from its border inward"),
        ],
        default="SMOOTH",
    )
    steps: IntProperty(name="Steps", description="Smoothing iterations", default=3, min=1, max=100)
    influences: IntProperty(name="Influences", description="Maximum influences per vertex", default=4, min=1, max=8)

    @classmethod
    def poll(cls, context):
        return has_meshes(cls, context)

    def execute(self, context):
        try:
            for armature, meshes in targets(context).items():
                bones = character.deform_bones(armature)
                names = {bone.name for bone in bones}
                for mesh, selected in zip(meshes, character.selected_vertices(meshes)):
                    if self.mode == "SMOOTH":
                        rows = repair.smoothed(mesh, names, selected, self.steps)
                    else:
                        rows = repair.hammered(mesh, names, selected)
                    repair.write(mesh, bones, {index: row for index, row in rows.items() if row}, self.influences)
        except WorkerError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class POSE_OT_heterskin_select(bpy.types.Operator):
    """Select a bone that the last bind doubts, to look at its weights"""

    bl_idname = "pose.heterskin_select"
    bl_label = "Select"
    bl_options = {"REGISTER", "UNDO"}

    armature: StringProperty()
    bone: StringProperty()

    def execute(self, _context):
        armature = bpy.data.objects.get(self.armature)
        if armature is None or self.bone not in armature.data.bones:
            self.report({"ERROR"}, f'The bone "{self.bone}" is gone; bind again.')
            return {"CANCELLED"}
        character.select_bone(armature, self.bone)
        return {"FINISHED"}


class OBJECT_OT_heterskin_transfer(_WorkerOperator, bpy.types.Operator):
    """Transfer weights from the active mesh to the other selected meshes"""

    bl_idname = "object.heterskin_transfer"
    bl_label = "Transfer Weights from Active"
    bl_options = {"REGISTER", "UNDO"}

    def prepare(self, context):
        source = context.active_object
        others = [mesh for mesh in context.selected_objects if mesh.type == "MESH" and mesh != source]
        if not source or source.type != "MESH" or not others:
            raise WorkerError("Select the target meshes first, and the mesh with the weights last.")
        armature = character.armature_of(source)
        if armature is None:
            raise WorkerError(f'"{source.name}" has no armature.')
        bones = character.deform_bones(armature)
        if character.weights_of([source], bones) is None:
            raise WorkerError(f'"{source.name}" has no weights to transfer; bind it first.')
        check_apart([source, *others])
        character.check_writable(others)
        options = {"maxInfluences": context.scene.heterskin.influences}
        body = scene_of(character.BindTarget([source], armature, bones), character.weights_of)

        def job(mesh):
            target = character.BindTarget([mesh], armature, bones)

            def of_scene():
                return {"from": body(), "mesh": character.mesh_of(target.meshes)}

            def finish_one(result):
                character.bind_to(target.meshes, target.armature)
                character.write_weights(
                    target.meshes, target.bones, result["influences"], unpack(result["joints"]), unpack(result["weights"])
                )

            return _Job("transfer", mesh.name, of_scene, finish_one, options=options)

        return [job(mesh) for mesh in others]


# More bones than this make the panel long.
SHOWN_DOUBTS = 8


class VIEW3D_PT_heterskin(bpy.types.Panel):
    bl_label = "HeterSkin"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "HeterSkin"

    def draw(self, context):
        settings = context.scene.heterskin
        layout = self.layout
        layout.use_property_split = True
        for name in ("like", *BIND_OPTIONS):
            if name != "bone_collection" or settings.bones == "COLLECTION":
                layout.prop(settings, name)
        layout.label(text="Locked vertex groups keep their weights.", icon="LOCKED")
        layout.operator(OBJECT_OT_heterskin_bind.bl_idname, icon="MOD_ARMATURE", text="Bind")
        layout.operator(OBJECT_OT_heterskin_refine.bl_idname)
        layout.operator(OBJECT_OT_heterskin_fix.bl_idname)
        layout.operator(OBJECT_OT_heterskin_transfer.bl_idname)
        row = layout.row(align=True)
        for mode, name in (("SMOOTH", "Smooth selected"), ("HAMMER", "Hammer selected")):
            row.operator(OBJECT_OT_heterskin_repair.bl_idname, text=name).mode = mode
        if settings.doubtful:
            layout.label(text=f"{len(settings.doubtful)} doubtful bones", icon="ERROR")
        for entry in settings.doubtful[:SHOWN_DOUBTS]:
            button = layout.operator(POSE_OT_heterskin_select.bl_idname, text=f"{entry.bone}: {entry.reason}", icon="BONE_DATA")
            button.armature, button.bone = entry.armature, entry.bone


def draw_paint_menu(self, _context):
    """Entries of the Weight Paint menu: what an artist repeats there."""
    self.layout.separator()
    self.layout.operator_context = "INVOKE_DEFAULT"
    again = self.layout.operator(OBJECT_OT_heterskin_bind.bl_idname, text="HeterSkin: Solve Selected Vertices")
    again.selected_vertices = True
    again = self.layout.operator(OBJECT_OT_heterskin_bind.bl_idname, text="HeterSkin: Solve Selected Bones")
    again.bones = "SELECTED"
    for mode, name in (("SMOOTH", "Smooth"), ("HAMMER", "Hammer")):
        entry = self.layout.operator(OBJECT_OT_heterskin_repair.bl_idname, text=f"HeterSkin: {name} Selected Vertices")
        entry.mode = mode
    self.layout.operator(OBJECT_OT_heterskin_refine.bl_idname, text="HeterSkin: Refine Weights")
    self.layout.operator(OBJECT_OT_heterskin_fix.bl_idname, text="HeterSkin: Check Poses and Fix Weights")


def draw_menu(self, _context):
    self.layout.separator()
    # Run with a progress bar and Esc, whatever context the entries above use.
    self.layout.operator_context = "INVOKE_DEFAULT"
    self.layout.operator(OBJECT_OT_heterskin_bind.bl_idname)


CLASSES = (
    HeterSkinPreferences,
    HeterSkinDoubt,
    HeterSkinSettings,
    OBJECT_OT_heterskin_bind,
    OBJECT_OT_heterskin_refine,
    OBJECT_OT_heterskin_fix,
    OBJECT_OT_heterskin_transfer,
    OBJECT_OT_heterskin_repair,
    POSE_OT_heterskin_select,
    VIEW3D_PT_heterskin,
)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Scene.heterskin = PointerProperty(type=HeterSkinSettings)
    bpy.types.VIEW3D_MT_object_parent.append(draw_menu)
    bpy.types.VIEW3D_MT_paint_weight.append(draw_paint_menu)
    # A busy process would notice late, or never, that Blender has exited.
    atexit.register(stop_worker)


def unregister():
    bpy.types.VIEW3D_MT_object_parent.remove(draw_menu)
    bpy.types.VIEW3D_MT_paint_weight.remove(draw_paint_menu)
    del bpy.types.Scene.heterskin
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
    atexit.unregister(stop_worker)
    stop_worker()
