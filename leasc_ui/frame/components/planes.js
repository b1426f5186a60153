// Planes side by side, each with a title: whatever the server sends is drawn, and a point that is picked is told.

export default function (component) {
  mount(component, parent => {
    const row = node("<div", { class: "planes" }, parent)
    const shared = new Shared()
    let planes = [], latest = component
    const build = panes => {
      row.replaceChildren()
      planes = panes.map(pane => {
        const figure = node("<figure", {}, row)
        const caption = node("<figcaption", {}, figure)
        const plane = new Plane(figure, pane.box, pane.alt)
        if (pane.pick) plane.onPick(i => shared.say(latest, "point", i, { rest: 0 }), { now: () => shared.values.point ?? -1 })
        return { plane, caption }
      })
    }
    return now => {
      latest = now
      const { panes, point } = now.data
      shared.take({ point })
      const shape = JSON.stringify(panes.map(pane => [pane.box, pane.pick]))
      if (row.dataset.shape !== shape) { build(panes); row.dataset.shape = shape }
      panes.forEach((pane, i) => {
        const { plane, caption } = planes[i]
        caption.textContent = pane.title
        plane.describe(pane.alt)
        const styles = pane.styles
        plane.points(pane.points, pane.groups, styles ? k => styles[k] : undefined)
        for (const layer of ["discs", "lines", "arrows", "regions", "marks"]) plane[layer](pane[layer] ?? [])
      })
    }
  })
}
