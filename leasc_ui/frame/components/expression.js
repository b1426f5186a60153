// A point and the representatives it is mixed from: arrows as thick as the code, once large and once for each norm.

const FAINTEST = 0.02 // entries below this share of a code's largest are not drawn

const percent = share => (share === null ? "only itself" : `${Math.round(100 * share)} %`)

export default function (component) {
  mount(component, parent => {
    const shared = new Shared()
    let latest = component, data = null, large = null, four = null
    const stage = node("<div", {}, parent)
    const note = node("<p", { class: "note", role: "status" }, parent)
    const row = node("<div", { class: "four", role: "group", "aria-label": "Four norms" }, parent)

    const show = (plane, norm, backdrop) => {
      const code = data.codes[norm][shared.values.point], spots = data.representatives, to = spots[shared.values.point]
      const largest = Math.max(...code.map(Math.abs), 1e-9)
      const helps = code.map((value, i) => [i, value]).filter(([, value]) => Math.abs(value) > FAINTEST * largest)
      const own = helps.find(([i]) => i === shared.values.point)
      plane.arrows(helps.filter(each => each !== own).map(([i, value]) => [...spots[i], ...to, Math.abs(value) / largest, Math.sign(value)]))
      plane.marks([[...to, 11], ...(own ? [[...to, 11 + 9 * Math.abs(own[1]) / largest, "own"]] : [])])
      plane.points([...spots, ...backdrop], [...data.groups, ...data.backdropGroups.slice(0, backdrop.length)],
                   i => (i >= spots.length ? "faint" : i === shared.values.point || helps.some(([k]) => k === i) ? "chosen" : "chosen dim"))
      return { helpers: helps.length, share: data.shares[norm][shared.values.point] }
    }
    const draw = () => {
      const norm = shared.values.norm
      const { helpers, share } = show(large, norm, data.backdrop)
      row.style.display = data.revealed ? "" : "none" // they would tell the answer
      note.replaceChildren(bold(data.names[norm]), ": ", bold(helpers), ` of ${data.representatives.length} representatives help to mix this point; `,
                           bold(percent(share)), share === null ? "." : " of their weight is on its own line.")
      large.describe(note.textContent)
      for (const [name, { plane, button, words }] of Object.entries(four)) {
        const found = show(plane, name, [])
        set(button, "aria-pressed", name === norm)
        words.replaceChildren(bold(data.names[name]), ` ${percent(found.share)}${found.share === null ? "" : " own line"}`)
      }
    }
    const build = () => {
      large = new Plane(stage, data.box, "")
      const among = i => i < data.representatives.length
      large.onPick(i => { shared.say(latest, "point", i); draw() }, { among, now: () => shared.values.point })
      four = Object.fromEntries(Object.keys(data.names).map(name => {
        const button = node("<button", { type: "button", class: "norm" }, row)
        const plane = new Plane(button, data.box, "")
        plane.svg.removeAttribute("tabindex")
        const words = node("<span", {}, button)
        button.addEventListener("click", () => { shared.say(latest, "norm", name, { rest: 0 }); draw() })
        return [name, { plane, button, words }]
      }))
    }
    return now => {
      latest = now
      data = now.data
      shared.take({ point: data.point, norm: data.norm })
      if (!large) build()
      draw()
    }
  })
}
