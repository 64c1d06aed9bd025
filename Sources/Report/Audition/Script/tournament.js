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
    this.place = view.at('tournament-trial')
    view.at('tournament-start').addEventListener('click', () => this.run())
  }

  async run() {
    view.at('tournament-setup').hidden = true
    this.trials = []
    if (view.at('ask-places')?.checked) await this.askPlaces()
    await this.askPairs()
    this.store.tournament = {needed: Bracket.winsNeeded(page.ways.length), trials: this.trials}
    this.show()
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
      const play = async () => {
        await awake(this.player.context)
        const buffer = await this.media.get('places-' + way.id)
        this.player.play([buffer], 0, {from: place.startSeconds, length: place.seconds, gain})
      }
      const [one, other] = page.places.filter(known => known.axis === place.axis)
      const answer = known => ({text: Tournament.words[known.name], value: known.name, key: known.name[0]})
      const trial = new Trial(this.place, this.player, {
        heading: `Sound ${index + 1} of ${order.length}`,
        sounds: [{name: 'the sound', key: 'a', play}],
        questions: [{text: 'Where does it come from?', answers: [answer(one), answer(other)]}],
      })
      const [said] = await trial.result
      this.trials.push({kind: 'place', way: way.id, place: place.name, answer: said})
    }
  }

  async askPairs() {
    const bracket = new Bracket(page.ways.map(way => way.id))
    let number = 0
    while (bracket.pair) {
      const ways = chance.shuffled(bracket.pair)
      const excerpt = number % page.excerpts.length
      number += 1
      const answers = [{text: 'A', value: ways[0]}, {text: 'B', value: ways[1]}]
      const trial = new Trial(this.place, this.player, {
        heading: `Comparison ${number} of at most ${Bracket.most(page.ways.length)}`,
        sounds: switched(this.media, this.player, excerpt, ['A', 'B'], ways.map(wayOf)),
        questions: [
          {text: 'Which one is further outside of your head?',
            answers: [...answers, {text: 'No difference', value: null}]},
          {text: 'Which one do you prefer?', answers},
        ],
      })
      const [outside, preferred] = await trial.result
      this.trials.push({kind: 'pair', excerpt: page.excerpts[excerpt].id, ways, outside, preferred})
      bracket.prefer(preferred)
    }
  }

  show() {
    const rows = ranking(page.ways.map(way => way.id), this.trials)
    const best = wayOf(rows[0].way)
    const part = (one, whole) => whole > 0 ? `${one} of ${whole}` : '–'
    const final = this.trials.filter(trial => trial.kind === 'pair'
      && trial.ways.includes(rows[0].way) && trial.ways.includes(rows[1].way))
    const won = final.filter(trial => trial.preferred === rows[0].way).length
    const heading = view.make('h3', {tabindex: '-1'}, `The winner is ${best.label}`)
    this.place.replaceChildren(heading,
      view.make('p', {}, 'Use it with: ', view.make('code', {}, `pinna render … ${best.flags}`)),
      view.make('p', {}, `It won ${won} of ${final.length} comparisons with ${wayOf(rows[1].way).label}, the runner-up; `
        + `somebody who hears no difference wins as many in ${chance.text(chance.guessing(won, final.length))} of all tournaments.`),
      view.table('From the best to the last. Who lost later is better, then who won more comparisons.',
        ['Way', 'Preferred', 'Outside of the head', 'Place heard right'],
        rows.map(row => [wayOf(row.way).label, part(row.won, row.asked), part(row.outside, row.asked),
          part(row.right, row.places)])),
      view.make('p', {class: 'buttons'}, saveButton(this.store), view.button('Once more', () => {
        this.place.replaceChildren()
        view.at('tournament-setup').hidden = false
        view.at('tournament-start').focus()
      })))
    keys.acts = {}
    heading.focus()
  }
}
