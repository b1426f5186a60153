// The function f in the browser: its weights are here, so any place of the plane has its code at once.

// f(x) of the core's MLP: the direction of x, a hidden layer of ReLUs, a linear top.
function codeOf([x, y], first, top, hidden, width) {
  const length = Math.hypot(x, y) || 1
  const code = new Float64Array(width)
  for (let h = 0; h < hidden; h++) {
    const active = Math.max(0, (x / length) * first[h] + (y / length) * first[hidden + h])
    if (active > 0) for (let k = 0; k < width; k++) code[k] += active * top[h * width + k]
  }
  return code
}

export default function (component) {
  mount(component, parent => {
    const shared = new Shared()
    let latest = component, data = null, plane = null, first = null, top = null, source = null
    const stage = node("<div", {}, parent)
    const told = node("<p", { class: "note", role: "status" }, parent)
    const bars = node("svg", { viewBox: "0 0 640 90", class: "bars", role: "img" }, parent)
    const sheets = node("<div", { class: "sheets" }, parent)
    const images = {}

    const sheet = name => {
      const figure = node("<figure", {}, sheets)
      const caption = node("<figcaption", {}, figure)
      const canvas = node("<canvas", { role: "img" }, figure)
      return { figure, caption, canvas }
    }
    // A matrix of signed bytes, as blue and orange over the page itself.
    const paint = ({ figure, caption, canvas }, picture) => {
      figure.hidden = !picture
      if (!picture) return
      const style = getComputedStyle(parent), [plus, minus] = ["positive", "negative"].map(name => style.getPropertyValue(`--${name}`).trim())
      const rgb = text => [1, 3, 5].map(i => parseInt(text.slice(i, i + 2), 16))
      const colours = [rgb(plus), rgb(minus)], values = read(picture.bytes, Int8Array)
      Object.assign(canvas, { width: picture.columns, height: picture.rows })
      const context = canvas.getContext("2d"), image = context.createImageData(picture.columns, picture.rows)
      values.forEach((value, k) => {
        image.data.set(colours[value < 0 ? 1 : 0], 4 * k)
        image.data[4 * k + 3] = 2 * Math.abs(value)
      })
      context.putImageData(image, 0, 0)
      caption.textContent = picture.title
      set(canvas, "aria-label", picture.title)
      // Beside a classical method to scale, a row as high here as there; else both as high as is good to see.
      canvas.style.aspectRatio = data.classical ? `${picture.width} / ${picture.height}` : ""
      canvas.style.height = data.classical ? "auto" : "150px"
      figure.style.flex = data.classical ? "1 1 0" : `${Math.max(picture.width, 240)} 1 0`
    }
    const show = place => {
      const code = codeOf(place, first, top, data.hidden, data.width)
      const most = Math.max(...code.map(Math.abs), 1e-9)
      const by = [0, 0, 0, 0]
      code.forEach((value, k) => { by[data.owners[k]] += value })
      const nearest = by.indexOf(Math.max(...by))
      plane.marks([[...place, 8], ...data.chosen.map((i, k) => [...data.points[i], 1 + 12 * Math.abs(code[k]) / most, code[k] < 0 ? "takes" : "adds"])])
      while (bars.children.length > data.width + 1) bars.lastChild.remove()
      while (bars.children.length < data.width + 1) node(bars.children.length ? "rect" : "path", {}, bars)
      set(bars.firstChild, "d", "M0 45H640")
      set(bars.firstChild, "class", "axes")
      const step = 640 / data.width
      code.forEach((value, k) => {
        const bar = bars.children[k + 1], high = (42 * Math.abs(value)) / data.most
        for (const [name, size] of [["x", k * step + 0.6], ["y", value < 0 ? 45 : 45 - Math.min(high, 44)], ["width", step - 1.2], ["height", Math.min(high, 44)]]) set(bar, name, size.toFixed(2))
        set(bar, "class", `group${data.owners[k]}`)
      })
      const where = `(${place[0].toFixed(2)}, ${place[1].toFixed(2)})`
      told.replaceChildren("At ", bold(where), ": most help comes from line ", symbol(nearest), ".")
      set(bars, "aria-label", `The code at ${where}: ${data.width} numbers, strongest on line ${nearest + 1}.`)
    }
    const look = place => { shared.say(latest, "place", place.map(each => each.toFixed(2)).join(","), { rest: 600 }); show(place) }

    const build = () => {
      plane = new Plane(stage, data.box, data.alt)
      plane.onHover(look)
      plane.svg.addEventListener("keydown", event => {
        const way = wayOf(event)
        if (!way) return
        const [x, y] = shared.values.place.split(",").map(Number)
        look([x + 0.1 * way[0], y + 0.1 * way[1]])
      })
      plane.svg.classList.add("cross")
      for (const name of ["solved", "learned", "classical"]) images[name] = sheet(name)
    }
    return now => {
      latest = now
      data = now.data
      shared.take({ place: data.place })
      if (!plane) build()
      if (source?.weights !== data.weights) {
        const weights = read(data.weights, Float32Array)
        first = weights.subarray(0, 2 * data.hidden)
        top = weights.subarray(2 * data.hidden)
        plane.points(data.points, data.groups, i => (data.chosen.includes(i) ? "" : "faint"))
      }
      for (const name of ["solved", "learned", "classical"]) paint(images[name], name === "solved" && data.classical ? null : data[name])
      source = data
      show(shared.values.place.split(",").map(Number))
    }
  })
}
