// Free listening: everything is named, and a switch keeps the place.

class Listening {
  constructor(media, player) {
    this.media = media
    this.player = player
    this.excerpt = 0
    this.way = 0
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
    setInterval(() => this.show(), 200)
  }

  /** What the keys do here. */
  get keys() {
    const acts = {' ': () => this.toggle()}
    page.ways.forEach((_, index) => {
      acts[String(index + 1)] = () => {
        document.querySelectorAll('input[name=way]')[index].checked = true
        this.switchTo(index)
      }
    })
    return acts
  }

  async toggle() {
    if (this.player.isPlaying) return this.halt()
    try {
      await awake(this.player.context)
      const buffers = await Promise.all(page.ways.map(way => this.media.get(mediumKey(this.excerpt, way))))
      this.player.play(buffers, this.way, {loops: view.at('repeat').checked, ended: () => this.halt()})
      view.at('play').textContent = 'Stop'
    } catch (error) {
      view.complain(error)
    }
  }

  halt() {
    this.player.stop()
    view.at('play').textContent = 'Play'
  }

  choose(index) {
    this.excerpt = index
    if (!this.player.isPlaying) return
    this.halt()
    this.toggle()
  }

  switchTo(index) {
    this.way = index
    this.player.select(index)
    view.say(page.ways[index].label)
  }

  show() {
    const length = page.excerpts[this.excerpt].seconds
    const passed = view.at('listen').hidden ? undefined : this.player.position
    view.at('position').value = passed === undefined ? 0 : passed / length
    view.at('time').textContent = `${(passed ?? 0).toFixed(1)} of ${length.toFixed(1)} s`
  }
}
