// One question of a blind test: sounds without names, and answers that open when all were heard.

class Trial {
  /** Shows `sounds` (`{name, key, select}`) and `questions` (`{text, answers: [{text, value, key}]}`) in `place`, and
   * gives the answers once all are there. */
  constructor(place, player, {heading, sounds, questions}) {
    this.player = player
    this.place = place
    this.heard = new Set()
    this.answers = questions.map(() => undefined)
    this.acts = {}
    this.result = new Promise(done => { this.done = done })
    this.sounds = sounds.map((sound, index) => {
      const button = view.button(`Play ${sound.name}`, () => this.play(index), {'aria-pressed': 'false'})
      this.acts[sound.key] = () => this.play(index)
      return button
    })
    const first = view.make('h3', {tabindex: '-1'}, heading)
    place.replaceChildren(first, view.make('p', {class: 'buttons'}, ...this.sounds),
      ...questions.map((question, index) => this.question(question, index)))
    this.spec = sounds
    keys.acts = this.acts
    // Whoever answers by keyboard or hears the page is at the beginning of the new question.
    first.focus()
  }

  question({text, answers}, number) {
    const buttons = answers.map(answer => {
      const act = () => {
        if (buttons[0].disabled) return
        this.answers[number] = answer.value
        buttons.forEach(button => button.setAttribute('aria-pressed', String(button === own)))
        if (!this.answers.includes(undefined)) {
          this.player.stop()
          this.done(this.answers)
        }
      }
      const own = view.button(answer.text, act, {disabled: true, 'aria-pressed': 'false'})
      if (answer.key) this.acts[answer.key] = act
      return own
    })
    this.closed = [...(this.closed ?? []), ...buttons]
    const legend = view.make('legend', {}, text)
    return view.make('fieldset', {class: 'question'}, legend, view.make('p', {class: 'buttons'}, ...buttons))
  }

  async play(index) {
    try {
      await this.spec[index].play()
    } catch (error) {
      return view.complain(error)
    }
    this.sounds.forEach((button, other) => button.setAttribute('aria-pressed', String(other === index)))
    this.heard.add(index)
    if (this.heard.size === this.spec.length) for (const button of this.closed) button.disabled = false
  }
}

/** Sounds of one excerpt in several ways, switched at the same instant. `order` has the ways of the names. */
function switched(media, player, excerpt, names, order) {
  const play = async index => {
    if (player.isPlaying) return player.select(index)
    await awake(player.context)
    const buffers = await Promise.all(order.map(way => media.get(mediumKey(excerpt, way))))
    player.play(buffers, index, {loops: true})
  }
  return names.map((name, index) => ({name, key: name.toLowerCase(), play: () => play(index)}))
}
