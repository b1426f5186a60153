// Algorithm 2 as a film: every variable of every iteration is here, and the visitor plays, stops, steps and scrubs.

const MOVES = 4 // an iteration: blocks, multipliers, μ, check
const PLAY_MS = 100
const SLOW = 3 // iterations that are played line by line

class Matrix {
  constructor(parent, name, words, rows, columns, tell) {
    const figure = node("<figure", { class: "matrix" }, parent)
    const caption = node("<figcaption", { title: words }, figure)
    node("<b", {}, caption, name)
    this.most = node("<span", {}, caption)
    this.canvas = node("<canvas", { width: columns, height: rows, role: "img", "aria-label": words }, figure)
    Object.assign(this, { name, rows, columns, figure, values: new Float32Array(rows * columns) })
    this.canvas.addEventListener("pointermove", event => {
      const frame = this.canvas.getBoundingClientRect()
      const [i, j] = [Math.floor(((event.clientY - frame.top) / frame.height) * rows), Math.floor(((event.clientX - frame.left) / frame.width) * columns)]
      if (i >= 0 && j >= 0 && i < rows && j < columns) tell(`${name} [${i + 1}, ${j + 1}] = ${figures(this.values[i * columns + j])}`)
    })
    this.canvas.addEventListener("pointerleave", () => tell(""))
  }

  draw(values, colours) {
    this.values = values
    const most = values.reduce((high, value) => Math.max(high, Math.abs(value)), 0)
    const context = this.canvas.getContext("2d"), image = context.createImageData(this.columns, this.rows)
    values.forEach((value, k) => {
      image.data.set(value < 0 ? colours.negative : colours.positive, 4 * k)
      image.data[4 * k + 3] = most > 0 ? Math.round(255 * Math.sqrt(Math.abs(value) / most)) : 0
    })
    context.putImageData(image, 0, 0)
    this.most.textContent = ` up to ${figures(most)}`
  }
}

const figures = value => {
  const size = Math.abs(value)
  if (!isFinite(size)) return "∞"
  return size === 0 ? "0" : size >= 1e4 || size < 1e-3 ? value.toExponential(1) : value.toPrecision(3)
}

