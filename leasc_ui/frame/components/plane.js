// The plane of the tour: points, discs, lines, arrows and regions in one SVG, with picking, hovering and dragging.
// Colours are CSS variables of the page, so light and dark need nothing here. y points up.

const SVG = "http://www.w3.org/2000/svg"
const UNITS = 640 // the width of the drawing in its own units
const NEAR = 16 // a click so many units from a point is a click on it
// A shape goes with every colour, so that a group is never told by its colour alone.
const SHAPES = [
  "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0", "M-2.7-2.7h5.4v5.4h-5.4z", "M0-3.7L3.7 0L0 3.7L-3.7 0z", "M0-3.4L3.3 2.5H-3.3z",
  "M0 3.4L3.3-2.5H-3.3z", "M3.4 0L-2.5 3.3V-3.3z", "M-3.4 0L2.5 3.3V-3.3z", "M-3.4-1h2.4v-2.4h2v2.4h2.4v2h-2.4v2.4h-2v-2.4h-2.4z",
]

function node(tag, attributes = {}, parent = null, text = null) {
  const made = document.createElementNS(tag[0] === "<" ? "http://www.w3.org/1999/xhtml" : SVG, tag.replace("<", ""))
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  if (text !== null) made.textContent = text
  parent?.appendChild(made)
  return made
}

// The colour class of a group: -1 belongs to none.
const hue = group => (group < 0 ? "nobody" : `group${group % 8}`)

class Plane {
  // box: [left, right, bottom, top] in the data's own coordinates.
  constructor(parent, box, alt) {
    this.box = box
    this.scale = UNITS / (box[1] - box[0])
    this.height = this.scale * (box[3] - box[2])
    this.svg = node("svg", { viewBox: `0 0 ${UNITS} ${this.height}`, role: "img", class: "plane", tabindex: 0 }, parent)
    this.title = node("title", {}, this.svg)
    this.describe(alt)
    const [x, y] = this.at(0, 0)
    node("path", { class: "axes", d: `M0 ${y}H${UNITS}M${x} 0V${this.height}` }, this.svg)
    this.layers = {}
    const head = node("marker", { id: "tour-head", viewBox: "0 0 10 10", refX: 17, refY: 5, markerWidth: 15, markerHeight: 13,
                                  markerUnits: "userSpaceOnUse", orient: "auto" }, node("defs", {}, this.svg))
    node("path", { d: "M0 0L10 5L0 10z", fill: "context-stroke" }, head)
    for (const name of ["regions", "discs", "lines", "points", "arrows", "marks"]) this.layers[name] = node("g", { class: name }, this.svg)
    this.spots = []
  }

  describe(alt) {
    this.title.textContent = alt
    this.svg.setAttribute("aria-label", alt)
  }

  at(x, y) { return [(x - this.box[0]) * this.scale, (this.box[3] - y) * this.scale] }

  place(event) {
    const frame = this.svg.getBoundingClientRect()
    const unit = UNITS / frame.width
    return [this.box[0] + ((event.clientX - frame.left) * unit) / this.scale,
            this.box[3] - ((event.clientY - frame.top) * unit) / this.scale]
  }

  // So many children of a layer, made or removed as needed.
  fill(layer, tag, count) {
    const parent = this.layers[layer]
    while (parent.children.length > count) parent.lastChild.remove()
    while (parent.children.length < count) node(tag, {}, parent)
    return parent.children
  }

  // spots: [[x, y], …]; groups: a number each; style(i): more classes of point i.
  points(spots, groups, style = () => "") {
    this.spots = spots
    const drawn = this.fill("points", "path", spots.length)
    spots.forEach(([x, y], i) => {
      const [u, v] = this.at(x, y)
      set(drawn[i], "d", SHAPES[Math.max(groups[i], 0) % 8])
      const looks = style(i)
      set(drawn[i], "transform", `translate(${u.toFixed(1)} ${v.toFixed(1)})${looks.includes("chosen") ? " scale(1.9)" : ""}`)
      set(drawn[i], "class", `${hue(groups[i])} ${looks}`)
    })
  }

  // [[x, y, radius, group], …]
  discs(discs) {
    const drawn = this.fill("discs", "circle", discs.length)
    discs.forEach(([x, y, radius, group = -1], i) => {
      const [u, v] = this.at(x, y)
      for (const [name, value] of [["cx", u], ["cy", v], ["r", radius * this.scale]]) set(drawn[i], name, value.toFixed(1))
      set(drawn[i], "class", hue(group))
    })
  }

  // [[x, y, x, y, group], …]
  lines(lines) {
    const drawn = this.fill("lines", "path", lines.length)
    lines.forEach(([a, b, c, d, group = -1], i) => {
      set(drawn[i], "d", `M${this.at(a, b).map(short)}L${this.at(c, d).map(short)}`)
      set(drawn[i], "class", hue(group))
    })
  }

  // [[x, y, x, y, width 0…1, sign], …]: from what helps to what is helped.
  arrows(arrows) {
    const drawn = this.fill("arrows", "path", arrows.length)
    arrows.forEach(([a, b, c, d, width, sign = 1], i) => {
      set(drawn[i], "d", this.arrow(...this.at(a, b), ...this.at(c, d)))
      set(drawn[i], "stroke-width", (0.6 + 9 * width).toFixed(2))
      set(drawn[i], "class", sign < 0 ? "negative" : "positive")
    })
  }

  // Slightly bent, so that arrows along one line stay apart.
  arrow(a, b, c, d) {
    const [x, y] = [(a + c) / 2 - 0.12 * (d - b), (b + d) / 2 + 0.12 * (c - a)]
    return `M${short(a)} ${short(b)}Q${short(x)} ${short(y)} ${short(c)} ${short(d)}`
  }

