"""Layers that several maps share: a picture stretched over the plane, and the corner that makes the axes reach it."""


def only(kind):
    """Of a table of several kinds of marks, those of one."""
    return {"filter": f"datum.kind === '{kind}'"}


def image_layer(place):
    """The picture, stretched from its upper left to its lower right corner."""
    mark = {"type": "image", "aspect": False, "smooth": False, "align": "left", "baseline": "top"}
    corner = {
        "width": {"expr": "scale('x', datum.x2) - scale('x', datum.x)"},
        "height": {"expr": "scale('y', datum.y2) - scale('y', datum.y)"},
    }
    return {"transform": [only("image")], "mark": {**mark, **corner}, "encoding": {**place, "url": {"field": "url"}}}


def corner_layer(place):
    """Nothing to see: the far corner of the picture, so that the axes reach it."""
    return {"transform": [only("corner")], "mark": {"type": "point", "opacity": 0}, "encoding": place}
