// Curves over iterations on a logarithmic axis, with a cursor: small, calm, no library.

class Curves {
  // lines: [{values: [[iteration, value], …], kind, name}, …]
  constructor(parent, title, pick) {
    const figure = node("<figure", { class: "curves" }, parent)
    this.caption = node("<figcaption", {}, figure, title)
    this.svg = node("svg", { viewBox: "0 0 400 150", role: "img", "aria-label": title, class: "chart" }, figure)
    this.grid = node("g", { class: "grid" }, this.svg)
    this.paths = node("g", { class: "paths" }, this.svg)
    this.cursor = node("path", { class: "cursor" }, this.svg)
    this.title = title
    this.svg.addEventListener("click", event => {
      const frame = this.svg.getBoundingClientRect()
      const at = (((event.clientX - frame.left) / frame.width) * 400 - 40) / 352
      pick(Math.round(at * this.last))
    })
  }

  x(i) { return 40 + (352 * i) / this.last }

  y(value) {
    const [low, high] = this.range
    return 132 - (122 * (Math.log10(Math.min(Math.max(value, 10 ** low), 10 ** high)) - low)) / (high - low)
  }

  draw(lines, last, floor) {
    const seen = lines.flatMap(line => line.values.filter(([i]) => i <= last).map(([, value]) => value)).filter(value => value > 0 && isFinite(value))
    this.last = last
    this.range = [Math.floor(Math.log10(Math.max(Math.min(...seen), floor))), Math.ceil(Math.log10(Math.max(...seen, floor)) + 1e-9)]
    if (this.range[1] <= this.range[0]) this.range[1] = this.range[0] + 1
    const [low, high] = this.range, step = Math.ceil((high - low) / 4)
    this.grid.replaceChildren()
    for (let power = low; power <= high; power += step) {
      const y = this.y(10 ** power)
      node("path", { d: `M40 ${y}H392` }, this.grid)
      node("text", { x: 35, y: y + 4, "text-anchor": "end" }, this.grid, power >= -2 && power <= 3 ? `${+(10 ** power).toFixed(2)}` : `1e${power}`)
    }
    node("text", { x: 392, y: 147, "text-anchor": "end" }, this.grid, `iteration ${last}`)
    this.paths.replaceChildren()
    for (const { values, kind, name } of lines) {
      const shown = values.filter(([i]) => i <= last)
      const d = shown.map(([i, value], k) => `${k ? "L" : "M"}${short(this.x(i))} ${short(this.y(value))}`).join("")
      node("path", { d: d || "M0 0", class: kind }, this.paths)
      // A name stands below its line, where lines are apart.
      const from = shown[Math.floor(0.35 * shown.length)]
      if (from && name) node("text", { x: this.x(from[0]) + 4, y: this.y(from[1]) + 12, class: kind }, this.paths, name)
    }
  }

  at(i) { if (this.last) set(this.cursor, "d", `M${short(this.x(i))} 8V132`) }
}
