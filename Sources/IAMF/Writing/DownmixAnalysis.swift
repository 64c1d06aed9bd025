// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Chooses the factors of a bed's downmix from its programme.
///
/// For each candidate and each side of each lower layer, the energy of the mixed channels is compared with the sum
/// of the energies of all channels that they are made of; the candidate with the smallest sum of differences wins.
/// So independent channels keep their level in the mix, and channels alike don't get louder in it. The centre's
/// part in left and right and the halves of a mono mix are fixed and left out.
///
/// Candidates are the modes 0, 1 and 2 with the weights of index 0 to 10, in this order; the first of equals
/// wins. Modes 4 to 6 have the same factors: they differ in how blocks would move the weight, and there are none.
package struct DownmixAnalysis {
  /// Mixed channels on one side of a layer.
  private struct Side: Equatable {
    var mixes: [[DownmixWeights.Term]]

    /// Planes that they are made of.
    var sources: [Int] { Set(mixes.flatMap { $0.map(\.source) }).sorted() }
  }

  /// Two planes.
  private struct Pair: Hashable {
    var one: Int
    var other: Int
  }

  private let sides: [Side]
  /// Planes that a side has in common, each one with itself, too.
  private let pairs: [Pair]
  /// For each pair the sum of the products of its samples.
  private var products: [Double]

  /// An analysis of a programme in the last of `layers`, the lowest first.
  package init(_ layers: [LoudspeakerLayout]) {
    sides = DownmixAnalysis.sides(layers)
    pairs = Set(
      sides.flatMap { side in
        side.sources.flatMap { one in
          side.sources.filter { $0 >= one }.map { Pair(one: one, other: $0) }
        }
      }
    ).sorted { ($0.one, $0.other) < ($1.one, $1.other) }
    products = Array(repeating: 0, count: pairs.count)
  }

  /// The mixed channels of the lower layers whose weights have factors.
  private static func sides(_ layers: [LoudspeakerLayout]) -> [Side] {
    guard let top = layers.last else { return [] }
    let weights = DownmixWeights(top)
    return layers.dropLast().flatMap { layer in
      [false, true].compactMap { isRight in
        var mixes: [[DownmixWeights.Term]] = []
        for channel in CodedChannel.parametric(layer) {
          guard let terms = weights.terms(of: channel.side(isRight)),
            terms.contains(where: { !$0.factors.isEmpty })
          else { continue }
          mixes.append(terms)
        }
        return mixes.isEmpty ? nil : Side(mixes: mixes)
      }
    }
  }

  /// Takes all samples of `source`, the programme's planes in the order of IAMF.
  package mutating func add(_ source: AudioBuffer) {
    let frames = source.frames
    for (index, pair) in pairs.enumerated() {
      let (one, other) = (source.channel(pair.one), source.channel(pair.other))
      // Sample by sample, so that the sum doesn't depend on how the programme is split into blocks.
      var sum = products[index]
      for place in 0..<frames { sum += Double(one[place]) * Double(other[place]) }
      products[index] = sum
    }
  }

  /// The factors that fit the programme so far; mode 0 and weight 0 for silence, and where nothing depends on
  /// them.
  package var values: DemixingValues? {
    var best: (values: DemixingValues, difference: Double)?
    for mode in 0...2 {
      for weight in 0...DemixingValues.lastWeight {
        guard let values = DemixingValues(mode: mode, weight: weight) else { continue }
        let difference = sides.reduce(0) { $0 + self.difference($1, values) }
        if difference < best?.difference ?? .infinity { best = (values, difference) }
      }
    }
    return best?.values
  }

  /// How far the energy of a side's mixes is from that of what they are made of.
  private func difference(_ side: Side, _ values: DemixingValues) -> Double {
    let wanted = side.sources.reduce(0) { $0 + product($1, $1) }
    let mixed = side.mixes.reduce(0) { sum, terms in
      terms.reduce(sum) { sum, one in
        terms.reduce(sum) { sum, other in
          sum + one.weight(values) * other.weight(values) * product(one.source, other.source)
        }
      }
    }
    return (mixed - wanted).magnitude
  }

  private func product(_ one: Int, _ other: Int) -> Double {
    let pair = Pair(one: min(one, other), other: max(one, other))
    return pairs.firstIndex(of: pair).map { products[$0] } ?? 0
  }
}

extension CodedChannel {
  /// The left channels of a layout, of which a downmix has made some by factors. For mono and stereo it is the left
  /// channel without the centre.
  fileprivate static func parametric(_ layout: LoudspeakerLayout) -> [CodedChannel] {
    guard layout.counts.surround > 2 else { return [.l3] }
    return layout.channels.compactMap { version(of: $0, in: layout) }
      .filter { $0.rawValue > CodedChannel.lfe.rawValue && !$0.isRight }
  }
}
