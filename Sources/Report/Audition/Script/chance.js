// Chance: fair choices, and how likely they would come out as they did.

const chance = {
  /** A whole number from 0 to below `count`, every one as likely as any other. */
  below(count) {
    const limit = Math.floor(2 ** 32 / count) * count
    const drawn = new Uint32Array(1)
    do crypto.getRandomValues(drawn)
    while (drawn[0] >= limit)
    return drawn[0] % count
  },

  /** The same things in another order, every order as likely as any other. */
  shuffled(things) {
    const order = [...things]
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = chance.below(last + 1)
      const kept = order[last]
      order[last] = order[other]
      order[other] = kept
    }
    return order
  },

  /** How likely `right` or more of `count` guesses of a coin are right: the exact binomial sum. */
  guessing(right, count) {
    let sum = 0
    let term = 1
    for (let index = 0; index <= count; index += 1) {
      if (count - index >= right) sum += term
      term = term * (count - index) / (index + 1)
    }
    return sum / 2 ** count
  },

  /** How likely one of two ways wins as clearly as this when nobody hears a difference, whichever it is. */
  deciding(won, count) { return Math.min(1, 2 * chance.guessing(won, count)) },

  /** A name that no other test has. */
  name() { return [1, 2].map(() => chance.below(2 ** 32).toString(16).padStart(8, '0')).join('') },

  /** A probability as people read it. */
  text(share) {
    if (share >= 0.095) return `${Math.round(share * 100)} %`
    if (share >= 0.0095) return `${(share * 100).toFixed(1)} %`
    return share >= 0.0001 ? `${(share * 100).toPrecision(1)} %` : 'less than 0.01 %'
  },
}
