// One question of a blind test: sounds without names, and answers that open when all were heard.

class Trial {
  /** Milliseconds that a sound must play before it counts as heard. */
  static shortest = 500

  /** Shows sounds called `names` and `questions` (`{text, answers: [{text, value}]}`) in the part `part`. `load` gives the
   * buffers of the sounds, `options` say how the player plays them. */
  constructor(part, player, {heading, names, load, options, questions, stop}) {
    this.player = player
    this.load = load
    this.options = options
    this.heard = new Set()
    this.playing = undefined
    this.answers = questions.map(() => undefined)
    this.acts = {escape: () => this.halt()}
    this.closed = []
    this.result = new Promise(done => { this.done = done })
    this.session = player.claim(() => this.lost())
    this.sounds = names.map((name, index) => {
      const key = 'abx'[index]
      this.acts[key] = () => this.press(index)
      return view.button(`Play ${name}`, () => this.press(index), {'aria-pressed': 'false', 'aria-keyshortcuts': key})
    })
    const first = view.make('h3', {tabindex: '-1'}, heading)
    view.at(part + '-trial').replaceChildren(first, view.make('p', {class: 'buttons'}, ...this.sounds),
      ...questions.map((question, index) => this.question(question, index)), this.hint(),
      view.make('p', {class: 'buttons'}, view.button('Stop this test', () => {
        player.claim(() => {})
        this.done(undefined)
      })))
    keys.acts[part] = this.acts
    // Whoever answers by keyboard or hears the page is at the beginning of the new question.
    first.focus()
  }

  question({text, answers}, number) {
    const buttons = answers.map(answer => {
      const act = () => {
        if (own.disabled) return
        this.answers[number] = answer.value
        buttons.forEach(button => button.setAttribute('aria-pressed', String(button === own)))
        if (!this.answers.includes(undefined)) {
          this.player.claim(() => {})
          this.done(this.answers)
        }
      }
      const key = String(this.closed.length + 1)
      const own = view.button(answer.text, act, {disabled: true, 'aria-pressed': 'false', 'aria-keyshortcuts': key})
      this.acts[key] = act
      this.closed.push(own)
      return own
    })
    return view.make('fieldset', {class: 'question'}, view.make('legend', {}, text),
      view.make('p', {class: 'buttons'}, ...buttons))
  }

  hint() {
    const names = this.sounds.map((_, index) => view.make('kbd', {}, 'ABX'[index]))
    return view.make('p', {class: 'note'}, 'Keys: ', ...names.flatMap(name => [name, ' ']), 'play and stop, ',
      view.make('kbd', {}, '1'), ' to ', view.make('kbd', {}, String(this.closed.length)),
      ' answer once all were heard, ', view.make('kbd', {}, 'Esc'), ' stops the sound.')
  }

  /** Plays a sound, switches to it, or stops it. */
  async press(index) {
    if (this.player.session !== this.session) this.session = this.player.claim(() => this.lost())
    if (this.playing === index) return this.halt()
    this.playing = index
    this.show()
    if (this.player.isPlaying) {
      this.player.select(index)
      return this.count(index)
    }
    const session = this.session
    if (session.isLoading) return
    session.isLoading = true
    try {
      await awake(this.player.context)
      const buffers = await this.load()
      if (this.player.session !== session || this.playing === undefined) return
      this.player.play(buffers, this.playing, {...this.options, ended: () => this.halt()})
      this.count(this.playing)
    } catch (error) {
      this.halt()
      view.complain(error)
    } finally {
      session.isLoading = false
    }
  }

  /** Notes that a sound was heard, once it has played for a while. */
  count(index) {
    const session = this.session
    setTimeout(() => {
      const isHeard = this.player.session === session && this.playing === index && this.player.isPlaying
      if (!isHeard || this.player.context.state !== 'running') return
      this.heard.add(index)
      if (this.heard.size === this.sounds.length) for (const button of this.closed) button.disabled = false
    }, Trial.shortest)
  }

  halt() {
    if (this.player.session === this.session) this.player.claim(() => {})
    this.lost()
  }

  lost() {
    this.playing = undefined
    this.show()
  }

  show() {
    this.sounds?.forEach((button, index) => button.setAttribute('aria-pressed', String(index === this.playing)))
  }
}

/** The buffers of one excerpt in several ways. */
const together = (media, excerpt, ways) => () => Promise.all(ways.map(way => media.get(mediumKey(excerpt, way))))
