// Free listening: everything is named, and a switch keeps the place.

class Listening {
  constructor(media, player) {
    this.media = media
    this.player = player
    this.excerpt = 0
    this.way = 0
    this.session = undefined
    for (const input of document.querySelectorAll('input[name=excerpt]')) {
      input.addEventListener('change', () => this.choose(Number(input.value)))
    }
    for (const input of document.querySelectorAll('input[name=way]')) {
      input.addEventListener('change', () => this.switchTo(Number(input.value)))
    }
    view.at('play').addEventListener('click', () => this.toggle())
    view.at('volume').addEventListener('input', event => {
      player.volume.gain.value = Number(event.target.value) / 100
    })
    keys.acts.listen = this.keys
    setInterval(() => this.show(), 200)
  }

  /** What the keys do here. */
  get keys() {
    const acts = {' ': () => this.toggle(), escape: () => this.halt()}
    page.ways.forEach((_, index) => {
      acts[String(index + 1)] = () => {
        document.querySelectorAll('input[name=way]')[index].checked = true
        this.switchTo(index)
      }
    })
    return acts
  }

  toggle() { return this.session ? this.halt() : this.start() }

  /** Loads and plays the chosen excerpt, unless something else is wanted by the time that it is there. */
  async start() {
    const session = this.player.claim(() => this.lost())
    this.session = session
    view.at('play').textContent = 'Stop'
    try {
      await awake(this.player.context)
      const buffers = await Promise.all(page.ways.map(way => this.media.get(mediumKey(this.excerpt, way))))
      if (this.player.session !== session) return
      this.player.play(buffers, this.way, {loops: view.at('repeat').checked, ended: () => this.halt()})
    } catch (error) {
      if (this.player.session === session) this.halt()
      view.complain(error)
    }
  }

  halt() {
    if (this.session) this.player.claim(() => {})
  }

  lost() {
    this.session = undefined
    view.at('play').textContent = 'Play'
  }

  choose(index) {
    this.excerpt = index
    if (this.session) this.start()
  }

  switchTo(index) {
    this.way = index
    if (this.session) this.player.select(index)
    view.say(page.ways[index].label)
  }

  show() {
    const length = page.excerpts[this.excerpt].seconds
    const passed = this.session ? this.player.position ?? 0 : 0
    const text = `${passed.toFixed(1)} of ${length.toFixed(1)} s`
    view.at('position').value = passed / length
    if (view.at('time').textContent !== text) view.at('time').textContent = text
  }
}
