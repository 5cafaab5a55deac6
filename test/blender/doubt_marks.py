"""Cases of the marks on doubtful vertices."""

import bpy
import heterskin
from scene import SMALL, bind, build, case, check, make_mesh, three

GROUP = heterskin.character.DOUBT_GROUP
COLORS = heterskin.character.DOUBT_COLORS


def mark(mesh, doubtful):
    count = len(mesh.data.vertices)
    heterskin.character.mark_doubts([mesh], [index in doubtful for index in range(count)])


def marked(mesh):
    """Returns the vertices in the group, and those colored as doubtful."""
    group = mesh.vertex_groups[GROUP].index
    grouped = {v.index for v in mesh.data.vertices if any(entry.group == group for entry in v.groups)}
    colors = mesh.data.color_attributes[COLORS].data
    check(len(colors) == len(mesh.data.vertices), "not one color per vertex")
    return grouped, {index for index, each in enumerate(colors) if each.color[1] < 0.5}


def attribute_names(mesh):
    return [attribute.name for attribute in mesh.data.color_attributes]


@case
def doubts_are_marked_only_if_asked_for():
    mesh, armature, _facts = build(SMALL)
    settings = bpy.context.scene.heterskin
    check(settings.bl_rna.properties["doubts"].default is False, "on by default")
    check(bind([mesh], armature) == {"FINISHED"}, "not finished")
    check(GROUP not in mesh.vertex_groups and not attribute_names(mesh), "marked without being asked")


@case
def doubts_have_a_group_and_colors_which_are_reused():
    check(GROUP != COLORS, "Blender does not allow one name for both")
    mesh, _armature, facts = build(SMALL)
    points = make_mesh("points", three(facts["positions"])[:50], [])
    for each in (mesh, points):
        for doubtful in ({1, 2, 3}, {2, 7}, {4}):
            mark(each, doubtful)
            check(attribute_names(each) == [COLORS], f"color attributes are {attribute_names(each)}")
            check(marked(each) == (doubtful, doubtful), f"marked {marked(each)}, wanted {doubtful}")
            names = [group.name for group in each.vertex_groups if group.name.startswith("HeterSkin")]
            check(names == [GROUP], f"groups are {names}")
        mark(each, set())
        check(GROUP not in each.vertex_groups and not attribute_names(each), "earlier marks stay")


@case
def colors_of_the_artist_stay():
    mesh, _armature, _facts = build(SMALL)
    mesh.data.color_attributes.new(name="paint", type="FLOAT_COLOR", domain="CORNER")
    active = mesh.data.color_attributes.active_color_index
    # A domain that the artist converted holds no color per vertex.
    mesh.data.color_attributes.new(name=COLORS, type="BYTE_COLOR", domain="CORNER")
    mesh.data.color_attributes.active_color_index = active
    mark(mesh, {5})
    check(sorted(attribute_names(mesh)) == sorted(["paint", COLORS]), f"color attributes are {attribute_names(mesh)}")
    check(marked(mesh) == ({5}, {5}), "not marked")
    check(mesh.data.color_attributes.active_color.name == "paint", "the active color changed")


@case
def binding_marks_what_the_solve_doubts():
    mesh, armature, _facts = build(SMALL)
    settings = bpy.context.scene.heterskin
    # Heat diffusion leaves doubts on the sample; the network leaves none.
    settings.doubts = True
    settings.method = "heat"
    try:
        for _ in range(3):
            check(bind([mesh], armature) == {"FINISHED"}, "not finished")
            grouped, colored = marked(mesh)
            check(grouped and grouped == colored, f"marked {grouped} and {colored}")
            check(attribute_names(mesh) == [COLORS], f"color attributes are {attribute_names(mesh)}")
        settings.method = "network"
        check(bind([mesh], armature) == {"FINISHED"}, "not finished")
        check(GROUP not in mesh.vertex_groups and not attribute_names(mesh), "earlier marks stay")
    finally:
        settings.doubts = False
        settings.method = "network"
