// ABX: whether two ways can be told apart.

class ABX {
  constructor(media, player, store) {
    this.media = media
    this.player = player
    this.store = store
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
      const trial = new Trial('abx', this.player, {
        heading: `Trial ${trials.length + 1} of ${planned}`, names: ['A', 'B', 'X'],
        load: together(this.media, excerpt, [...ways, hidden]), options: {loops: true},
        questions: [{
          text: 'What is X?', answers: [{text: 'X is A', value: ways[0].id}, {text: 'X is B', value: ways[1].id}],
        }],
      })
      const said = await trial.result
      if (!said) break
      trials.push({x: hidden.id, answer: said[0]})
    }
    this.store.abx.push({
      id: chance.name(), ways: ways.map(way => way.id), excerpt: page.excerpts[excerpt].id, planned, trials,
    })
    unsaved()
    if (trials.length === planned) this.show(ways, trials)
    else again('abx', 'The test was stopped', 'It shows nothing: whoever may stop at a lucky moment can prove anything.')
  }

  show(ways, trials) {
    const right = trials.filter(trial => trial.x === trial.answer).length
    const guess = chance.guessing(right, trials.length)
    const verdict = guess < 0.05 ? 'you hear a difference' : 'this shows no difference that you hear'
    again('abx', `${right} of ${trials.length} right`,
      `A was ${ways[0].label}, B was ${ways[1].label}. Whoever guesses gets as many right in ${chance.text(guess)} of all tests: `
        + `${verdict}. (Below 5 % counts as heard; the probability is exact, binomial.)`)
  }
}
