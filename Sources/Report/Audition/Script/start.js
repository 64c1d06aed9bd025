// Start: the page's facts, its parts and its tabs.

const page = JSON.parse(document.getElementById('facts').textContent)
const wayOf = id => page.ways.find(way => way.id === id)
const mediumKey = (excerpt, way) => page.excerpts[excerpt].id + '-' + way.id

/** Browsers let a page sound only after somebody pressed something. */
async function awake(context) {
  if (context.state === 'suspended') await context.resume()
}

/** There are results that no file holds yet. */
function unsaved() {
  view.at('saving').hidden = false
  view.at('saving').dataset.unsaved = 'yes'
}

/** Shows how a test of the part ended, and lets it be done once more. */
function again(part, heading, ...content) {
  const title = view.make('h3', {tabindex: '-1'}, heading)
  const tables = content.filter(one => one.tagName === 'DIV')
  view.at(part + '-trial').replaceChildren(title,
    view.make('p', {}, ...content.filter(one => !tables.includes(one))), ...tables,
    view.make('p', {class: 'buttons'}, view.button('Once more', () => {
      // The answers stay among those that are saved, but their table goes.
      const isSaved = !view.at('saving').dataset.unsaved
      if (!isSaved && !confirm('No file holds these answers yet, and this table goes. Begin once more?')) return
      view.at(part + '-trial').replaceChildren()
      view.at(part + '-setup').hidden = false
      view.at(part + '-start').focus()
    })))
  keys.acts[part] = {}
  title.focus()
}

function begin() {
  const Context = globalThis.AudioContext ?? globalThis.webkitAudioContext
  if (!Context) {
    return view.complain(new Error('This browser can\'t play the page: it lacks the Web Audio API. Use a current browser.'))
  }
  const context = new Context({sampleRate: page.rate})
  const media = new Media(context)
  const player = new Player(context)
  const store = {
    schema: 'pinna.audition-result/1', page: page.id, title: page.title, pinna: page.pinna,
    ways: page.ways.map(({id, label, flags}) => ({id, label, flags})), tournaments: [], abx: [],
  }
  view.at('save').addEventListener('click', () => {
    view.save('pinna-audition-results.json', JSON.stringify({...store, saved: new Date().toISOString()}, null, 1) + '\n')
    delete view.at('saving').dataset.unsaved
  })
  addEventListener('beforeunload', event => {
    if (view.at('saving').dataset.unsaved) event.preventDefault()
  })
  new Listening(media, player)
  new Tournament(media, player, store)
  new ABX(media, player, store)
  const tabs = [...document.querySelectorAll('[role=tab]')]
  const open = tab => {
    player.claim(() => {})
    for (const other of tabs) {
      other.setAttribute('aria-selected', String(other === tab))
      other.tabIndex = other === tab ? 0 : -1
      view.at(other.getAttribute('aria-controls')).hidden = other !== tab
    }
    keys.open = tab.getAttribute('aria-controls')
  }
  tabs.forEach((tab, index) => {
    tab.addEventListener('click', () => open(tab))
    tab.addEventListener('keydown', event => {
      const turn = {ArrowRight: 1, ArrowLeft: -1}[event.key]
      if (!turn) return
      event.preventDefault()
      const next = tabs[(index + turn + tabs.length) % tabs.length]
      open(next)
      next.focus()
    })
  })
  document.addEventListener('keydown', keys.handle)
  open(tabs[0])
  view.at('parts').hidden = false
}

begin()
