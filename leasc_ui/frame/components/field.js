// Pictures to select from: a scene beside its composite, states along time, a sheet of pictures, tracks at a frame.
// Places are in the picture's own units, y downwards. A selection is told as box~left~right~top~bottom or lasso~x~y~x~y….

const CORNERS = 40
const MOMENT = 140 // milliseconds a frame

export default function (component) {
  mount(component, parent => new Field(parent).take)
}

class Field {
  constructor(parent) {
    this.shared = new Shared()
    this.root = node("<div", { class: "field" }, parent)
    this.bar = node("<div", { class: "tools", role: "toolbar", "aria-label": "Tools of the picture" }, this.root)
    this.tools = Object.fromEntries(["box", "lasso"].map(name => [name, this.button(name, () => this.hold(name))]))
    this.button("clear", () => this.tell(null))
    this.play = this.button("play", () => (this.timer ? this.rest() : this.run()))
    this.slider = node("<input", { type: "range", min: 0, value: 0, "aria-label": "Frame" }, this.bar)
    this.slider.addEventListener("input", () => { this.rest(); this.see(+this.slider.value) })
    this.facts = node("<span", { class: "facts", "aria-live": "polite" }, this.bar)
    this.panes = node("<div", { class: "panes" }, this.root)
    this.take = this.take.bind(this)
    this.frame = 0
    this.hold("box")
  }

  button(name, act) {
    const made = node("<button", { type: "button", "data-tool": name, "aria-label": name }, this.bar, name)
    made.addEventListener("click", act)
    return made
  }

  hold(name) {
    this.tool = name
    for (const [each, button] of Object.entries(this.tools)) button.setAttribute("aria-pressed", each === name)
  }

  take(component) {
    const data = component.data
    Object.assign(this, { latest: component, data })
    if (data.panes.length !== this.views?.length) this.build(data)
    this.views.forEach(({ image, words, svg }, at) => {
      const pane = data.panes[at]
      if (pane.url) set(image, "href", pane.url)
      set(image, "width", data.width); set(image, "height", data.height)
      set(image, "opacity", data.frames ? 0.65 : 1)
      set(svg, "viewBox", `0 0 ${data.width} ${data.height}`)
      set(svg, "preserveAspectRatio", data.tall ? "none" : "xMidYMid meet")
      if (data.high) svg.style.maxHeight = `${Math.max(34, 3 * data.high)}rem`
      svg.style.height = data.tall ? `${data.tall}px` : ""
      set(svg, "aria-label", pane.alt)
      words.textContent = pane.title
    })
    if (data.frames && data.places !== this.coded) { this.coded = data.places; this.places = read(data.places, Float32Array) }
    if (data.frames) {
      this.colours = read(data.labels, Uint16Array)
      this.lit = data.lit ? read(data.lit, Uint8Array) : null
      set(this.slider, "max", data.frames - 1)
      this.frame = Math.min(this.frame, data.frames - 1)
    }
    for (const each of [this.play, this.slider]) each.style.display = data.frames > 1 ? "" : "none"
    this.shape = data.shape ? this.shapeOf(data.shape) : null
    this.draw()
  }

  build(data) {
    this.panes.replaceChildren()
    this.views = data.panes.map(() => {
      const pane = node("<div", { class: "pane" }, this.panes)
      const words = node("<div", { class: "words" }, pane)
      const svg = node("svg", { role: "img" }, pane)
      const image = node("image", { preserveAspectRatio: "none" }, svg)
      const dots = node("g", {}, svg), shape = node("path", { class: "shape" }, svg)
      svg.addEventListener("pointerdown", event => { svg.setPointerCapture(event.pointerId); this.track = [this.place(svg, event)]; this.rest() })
      svg.addEventListener("pointermove", event => this.track && this.drag(this.place(svg, event)))
      svg.addEventListener("pointerup", event => this.drop(this.place(svg, event)))
      return { words, svg, image, dots, shape }
    })
  }

