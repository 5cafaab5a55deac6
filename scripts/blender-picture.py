"""Draws the picture of docs/blender.md: a posed sample by Automatic Weights and by HeterSkin, side by side.

    blender -b --factory-startup --python scripts/blender-picture.py -- SAMPLE.glb ADD_ON.zip OUT.png
"""

import colorsys
import math
import sys

import bpy
import numpy
from mathutils import Euler, Vector

if "bool" not in vars(numpy):
    numpy.bool = bool

SOURCE, ADD_ON, OUT = sys.argv[sys.argv.index("--") + 1 :]
# Rotation of these joints in the picture, in degrees.
POSE = {
    "spine": (0, 0, 15),
    "head": (0, 12, 20),
    "upperArm.L": (0, -65, 0),
    "lowerArm.L": (0, -50, 0),
    "upperArm.R": (0, -25, 0),
    "lowerArm.R": (0, 0, -70),
}


def add_character(offset, bind):
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=SOURCE, merge_vertices=True)
    new = [each for each in bpy.data.objects if each not in before]
    armature = next(each for each in new if each.type == "ARMATURE")
    mesh = next(each for each in new if each.type == "MESH" and each.find_armature() == armature)
    for stray in new:
        if stray not in (armature, mesh):
            bpy.data.objects.remove(stray)
    mesh.parent = None
    mesh.modifiers.clear()
    mesh.vertex_groups.clear()
    bpy.ops.object.select_all(action="DESELECT")
    mesh.select_set(True)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bind()
    paint(mesh, [bone.name for bone in armature.data.bones])
    pose(armature)
    armature.location.x += offset
    armature.hide_render = True
    return mesh


def paint(mesh, bones):
    """Colors every vertex by the mean color of its bones, or black if no bone moves it."""
    colours = [
        colorsys.hsv_to_rgb((bones.index(group.name) * 0.381966) % 1, 0.75, 0.8) if group.name in bones else (0, 0, 0)
        for group in mesh.vertex_groups
    ]
    data = mesh.data.color_attributes.new(name="bones", type="FLOAT_COLOR", domain="POINT")
    for vertex in mesh.data.vertices:
        total = sum(entry.weight for entry in vertex.groups)
        mixed = [
            sum(entry.weight * colours[entry.group][axis] for entry in vertex.groups) / total if total else 0
            for axis in range(3)
        ]
        data.data[vertex.index].color = (*mixed, 1)
    material = bpy.data.materials.new("bones")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    attribute = nodes.new("ShaderNodeVertexColor")
    attribute.layer_name = "bones"
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = 0.7
    links.new(attribute.outputs["Color"], shader.inputs["Base Color"])
    mesh.data.materials.clear()
    mesh.data.materials.append(material)
    for polygon in mesh.data.polygons:
        polygon.use_smooth = True


def pose(armature):
    for bone in armature.pose.bones:
        angles = POSE.get(bone.name)
        if angles:
            # About the axes of the world, not those of the bone.
            turn = Euler([math.radians(angle) for angle in angles]).to_quaternion()
            rest = bone.bone.matrix_local.to_quaternion()
            bone.rotation_mode = "QUATERNION"
            bone.rotation_quaternion = rest.inverted() @ turn @ rest


def scene(meshes):
    bpy.context.view_layer.update()
    corners = [mesh.matrix_world @ Vector(corner) for mesh in meshes for corner in mesh.bound_box]
    low = Vector([min(c[axis] for c in corners) for axis in range(3)])
    high = Vector([max(c[axis] for c in corners) for axis in range(3)])
    centre = (low + high) / 2
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.type = "ORTHO"
    camera.data.ortho_scale = 1.12 * max(high.x - low.x, (high.z - low.z) * 1.6)
    direction = Vector((0, -1, 0.12)).normalized()
    camera.location = centre + direction * 10 * (high - low).length
    camera.rotation_euler = (-direction).to_track_quat("-Z", "Y").to_euler()
    camera.data.clip_end = 1000 * (high - low).length
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy = 1.6
    sun.rotation_euler = (0.7, 0.25, 0.5)
    for each in (camera, sun):
        bpy.context.collection.objects.link(each)
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (1, 1, 1, 1)
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.4
    settings = bpy.context.scene
    settings.world = world
    settings.camera = camera
    settings.render.engine = "CYCLES"
    settings.cycles.samples = 48
    settings.cycles.use_denoising = False
    settings.render.resolution_x, settings.render.resolution_y = 960, 600
    settings.render.film_transparent = True
    settings.view_settings.view_transform = "Standard"
    settings.render.image_settings.file_format = "PNG"
    settings.render.filepath = OUT


def by_blender():
    try:
        bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    except RuntimeError as error:
        print(error)


bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.preferences.addon_install(filepath=ADD_ON, overwrite=True)
bpy.ops.preferences.addon_enable(module="heterskin")
left = add_character(0, by_blender)
width = 1.25 * left.dimensions.x
right = add_character(width, bpy.ops.object.heterskin_bind)
scene([left, right])
bpy.ops.render.render(write_still=True)
