// The tournament: where test sounds seem to come from, then which of two suits better, until one is left.

class Tournament {
  /** Times that each place is asked for. */
  static placeRepeats = 4

  static words = {
    front: 'In front', back: 'Behind', up: 'Above', down: 'Below',
  }

  constructor(media, player, store) {
    this.media = media
    this.player = player
    this.store = store
    view.at('tournament-start').addEventListener('click', () => this.run())
  }

  async run() {
    view.at('tournament-setup').hidden = true
    this.trials = []
    const asksPlaces = view.at('ask-places')?.checked
    const isWhole = (!asksPlaces || await this.askPlaces()) && await this.askPairs()
    this.store.tournaments.push({id: chance.name(), isWhole, trials: this.trials})
    unsaved()
    if (isWhole) this.show()
    else again('tournament', 'The tournament was stopped', 'Its answers count for nothing.')
  }

  async askPlaces() {
    const asked = []
    for (const way of page.ways.filter(way => way.hasPlaces)) {
      for (const place of page.places) {
        for (let turn = 0; turn < Tournament.placeRepeats; turn += 1) asked.push({way, place})
      }
    }
    const order = chance.shuffled(asked)
    for (const [index, {way, place}] of order.entries()) {
      // Neither level nor order tells where a sound comes from.
      const gain = 10 ** (-6 * chance.below(1001) / 1000 / 20)
      const answers = page.places.filter(known => known.axis === place.axis)
        .map(known => ({text: Tournament.words[known.name], value: known.name}))
      const trial = new Trial('tournament', this.player, {
        heading: `Sound ${index + 1} of ${order.length}`, names: ['the sound'],
        load: async () => [await this.media.get('places-' + way.id)],
        options: {from: place.startSeconds, length: place.seconds, gain},
        questions: [{text: 'Where does it come from?', answers}],
      })
      const said = await trial.result
      if (!said) return false
      this.trials.push({kind: 'place', way: way.id, place: place.name, answer: said[0]})
    }
    return true
  }

  async askPairs() {
    const bracket = new Bracket(page.ways.map(way => way.id))
    let number = 0
    while (bracket.pair) {
      const ways = chance.shuffled(bracket.pair)
      const excerpt = number % page.excerpts.length
      number += 1
      const answers = [{text: 'A', value: ways[0]}, {text: 'B', value: ways[1]}]
      const trial = new Trial('tournament', this.player, {
        heading: `Comparison ${number} of at most ${Bracket.most(page.ways.length)}`, names: ['A', 'B'],
        load: together(this.media, excerpt, ways.map(wayOf)), options: {loops: true},
        questions: [
          {text: 'Which one is further outside of your head?',
            answers: [...answers, {text: 'No difference', value: null}]},
          {text: 'Which one do you prefer?', answers},
        ],
      })
      const said = await trial.result
      if (!said) return false
      const [outside, preferred] = said
      this.trials.push({kind: 'pair', excerpt: page.excerpts[excerpt].id, ways, outside, preferred})
      bracket.prefer(preferred)
    }
    return true
  }

  show() {
    const rows = ranking(page.ways.map(way => way.id), this.trials)
    const best = wayOf(rows[0].way)
    const part = (one, whole) => whole > 0 ? `${one} of ${whole}` : '–'
    const final = this.trials.filter(trial => trial.kind === 'pair'
      && trial.ways.includes(rows[0].way) && trial.ways.includes(rows[1].way))
    const won = final.filter(trial => trial.preferred === rows[0].way).length
    const command = ['pinna render …', page.inputFlags, best.flags].filter(Boolean).join(' ')
    again('tournament', `The winner is ${best.label}`,
      ...best.flags ? ['Use it with: ', view.make('code', {}, command)] : [],
      view.make('br'),
      `It won ${won} of ${final.length} comparisons with ${wayOf(rows[1].way).label}, the runner-up; where nobody hears a `
        + `difference, ${chance.text(chance.deciding(won, final.length))} of all such matches end as clearly.`,
      view.table('From the best to the last. Who lost later is better, then who won more comparisons.',
        ['Way', 'Preferred', 'Outside of the head', 'Place heard right'],
        rows.map(row => [wayOf(row.way).label, part(row.won, row.asked), part(row.outside, row.asked),
          part(row.right, row.places)])))
  }
}
