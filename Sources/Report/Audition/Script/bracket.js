// The order of play: who meets whom, and who has won.

/** Pairs that are decided one after another: who loses is out. */
class Bracket {
  /** Comparisons that a side must win to win a match of `count` ways. */
  static winsNeeded(count) {
    // Whoever prefers one way in four of five comparisons, and has no preference among the others, sees it win in 97 of
    // 100 tournaments; and six to none happens by chance in 3 %.
    return count > 4 ? 7 : 6
  }

  /** At most so many comparisons decide among `count` ways. */
  static most(count) { return (count - 1) * (2 * Bracket.winsNeeded(count) - 1) }

  /** A tournament of these ways, in an order that chance makes. */
  constructor(ways) {
    this.needed = Bracket.winsNeeded(ways.length)
    this.round = chance.shuffled(ways)
    this.next = []
    this.match = undefined
    this.matches = []
    this.advance()
  }

  /** The two that meet now; `undefined` when all is decided. */
  get pair() { return this.match?.ways }

  get winner() { return this.match ? undefined : this.round[0] }

  /** One of the two that meet was preferred. */
  prefer(way) {
    const {ways, wins} = this.match
    wins[ways.indexOf(way)] += 1
    if (Math.max(...wins) === this.needed) {
      this.next.push(wins[0] > wins[1] ? ways[0] : ways[1])
      this.advance()
    }
  }

  advance() {
    if (this.round.length === 1 && this.next.length > 0) this.next.push(this.round.shift())
    if (this.round.length === 0) {
      // Who had no opponent in this round meets the first of the next one.
      this.round = this.next.reverse()
      this.next = []
    }
    if (this.round.length === 1) {
      this.match = undefined
      return
    }
    this.match = {ways: this.round.splice(0, 2), wins: [0, 0]}
    this.matches.push(this.match)
  }
}

/** The ways from the best to the last, from the answers of a tournament: who lost later is better; then who won more
 * comparisons; then who was heard from the right place more often. */
function ranking(ways, trials) {
  const rows = ways.map(way => {
    const places = trials.filter(trial => trial.kind === 'place' && trial.way === way)
    const pairs = trials.filter(trial => trial.kind === 'pair' && trial.ways.includes(way))
    const won = pairs.filter(trial => trial.preferred === way).length
    return {
      way, won, asked: pairs.length,
      outside: pairs.filter(trial => trial.outside === way).length,
      right: places.filter(trial => trial.answer === trial.place).length, places: places.length,
      last: trials.findLastIndex(trial => trial.kind === 'pair' && trial.ways.includes(way)),
      isWinner: false,
    }
  })
  const end = Math.max(...rows.map(row => row.last))
  for (const row of rows) row.isWinner = row.last === end && trials[end]?.preferred === row.way
  const share = (part, whole) => whole > 0 ? part / whole : 0
  return rows.sort((one, other) => Number(other.isWinner) - Number(one.isWinner) || other.last - one.last
    || share(other.won, other.asked) - share(one.won, one.asked)
    || share(other.right, other.places) - share(one.right, one.places))
}
