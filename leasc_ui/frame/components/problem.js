// Four lines that are dragged to an angle, and beside them the same points in the groups that a method found.

export default function (component) {
  mount(component, parent => {
    const shared = new Shared()
    let latest = component, data = null, planes = null, held = -1, touched = false
    const row = node("<div", { class: "planes" }, parent)

    const bearings = () => data.middles.map((middle, k) => middle + (data.sides[k] * shared.values.angle * Math.PI) / 360)
    const handles = () => bearings().map(angle => [REACH * Math.cos(angle), REACH * Math.sin(angle)])
    const draw = () => {
      const turns = bearings().map(angle => [Math.cos(angle), Math.sin(angle)])
      const spots = data.along.map(([a, b], j) => {
        const [cosine, sine] = turns[data.labels[j]] ?? [1, 0]
        return [a * cosine - b * sine, a * sine + b * cosine]
      })
      const [left, right] = planes
      left.plane.lines(handles().map((end, k) => [0, 0, ...end, k]))
      left.plane.marks(handles().map(end => [...end, 9, "handle"]))
      left.plane.points(spots, data.labels)
      right.plane.points(spots, data.found ?? data.labels.map(() => -1))
      planes.forEach(({ plane, caption }, i) => {
        caption.textContent = data.titles[i]
        plane.describe(`${data.titles[i]}: 800 points, neighbouring lines ${shared.values.angle} degrees apart.`)
      })
    }
    const turn = place => {
      const off = Math.atan2(place[1], place[0]) - data.middles[held]
      const half = Math.abs(Math.atan2(Math.sin(off), Math.cos(off)))
      const angle = Math.max(data.limits[0], Math.min(data.limits[1], Math.round((360 * half) / Math.PI)))
      if (angle === shared.values.angle) return
      shared.say(latest, "angle", angle, { rest: 200, steady: true })
      draw()
    }
    const build = () => {
      planes = data.titles.map(() => {
        const figure = node("<figure", {}, row)
        const caption = node("<figcaption", {}, figure)
        return { caption, plane: new Plane(figure, data.box, "") }
      })
      const { plane } = planes[0]
      plane.svg.addEventListener("pointerdown", event => {
        const at = plane.place(event), far = handles().map(([x, y]) => Math.hypot(x - at[0], y - at[1]))
        held = far.indexOf(Math.min(...far))
        touched = true
        if (far[held] > GRIP) { held = -1; return }
        plane.svg.setPointerCapture(event.pointerId)
        event.preventDefault()
      })
      plane.svg.addEventListener("pointermove", event => { if (held >= 0) turn(plane.place(event)) })
      for (const end of ["pointerup", "pointercancel"]) plane.svg.addEventListener(end, () => { held = -1 })
    }
    // So that it is seen to move: the lines swing out and back once, until a hand takes one.
    const swing = () => {
      const rest = shared.values.angle, begun = performance.now()
      const step = time => {
        const share = Math.min((time - begun) / SWING_MS, 1)
        if (touched || data.angle !== rest || !row.isConnected) return
        shared.values.angle = Math.round(rest + SWING_DEGREES * Math.sin(2 * Math.PI * share) * (1 - share))
        draw()
        if (share < 1) requestAnimationFrame(step)
      }
      requestAnimationFrame(step)
    }
    return now => {
      latest = now
      data = now.data
      shared.take({ angle: data.angle })
      if (planes) return draw()
      build()
      draw()
      if (data.swing && !calm()) setTimeout(swing, SWING_AFTER)
    }
  })
}

const REACH = 3.8 // how far from the origin a line is held
const SWING_MS = 2600, SWING_DEGREES = 14, SWING_AFTER = 700
const GRIP = 0.45 // how near to its handle