  // rows of group numbers, top row first, that cover the box: drawn as runs of one colour.
  regions(rows) {
    const [w, h] = [UNITS / (rows[0]?.length || 1), this.height / (rows.length || 1)]
    const runs = rows.flatMap((row, j) => {
      const found = []
      for (let i = 0, start = 0; i < row.length; i++) {
        if (row[i + 1] !== row[i]) { found.push([start, j, i + 1 - start, row[i]]); start = i + 1 }
      }
      return found
    })
    const drawn = this.fill("regions", "rect", runs.length)
    runs.forEach(([i, j, length, group], k) => {
      for (const [name, value] of [["x", i * w], ["y", j * h], ["width", length * w], ["height", h]]) set(drawn[k], name, value.toFixed(2))
      set(drawn[k], "class", hue(group))
    })
  }

  // A ring around each of these places: [[x, y, radius in units, class], …]
  marks(marks) {
    const drawn = this.fill("marks", "circle", marks.length)
    marks.forEach(([x, y, radius = 9, kind = ""], i) => {
      const [u, v] = this.at(x, y)
      for (const [name, value] of [["cx", u], ["cy", v], ["r", radius]]) set(drawn[i], name, value.toFixed(1))
      set(drawn[i], "class", kind)
    })
  }

  // The point nearest to a place and its distance in units of the drawing.
  nearest([x, y], among = null) {
    let best = -1, least = Infinity
    this.spots.forEach(([a, b], i) => {
      const far = Math.hypot(a - x, b - y) * this.scale
      if (far < least && (among === null || among(i))) { best = i; least = far }
    })
    return [best, least]
  }

  // A click picks a point. On the focused plane arrow keys walk from point to point, which picks them too unless ``walk`` is
  // given; then Enter does.
  onPick(pick, { among = null, now = () => -1, walk = pick } = {}) {
    this.svg.classList.add("pickable")
    this.svg.addEventListener("click", event => {
      const [i, far] = this.nearest(this.place(event), among)
      if (far < NEAR) pick(i)
    })
    this.svg.addEventListener("keydown", event => {
      const way = wayOf(event)
      if (way === null && event.key === "Enter" && now() >= 0) pick(now())
      if (way === null) return
      const from = this.spots[now()] ?? [0, 0]
      let best = -1, least = Infinity
      this.spots.forEach(([x, y], i) => {
        const [along, aside] = [(x - from[0]) * way[0] + (y - from[1]) * way[1], (x - from[0]) * way[1] - (y - from[1]) * way[0]]
        const cost = along + 3 * Math.abs(aside)
        if (along > 1e-9 && cost < least && (among === null || among(i))) { best = i; least = cost }
      })
      if (best >= 0) walk(best)
    })
  }

  onHover(move, leave = () => {}) {
    this.svg.addEventListener("pointermove", event => move(this.place(event)))
    this.svg.addEventListener("pointerdown", event => move(this.place(event)))
    this.svg.addEventListener("pointerleave", leave)
  }
}

// The direction of an arrow key, which then means nothing else on the page; null for other keys.
function wayOf(event) {
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? null
  if (way) { event.preventDefault(); event.stopPropagation() }
  return way
}

// The sign of a group in a sentence, as it is in the drawing.
function symbol(group) {
  const svg = node("svg", { viewBox: "-5 -5 10 10", class: "inline", role: "img", "aria-label": `number ${group + 1}` })
  node("path", { d: SHAPES[group % 8], class: hue(group) }, svg)
  return svg
}

const bold = text => node("<b", {}, null, text)

const short = value => value.toFixed(1)

function set(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value)
}

// What the browser and the server both may change: the browser's word holds until the server has answered to it.
// It carries a number, so that saying it again is news; a server that was interrupted may have missed it.
class Shared {
  constructor() { this.values = {}; this.waiting = {}; this.said = 0 }

  // From the server; what the visitor has changed since is not taken back but said again.
  take(values) {
    for (const [name, value] of Object.entries(values)) {
      const open = this.waiting[name]
      if (open && open.value !== value && open.tries < TRIES) {
        open.timer ??= setTimeout(() => this.tell(name), 600)
        continue
      }
      clearTimeout(open?.timer)
      delete this.waiting[name]
      this.values[name] = value
    }
  }

  // From the visitor; told to the server once it rests for a moment, or while ``steady`` every moment.
  say(component, name, value, { rest = 150, steady = false } = {}) {
    this.values[name] = value
    const old = this.waiting[name]
    if (!steady || !old?.sooner) clearTimeout(old?.timer)
    const timer = steady && old?.sooner ? old.timer : setTimeout(() => this.tell(name), rest)
    this.waiting[name] = { component, value, timer, sooner: true, tries: 0 }
  }

  tell(name) {
    const open = this.waiting[name]
    if (!open) return
    Object.assign(open, { timer: null, sooner: false, tries: open.tries + 1 })
    open.component.setStateValue(name, `${open.value}#${++this.said}`)
  }
}
const TRIES = 5

// Bytes of an array that came as base64: read(text, Float32Array).
const read = (text, kind) => new kind(Uint8Array.from(atob(text), each => each.charCodeAt(0)).buffer)

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches

// One act a mounted component: act(component) builds it and gives back what takes new data.
const mounted = new WeakMap()
function mount(component, act) {
  const parent = component.parentElement
  if (!mounted.has(parent)) mounted.set(parent, act(node("<div", { class: "tour" }, parent)))
  mounted.get(parent)(component)
}
