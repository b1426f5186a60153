// Representatives and the discs around them: a click adds or removes one, the radius is dragged, what lies outside is counted.

export default function (component) {
  mount(component, parent => {
    const shared = new Shared()
    let latest = component, plane = null, data = null
    const stage = node("<div", {}, parent)
    const label = node("<label", { class: "dial" }, parent, "Radius of the discs")
    const dial = node("<input", { type: "range", min: 0.05, max: 1.5, step: 0.01, "aria-label": "Radius of the discs" }, label)
    const shown = node("<output", {}, label)
    const note = node("<p", { class: "note", role: "status" }, parent)
    dial.addEventListener("input", () => { shared.say(latest, "radius", Number(dial.value), { rest: 300 }); draw() })

    const chosen = () => {
      const set = new Set(data.chosen)
      for (const i of shared.values.toggled ? shared.values.toggled.split(".").map(Number) : []) set.has(i) ? set.delete(i) : set.add(i)
      return set
    }
    const toggle = i => {
      const list = new Set(shared.values.toggled ? shared.values.toggled.split(".").map(Number) : [])
      list.has(i) ? list.delete(i) : list.add(i)
      shared.say(latest, "toggled", [...list].sort((a, b) => a - b).join("."))
      draw()
    }
    const draw = () => {
      const radius = shared.values.radius, set = chosen(), spots = data.points
      const far = spots.map(([x, y]) => Math.min(...[...set].map(k => Math.hypot(spots[k][0] - x, spots[k][1] - y))))
      plane.discs([...set].map(k => [...spots[k], radius, data.groups[k]]))
      plane.points(spots, data.groups, i => (set.has(i) ? "chosen" : far[i] > radius ? "missed" : "faint"))
      const missed = far.filter(each => each > radius).length, rho = Math.max(...far)
      dial.value = radius
      shown.textContent = radius.toFixed(2)
      note.replaceChildren(...(set.size
        ? [bold(set.size), " representatives. ", bold(missed), ` of ${spots.length} points lie outside all discs. `,
           "With a radius ", bold(`ρ = ${rho.toFixed(2)}`), " nobody would."]
        : ["No representative, nobody covered. Click a point."]))
      plane.describe(`${set.size} representatives with discs of radius ${radius.toFixed(2)}; ${missed} points are outside.`)
    }
    return now => {
      latest = now
      data = now.data
      shared.take({ radius: data.radius, toggled: data.toggled })
      if (!plane) {
        plane = new Plane(stage, data.box, "")
        let last = -1
        const walk = i => { last = i; plane.marks([[...data.points[i], 10]]) }
        plane.onPick(i => { last = i; toggle(i) }, { now: () => last, walk })
      }
      draw()
    }
  })
}
