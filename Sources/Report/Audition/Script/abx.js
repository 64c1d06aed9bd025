// ABX: whether two ways can be told apart.

class ABX {
  constructor(media, player, store) {
    this.media = media
    this.player = player
    this.store = store
    this.place = view.at('abx-trial')
    view.at('abx-start').addEventListener('click', () => this.run())
  }

  async run() {
    const ways = [wayOf(view.at('abx-a').value), wayOf(view.at('abx-b').value)]
    if (ways[0] === ways[1]) return view.complain(new Error('A and B are the same; choose two different ones.'))
    view.at('trouble').hidden = true
    view.at('abx-setup').hidden = true
    const excerpt = Number(view.at('abx-excerpt').value)
    const planned = Number(view.at('abx-count').value)
    const trials = []
    while (trials.length !== planned) {
      const hidden = ways[chance.below(2)]
      const trial = new Trial(this.place, this.player, {
        heading: `Trial ${trials.length + 1} of ${planned}`,
        sounds: switched(this.media, this.player, excerpt, ['A', 'B', 'X'], [...ways, hidden]),
        questions: [{
          text: 'What is X?',
          answers: [{text: 'X is A', value: ways[0].id, key: '1'}, {text: 'X is B', value: ways[1].id, key: '2'}],
        }],
      })
      const [answer] = await trial.result
      trials.push({x: hidden.id, answer})
    }
    this.store.abx.push({
      ways: ways.map(way => way.id), excerpt: page.excerpts[excerpt].id, planned, trials,
    })
    this.show(ways, trials)
  }

  show(ways, trials) {
    const right = trials.filter(trial => trial.x === trial.answer).length
    const guess = chance.guessing(right, trials.length)
    const heading = view.make('h3', {tabindex: '-1'}, `${right} of ${trials.length} right`)
    const verdict = guess < 0.05 ? 'you hear a difference' : 'this shows no difference that you hear'
    this.place.replaceChildren(heading,
      view.make('p', {}, `A was ${ways[0].label}, B was ${ways[1].label}. Whoever guesses gets as many right in `
        + `${chance.text(guess)} of all tests: ${verdict}. (Below 5 % counts as heard; the probability is exact, binomial.)`),
      view.make('p', {class: 'buttons'}, saveButton(this.store), view.button('Once more', () => {
        this.place.replaceChildren()
        view.at('abx-setup').hidden = false
        view.at('abx-start').focus()
      })))
    keys.acts = {}
    heading.focus()
  }
}
