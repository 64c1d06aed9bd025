// View: small helpers for what the page shows.

const view = {
  at: id => document.getElementById(id),

  /** An element with attributes and content; text stays text. */
  make(name, attributes = {}, ...content) {
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value)
    }
    element.append(...content)
    return element
  },

  /** A button that does something. */
  button(text, act, attributes = {}) {
    const button = view.make('button', {type: 'button', ...attributes}, text)
    button.addEventListener('click', act)
    return button
  },

  /** Says a sentence to people who listen to the page instead of looking at it. */
  say(text) { view.at('spoken').textContent = text },

  /** Shows that something failed. */
  complain(error) {
    const place = view.at('trouble')
    place.textContent = error.message
    place.hidden = false
  },

  /** A table with a caption; the first cell of a row is its heading. */
  table(caption, heads, rows) {
    const cell = (text, index) => index === 0
      ? view.make('th', {scope: 'row'}, String(text)) : view.make('td', {}, String(text))
    return view.make('div', {class: 'scroll'}, view.make('table', {class: 'whole'},
      view.make('caption', {}, caption),
      view.make('thead', {}, view.make('tr', {}, ...heads.map(head => view.make('th', {scope: 'col'}, head)))),
      view.make('tbody', {}, ...rows.map(row => view.make('tr', {}, ...row.map(cell))))))
  },

  /** Offers a text as a file. */
  save(name, text) {
    const link = view.make('a', {
      download: name, href: 'data:application/json;charset=utf-8,' + encodeURIComponent(text),
    })
    document.body.append(link)
    link.click()
    link.remove()
  },
}

/** Keys that the open part listens to: by part, from a key to what it does. */
const keys = {
  acts: {},
  open: 'listen',
  handle(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const target = event.target
    if (target.matches('select, input[type=range]')) return
    // A space presses the button that has the focus.
    if (event.key === ' ' && target.closest('button, input[type=checkbox], summary, a')) return
    const act = keys.acts[keys.open]?.[event.key.toLowerCase()]
    if (!act) return
    event.preventDefault()
    act()
  },
}
