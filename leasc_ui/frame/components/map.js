// The map of a run: tens of thousands of points on a canvas, with zoom, pan, box, lasso, hover, and a legend that isolates.
// What is selected is told as words: box~left~right~bottom~top or lasso~x~y~x~y…; nothing selected is told as nothing.

const PAD = 16
const TOOLS = [["pan", "Pan: drag to move, scroll to zoom"], ["box", "Box: drag a box over points"], ["lasso", "Lasso: draw around points"]]
// Drawn on 16 by 16.
const SIGNS = {
  pan: "M8 1v14M1 8h14M8 1l-2 2M8 1l2 2M8 15l-2-2M8 15l2-2M1 8l2-2M1 8l2 2M15 8l-2-2M15 8l-2 2", box: "M2 3h12v10h-12z",
  lasso: "M8 2.5c4 0 6 1.800 6 4s-2.500 4-6 4s-6-1.800-6-4s2-4 6-4zM5 10.200c-1.500 1-1.500 3 0 3.800", in: "M8 3v10M3 8h10", out: "M3 8h10",
  reset: "M3 8a5 5 0 1 0 1.600-3.700M4.800 1.500v3h3",
}
const MOST_CORNERS = 40
const GLYPHS = "●■◆▲▼▶◀✚"

export default function (component) {
  mount(component, parent => new PointMap(parent).take)
}