export default function (component) {
  mount(component, parent => {
    const shared = new Shared()
    let latest = component, data = null, film = null, timer = null, source = null, last = 0
    const bar = node("<div", { class: "player", role: "group", "aria-label": "Player" }, parent)
    const press = (label, words, act) => {
      const button = node("<button", { type: "button", "aria-label": words, title: words }, bar, label)
      button.addEventListener("click", act)
      return button
    }
    press("❘◀", "To the start", () => go(0))
    press("◀", "One line back", () => go(now() - 1))
    const play = press("▶", "Play", () => (timer ? pause() : start()))
    press("▶❘", "One line on", () => go(now() + 1))
    const scrub = node("<input", { type: "range", min: 0, value: 0, "aria-label": "Iteration" }, bar)
    scrub.addEventListener("input", () => go(Number(scrub.value)))
    const board = node("<div", { class: "board" }, parent)
    const listing = node("<ol", { class: "listing" }, board)
    const pictures = node("<div", { class: "matrices" }, board)
    const told = node("<p", { class: "note", role: "status" }, parent)
    const charts = node("<div", { class: "charts" }, parent)
    let matrices = {}, residual = null, gap = null, lines = []

    const now = () => Math.min(shared.values.at ?? 0, last)
    const pause = () => { clearTimeout(timer); timer = null; play.textContent = "▶"; set(play, "aria-label", "Play"); shared.say(latest, "at", now(), { rest: 0 }) }
    const start = () => {
      if (now() >= last) shared.values.at = 0
      play.textContent = "❘❘"
      set(play, "aria-label", "Pause")
      advance()
    }
    // The first iterations line by line, then one at a time.
    const advance = () => {
      const slow = now() < SLOW * MOVES
      const next = Math.min(slow ? now() + 1 : (Math.floor(now() / MOVES) + 1) * MOVES, last)
      shared.values.at = next
      draw()
      timer = setTimeout(next >= last ? pause : advance, slow || calm() ? 3 * PLAY_MS : PLAY_MS)
    }
    const go = to => { if (timer) pause(); shared.say(latest, "at", Math.max(0, Math.min(to, last)), { rest: 350 }); draw() }

    const build = () => {
      const { n, d } = data
      pictures.replaceChildren()
      listing.replaceChildren()
      charts.replaceChildren()
      lines = data.lines.map(([number, words]) => { const line = node("<li", { value: number }, listing); line.textContent = words; return line })
      const tell = words => { told.textContent = words || told.dataset.words }
      const made = { Z: ["Z", n], J: ["J", n], Q1: ["Q₁", n], E: ["E", d], Q2: ["Q₂", d] }
      matrices = Object.fromEntries(Object.entries(made).map(([key, [name, rows]]) => [key, new Matrix(pictures, name, data.meanings[key], rows, n, tell)]))
      residual = new Curves(charts, "Residual ‖r‖², which decides when to stop", i => go(i * MOVES))
      gap = new Curves(charts, "", i => go(i * MOVES))
    }
    const unpack = () => {
      film = read(data.film, Float32Array)
      const { n, d } = data
      const sizes = { Z: n * n, J: n * n, Q1: n * n, E: d * n, Q2: d * n }, starts = {}
      let width = 0
      for (const [key, size] of Object.entries(sizes)) { starts[key] = width; width += size }
      film.frame = (key, i) => (i < 1 ? new Float32Array(sizes[key]) : film.subarray((i - 1) * width + starts[key], (i - 1) * width + starts[key] + sizes[key]))
      last = data.mu.length * MOVES
      set(scrub, "max", last)
    }
    const draw = () => {
      const at = now(), done = Math.floor((at - 1) / MOVES) + 1, move = at ? (at - 1) % MOVES : -1
      const style = getComputedStyle(parent), colour = name => hex(style.getPropertyValue(`--${name}`))
      const colours = { negative: colour("negative"), positive: colour("positive") }
      for (const [key, matrix] of Object.entries(matrices)) {
        const multiplier = key[0] === "Q"
        matrix.draw(film.frame(key, multiplier && move < 1 ? done - 1 : done), colours)
        matrix.figure.classList.toggle("lit", at > 0 && (multiplier ? move === 1 : move === 0))
      }
      lines.forEach((line, k) => line.classList.toggle("lit", k === (at ? move + 1 : 0)))
      const mu = done < 1 ? data.mu[0] : move >= 2 ? data.mu[Math.min(done, data.mu.length - 1)] : data.mu[done - 1]
      const r = move === 3 ? data.residual[done - 1] : done > 1 ? data.residual[done - 2] : null
      told.dataset.words = at ? `Iteration ${done} of ${data.mu.length}: μ = ${figures(mu)}${r === null ? "" : `, ‖r‖² = ${figures(r)}`}.${at === last ? ` ${data.end}` : ""}` : "Everything is zero. Press play."
      told.textContent = told.dataset.words
      scrub.value = at
      residual.at(done)
      gap.at(done)
    }
    const chart = () => {
      const count = (values, from = 1) => values.map((value, i) => [i + from, value])
      const length = data.mu.length
      residual.draw([{ values: [[0, data.tolerance], [length, data.tolerance]], kind: "limit", name: "stop below" },
                     { values: count(data.residual), kind: "one", name: "" }], length, 1e-8)
      gap.svg.parentElement.hidden = !data.gap
      if (!data.gap) return
      gap.caption.textContent = data.gapTitle
      set(gap.svg, "aria-label", data.gapTitle)
      gap.draw([{ values: count(data.gap), kind: "one", name: "Algorithm 2" }, { values: data.exact, kind: "two", name: data.exact.length ? "exact" : "" }], length, 1e-4)
    }
    return component => {
      latest = component
      data = component.data
      shared.take({ at: data.at })
      if (!lines.length || source?.n !== data.n) build()
      if (source?.film !== data.film) { if (timer) pause(); unpack() }
      source = data
      lines.forEach((line, k) => { line.textContent = data.lines[k][1] })
      chart()
      draw()
    }
  })
}

const hex = text => [1, 3, 5].map(i => parseInt(text.trim().slice(i, i + 2), 16)).concat(255)
