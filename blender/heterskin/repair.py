"""Local repair of weights: rows of the selected vertices from those of their neighbors."""

from . import character


def _neighbors(mesh):
    """Returns the vertices that share an edge with each vertex."""
    found = [[] for _ in mesh.data.vertices]
    for edge in mesh.data.edges:
        a, b = edge.vertices
        found[a].append(b)
        found[b].append(a)
    return found


def _rows(mesh, names):
    """Returns the weights of each vertex on bones, by name."""
    groups = {group.index: group.name for group in mesh.vertex_groups if group.name in names}
    return [
        {groups[entry.group]: entry.weight for entry in vertex.groups if entry.group in groups and entry.weight > 0}
        for vertex in mesh.data.vertices
    ]


def _mean(rows):
    """Returns the mean of rows, with a sum of 1; empty if they are."""
    total = {}
    for row in rows:
        for name, weight in row.items():
            total[name] = total.get(name, 0.0) + weight
    whole = sum(total.values())
    return {name: weight / whole for name, weight in total.items()} if whole > 0 else {}


def smoothed(mesh, names, selected, steps):
    """Averages the rows of selected vertices with their neighbors; the rest is held."""
    rows, near = _rows(mesh, names), _neighbors(mesh)
    for _step in range(steps):
        changed = {index: _mean([rows[index], _mean([rows[other] for other in near[index]])]) for index in selected}
        for index, row in changed.items():
            rows[index] = row or rows[index]
    return {index: rows[index] for index in selected}


def hammered(mesh, names, selected):
    """Replaces the rows of selected vertices by the mean of those around them, from the border inward."""
    rows, near = _rows(mesh, names), _neighbors(mesh)
    open_ = set(selected)
    done = {}
    while open_:
        ring = {}
        for index in open_:
            known = [rows[other] for other in near[index] if other not in open_ and rows[other]]
            if known:
                ring[index] = _mean(known)
        if not ring:
            # A loose part that is selected as a whole has no neighbors to copy.
            break
        for index, row in ring.items():
            rows[index] = done[index] = row
        open_ -= set(ring)
    return done


def write(mesh, bones, rows, influences):
    """Writes rows of some vertices, the largest influences of each, around locked groups."""
    index_of = {bone.name: index for index, bone in enumerate(bones)}
    count = len(mesh.data.vertices)
    joints, values = [0] * (count * influences), [0.0] * (count * influences)
    for vertex, row in rows.items():
        top = sorted(row.items(), key=lambda entry: -entry[1])[:influences]
        total = sum(weight for _, weight in top) or 1.0
        for slot, (name, weight) in enumerate(top):
            joints[vertex * influences + slot] = index_of[name]
            values[vertex * influences + slot] = weight / total
    character.write_weights([mesh], bones, influences, joints, values, only=[sorted(rows)])