class PointMap {
  constructor(parent) {
    this.shared = new Shared()
    this.root = node("<div", { class: "pointmap" }, parent)
    this.bar = node("<div", { class: "tools", role: "toolbar", "aria-label": "Tools of the map" }, this.root)
    this.buttons = Object.fromEntries(TOOLS.map(([name, words]) => [name, this.button(name, words, () => this.hold(name))]))
    this.button("in", "Zoom in", () => this.zoom(0.6))
    this.button("out", "Zoom out", () => this.zoom(1 / 0.6))
    this.button("reset", "Reset: all points, all clusters, nothing selected", () => this.reset())
    this.facts = node("<span", { class: "facts", "aria-live": "polite" }, this.bar)
    this.stage = node("<div", { class: "stage" }, this.root)
    this.canvas = node("<canvas", { role: "img", tabindex: 0 }, this.stage)
    this.over = node("svg", { class: "over" }, this.stage)
    this.across = node("<span", { class: "across" }, this.stage)
    this.upwards = node("<span", { class: "upwards" }, this.stage)
    this.hint = node("<div", { class: "hint" }, this.stage)
    this.legend = node("<div", { class: "keys" }, this.root)
    this.only = new Set()
    this.take = this.take.bind(this)
    this.listen()
    this.hold("box")
    new ResizeObserver(() => this.draw()).observe(this.stage)
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint())
  }

  button(name, words, act) {
    const made = node("<button", { type: "button", title: words, "aria-label": words, "data-tool": name }, this.bar)
    node("path", { d: SIGNS[name] }, node("svg", { viewBox: "0 0 16 16", "aria-hidden": true }, made))
    made.addEventListener("click", act)
    return made
  }

  // Everything the server sends; points are read again only where they have changed.
  take(component) {
    const data = component.data
    this.latest = component
    if (data.places !== this.places) {
      this.places = data.places
      this.x = read(data.places, Float32Array).filter((_, i) => i % 2 === 0)
      this.y = read(data.places, Float32Array).filter((_, i) => i % 2 === 1)
      this.home = this.whole()
      this.view = [...this.home]
    }
    if (data.labels !== this.coded) { this.coded = data.labels; this.label = read(data.labels, Uint16Array) }
    if (data.title !== this.coloured) { this.coloured = data.title; this.only.clear() }
    this.columns = data.columns.map(each => ({ ...each, at: read(each.values, each.names ? Uint16Array : Float32Array) }))
    Object.assign(this, { bySelf: data.by_cluster, names: data.names, sizes: data.sizes, colours: data.colours, rows: read(data.rows, Int32Array) })
    if (data.cleared !== this.cleared) { this.cleared = data.cleared; this.shape = data.opened ? this.shapeOf(data.opened) : null }
    this.lit = data.lit ? read(data.lit, Uint8Array) : null // what was selected in another picture
    this.across.textContent = data.axes[0]
    this.upwards.textContent = data.axes[1]
    this.canvas.setAttribute("aria-label", data.alt)
    this.stage.style.height = `${data.height}px`
    this.paint()
  }

  whole() {
    let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity]
    for (let i = 0; i < this.x.length; i++) {
      left = Math.min(left, this.x[i]); right = Math.max(right, this.x[i])
      low = Math.min(low, this.y[i]); high = Math.max(high, this.y[i])
    }
    const [wide, tall] = [right - left || 1, high - low || 1]
    return [left - 0.03 * wide, right + 0.03 * wide, low - 0.03 * tall, high + 0.03 * tall]
  }

  // Colours of the theme that is on, and a stamp of every class's symbol in its colour.
  paint() {
    const probe = node("<i", {}, this.root)
    this.shades = this.colours.map(shade => { probe.style.color = shade; return getComputedStyle(probe).color })
    probe.style.color = "var(--faint)"
    this.faint = getComputedStyle(probe).color
    probe.style.color = "var(--card)"
    this.paper = getComputedStyle(probe).color
    probe.remove()
    this.count()
    this.keys()
    this.draw()
  }

  shade(label) { return this.shades[label % this.shades.length] }
  symbol(label) { return (label + Math.floor(label / this.colours.length)) % SHAPES.length }

  stamp(label, size, grey) {
    const ratio = devicePixelRatio || 1
    const stamp = document.createElement("canvas")
    stamp.width = stamp.height = Math.ceil((size + 3) * ratio)
    const pen = stamp.getContext("2d")
    pen.scale(ratio, ratio)
    pen.translate((size + 3) / 2, (size + 3) / 2)
    pen.scale(size / 7.4, size / 7.4)
    const path = new Path2D(SHAPES[this.symbol(label)])
    pen.globalAlpha = grey ? 0.35 : 0.85
    pen.fillStyle = grey ? this.faint : this.shade(label)
    pen.fill(path)
    if (size > 5 && !grey) { pen.globalAlpha = 0.8; pen.lineWidth = 0.5; pen.strokeStyle = this.paper; pen.stroke(path) }
    return stamp
  }

  // Where a place of the data lies on the canvas, in CSS pixels, and back.
  at(x, y) {
    const [left, right, low, high] = this.view, { clientWidth: wide, clientHeight: tall } = this.canvas
    return [((x - left) / (right - left)) * wide, tall - ((y - low) / (high - low)) * tall]
  }
  back(px, py) {
    const [left, right, low, high] = this.view, { clientWidth: wide, clientHeight: tall } = this.canvas
    return [left + (px / wide) * (right - left), low + ((tall - py) / tall) * (high - low)]
  }

  draw() {
    if (this.due || !this.x) return
    this.due = requestAnimationFrame(() => { this.due = null; this.drawNow() })
  }

  drawNow() {
    const ratio = devicePixelRatio || 1, { clientWidth: wide, clientHeight: tall } = this.canvas
    if (!wide || !this.shades) return
    const [left, right, low, high] = this.view, [stepX, stepY] = [wide / (right - left), tall / (high - low)]
    Object.assign(this.canvas, { width: wide * ratio, height: tall * ratio })
    const pen = this.canvas.getContext("2d"), n = this.x.length
    const zoomed = Math.sqrt((this.home[1] - this.home[0]) / (this.view[1] - this.view[0]))
    const size = Math.min(11, (n > 20000 ? 3.2 : n > 8000 ? 4 : n > 2500 ? 5 : 7) * Math.min(2.4, Math.max(1, zoomed)))
    const stamps = new Map(), half = ((size + 3) / 2) * ratio
    const dim = this.shape ? this.inside : this.lit
    const pass = front => {
      for (let i = 0; i < n; i++) {
        const shown = this.shows(this.label[i]) && (!dim || dim[i] === 1)
        if (shown !== front || (!this.shows(this.label[i]) && this.only.size)) continue
        const px = (this.x[i] - left) * stepX, py = tall - (this.y[i] - low) * stepY
        if (px < -9 || py < -9 || px > wide + 9 || py > tall + 9) continue
        const key = this.label[i] * 2 + (front ? 0 : 1)
        if (!stamps.has(key)) stamps.set(key, this.stamp(this.label[i], size, !front))
        pen.drawImage(stamps.get(key), Math.round(px * ratio - half), Math.round(py * ratio - half))
      }
    }
    if (dim) pass(false)
    pass(true)
    this.outline()
  }

  shows(label) { return !this.only.size || this.only.has(label) }

  outline() {
    set(this.over, "viewBox", `0 0 ${this.canvas.clientWidth} ${this.canvas.clientHeight}`)
    const corners = (this.drawing ?? this.shape)?.map(([x, y]) => this.at(x, y).map(short).join(" "))
    this.path ??= node("path", { class: "shape" }, this.over)
    set(this.path, "d", corners?.length > 1 ? `M${corners.join("L")}Z` : "M0 0")
  }

  // How many of the points drawn lie in the shape, in all and of each class.
  count() {
    this.inside = this.shape ? Uint8Array.from(this.x, (x, i) => within(x, this.y[i], this.shape)) : null
    this.chosen = new Map()
    let all = 0
    if (this.inside) this.inside.forEach((is, i) => { if (is && this.counts(this.label[i])) { all++; this.chosen.set(this.label[i], (this.chosen.get(this.label[i]) ?? 0) + 1) } })
    this.facts.textContent = this.shape ? `${all.toLocaleString("en")} selected` : ""
  }

  keys() {
    this.legend.replaceChildren()
    this.names.forEach((name, label) => {
      const lit = this.shows(label)
      const key = node("<button", { type: "button", class: lit ? "key" : "key off", "aria-pressed": this.only.has(label), title: "Click: this one alone. Shift and click: this one too." }, this.legend)
      const mark = node("<i", {}, key, GLYPHS[this.symbol(label)])
      mark.style.color = this.shade(label)
      node("<span", {}, key, `${name}, ${this.sizes[label].toLocaleString("en")}`)
      if (this.shape) node("<b", {}, key, ` ${(this.chosen.get(label) ?? 0).toLocaleString("en")}`)
      key.addEventListener("click", event => this.isolate(label, event.shiftKey))
    })
  }

  isolate(label, also) {
    const alone = this.only.size === 1 && this.only.has(label)
    if (also) this.only.has(label) ? this.only.delete(label) : this.only.add(label)
    else { this.only.clear(); if (!alone) this.only.add(label) }
    this.count(); this.keys(); this.draw()
    if (this.shape) this.tell()
  }

  hold(name) {
    this.tool = name
    for (const [each, button] of Object.entries(this.buttons)) button.setAttribute("aria-pressed", each === name)
    this.stage.dataset.tool = name
  }

  zoom(factor, x = (this.view[0] + this.view[1]) / 2, y = (this.view[2] + this.view[3]) / 2) {
    const [left, right, low, high] = this.view
    this.view = [x + (left - x) * factor, x + (right - x) * factor, y + (low - y) * factor, y + (high - y) * factor]
    this.draw()
  }

  reset() {
    this.view = [...this.home]
    this.only.clear()
    this.select(null)
  }

  select(shape) {
    const had = this.shape
    this.shape = shape
    this.count(); this.keys(); this.draw()
    if (shape || had) this.tell()
  }

  tell() { this.shared.say(this.latest, "picked", this.shape ? this.words(this.shape) : "", { rest: 0 }) }

  // Of clusters that stand alone, only their points are meant.
  words(shape) {
    const ends = (shape.box ?? shape.flat()).map(value => +value.toPrecision(5))
    const of = this.bySelf && this.only.size ? ["of", ...[...this.only].map(label => label + 1).sort((a, b) => a - b)] : []
    return [shape.box ? "box" : "lasso", ...ends, ...of].join("~")
  }

  counts(label) { return !this.bySelf || this.shows(label) }

  shapeOf(words) {
    const [what, ...ends] = words.split("~of~")[0].split("~"), numbers = ends.map(Number)
    if (what === "box") return boxed(...numbers)
    return numbers.filter((_, i) => i % 2 === 0).map((x, i) => [x, numbers[2 * i + 1]])
  }

  listen() {
    const place = event => { const frame = this.canvas.getBoundingClientRect(); return [event.clientX - frame.left, event.clientY - frame.top] }
    this.canvas.addEventListener("wheel", event => { event.preventDefault(); this.zoom(Math.exp(event.deltaY / 500), ...this.back(...place(event))) }, { passive: false })
    this.canvas.addEventListener("dblclick", () => this.reset())
    this.canvas.addEventListener("pointerdown", event => { this.canvas.setPointerCapture(event.pointerId); this.from = place(event); this.track = [this.back(...this.from)] })
    this.canvas.addEventListener("pointermove", event => this.from ? this.drag(place(event)) : this.hover(...place(event)))
    this.canvas.addEventListener("pointerup", event => this.drop(place(event)))
    this.canvas.addEventListener("pointerleave", () => { this.hint.style.display = "none" })
    this.canvas.addEventListener("keydown", event => this.press(event))
  }

  press(event) {
    const [left, right, low, high] = this.view, [wide, tall] = [(right - left) / 10, (high - low) / 10]
    const steps = { ArrowLeft: [-wide, 0], ArrowRight: [wide, 0], ArrowUp: [0, tall], ArrowDown: [0, -tall] }
    if (steps[event.key]) { const [x, y] = steps[event.key]; this.view = [left + x, right + x, low + y, high + y]; this.draw() }
    else if (event.key === "+" || event.key === "=") this.zoom(0.6)
    else if (event.key === "-") this.zoom(1 / 0.6)
    else if (event.key === "0") this.reset()
    else return
    event.preventDefault()
  }

  drag([px, py]) {
    const here = this.back(px, py)
    if (this.tool === "pan") {
      const [x, y] = this.track[0]
      const [left, right, low, high] = this.view, [dx, dy] = [x - here[0], y - here[1]]
      this.view = [left + dx, right + dx, low + dy, high + dy]
    } else if (this.tool === "box") this.drawing = boxed(this.track[0][0], here[0], this.track[0][1], here[1])
    else { this.track.push(here); this.drawing = this.track }
    this.draw()
  }

  drop([px, py]) {
    if (!this.from) return
    const moved = Math.hypot(px - this.from[0], py - this.from[1])
    const shape = this.drawing
    this.from = this.drawing = null
    if (this.tool === "pan") return
    if (this.tool === "lasso" && shape?.length > 3) this.select(simpler(shape, MOST_CORNERS))
    else if (this.tool === "box" && shape && moved > 4) this.select(boxed(...shape.box.map(value => +value.toPrecision(5))))
    else this.select(null)
  }

  hover(px, py) {
    let [best, found] = [100, -1]
    const [left, right, low, high] = this.view, { clientWidth: wide, clientHeight: tall } = this.canvas
    for (let i = 0; i < this.x.length; i++) {
      if (!this.shows(this.label[i])) continue
      const x = ((this.x[i] - left) / (right - left)) * wide, y = tall - ((this.y[i] - low) / (high - low)) * tall
      const far = (x - px) ** 2 + (y - py) ** 2
      if (far < best) { best = far; found = i }
    }
    this.hint.style.display = found < 0 ? "none" : "block"
    if (found < 0) return
    this.hint.replaceChildren()
    node("<b", {}, this.hint, this.names[this.label[found]])
    for (const [name, value] of [["row", this.rows[found]], ...this.columns.map(each => [each.name, each.names ? each.names[each.at[found]] : +each.at[found].toPrecision(5)])]) {
      const line = node("<div", {}, this.hint)
      node("<span", {}, line, `${name} `)
      line.append(String(value))
    }
    this.hint.style.left = `${Math.min(px + 14, this.canvas.clientWidth - 190)}px`
    this.hint.style.top = `${Math.max(4, py + (py > this.canvas.clientHeight - 120 ? -90 : 12))}px`
  }
}

function boxed(x, x2, y, y2) {
  const [left, right] = [Math.min(x, x2), Math.max(x, x2)], [low, high] = [Math.min(y, y2), Math.max(y, y2)]
  const corners = [[left, low], [right, low], [right, high], [left, high]]
  corners.box = [left, right, low, high]
  return corners
}

function simpler(corners, most) {
  const step = Math.max(1, corners.length / most)
  const kept = []
  for (let at = 0; at < corners.length; at += step) kept.push(corners[Math.floor(at)].map(value => +value.toPrecision(5)))
  return kept
}

// Even–odd rule; a box counts its edges as inside.
function within(x, y, shape) {
  if (shape.box) { const [left, right, low, high] = shape.box; return x >= left && x <= right && y >= low && y <= high ? 1 : 0 }
  let is = 0
  for (let i = 0, j = shape.length - 1; i < shape.length; j = i++) {
    const [a, b] = shape[i], [c, d] = shape[j]
    if (b > y !== d > y && x < ((c - a) * (y - b)) / (d - b) + a) is ^= 1
  }
  return is
}