  place(svg, event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse())
    return [point.x, point.y]
  }

  drag(here) {
    if (this.tool === "lasso") this.track.push(here)
    else this.track[1] = here
    this.drawing = this.tool === "lasso" ? this.track : corners(this.track[0], here)
    this.draw()
  }

  drop(here) {
    const [first] = this.track ?? [here], line = this.track
    const moved = this.drawing && Math.hypot(here[0] - first[0], here[1] - first[1]) > this.data.width / 400
    this.track = this.drawing = null
    if (this.tool === "lasso" && line?.length > 3) {
      const kept = line.filter((_, at) => at % Math.ceil(line.length / CORNERS) === 0)
      this.tell(["lasso", ...kept.flat().map(value => +value.toPrecision(5))])
    } else if (this.tool === "box" && moved) {
      const across = [first[0], here[0]].sort((a, b) => a - b), down = [first[1], here[1]].sort((a, b) => a - b)
      this.tell(["box", ...across, ...down].map(value => (value.toPrecision ? +value.toPrecision(5) : value)))
    } else this.tell(null)
  }

  tell(words) {
    this.shape = words ? this.shapeOf(words.join("~")) : null
    this.draw()
    this.shared.say(this.latest, "picked", words ? [this.frame, ...words].join("~") : "", { rest: 0 })
  }

  shapeOf(words) {
    const [what, ...rest] = words.split("~of~")[0].split("~"), ends = rest.map(Number)
    if (what === "box") return corners([ends[0], ends[2]], [ends[1], ends[3]])
    return ends.filter((_, at) => at % 2 === 0).map((x, at) => [x, ends[2 * at + 1]])
  }

  run() {
    this.timer = setInterval(() => this.see((this.frame + 1) % this.data.frames), MOMENT)
    this.play.textContent = "pause"
  }

  rest() {
    clearInterval(this.timer)
    this.timer = null
    this.play.textContent = "play"
  }

  see(frame) {
    this.frame = frame
    this.slider.value = frame
    this.draw()
  }

  draw() {
    const line = this.drawing ?? this.shape
    const path = line?.length > 1 ? `M${line.map(([x, y]) => `${short(x)} ${short(y)}`).join("L")}Z` : "M0 0"
    for (const { shape } of this.views) set(shape, "d", path)
    this.facts.textContent = (this.data.frames > 1 ? `frame ${this.frame + 1} of ${this.data.frames}` : "") + (this.data.chosen ? `  ${this.data.chosen} selected` : "")
    if (this.data.frames) this.points(this.views[0].dots)
  }

  // A dot for every track where it is now, and a line along the few frames before.
  points(group) {
    const { frames, width } = this.data, size = width / 110, count = this.places.length / 2 / frames
    while (group.children.length > 2 * count) group.lastChild.remove()
    while (group.children.length < 2 * count) node(group.children.length < count ? "path" : "circle", {}, group)
    const place = (i, frame) => [this.places[2 * (i * frames + frame)], this.places[2 * (i * frames + frame) + 1]]
    for (let i = 0; i < count; i++) {
      const way = [...Array(Math.min(5, this.frame + 1)).keys()].map(back => place(i, this.frame - back))
      const [line, dot] = [group.children[i], group.children[count + i]]
      const hue = this.colours[i] < 65535 ? this.data.colours[this.colours[i] % this.data.colours.length] : "var(--faint)"
      const style = `opacity:${this.lit && !this.lit[i] ? 0.15 : 1}`
      set(line, "d", `M${way.map(([x, y]) => `${x.toFixed(3)} ${y.toFixed(3)}`).join("L")}`)
      for (const [name, value] of [["style", `${style};stroke:${hue};stroke-width:${size / 3};fill:none`]]) set(line, name, value)
      const [x, y] = way[0]
      for (const [name, value] of [["cx", x.toFixed(3)], ["cy", y.toFixed(3)], ["r", size / 2], ["style", `${style};fill:${hue}`]]) set(dot, name, value)
    }
  }
}

function corners([x, y], [x2, y2]) { return [[x, y], [x2, y], [x2, y2], [x, y2]] }
