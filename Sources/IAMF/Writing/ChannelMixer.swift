// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Mixes planes of samples from others, each with weights of its own: the hot loop of every downmix.
///
/// Samples are summed in Double, in the order of the source's planes, and rounded once, so that they don't depend on
/// how they are split into blocks. Once made the mixer asks for no memory.
final class ChannelMixer {
  /// Samples that are summed at once.
  private static let piece = 256

  private struct Row {
    var terms: Range<Int>
    var scale: Double
  }

  private let rows: [Row]
  private let terms: [DownmixWeights.Term]
  private let weights: Buffer<Double>
  private let sums = Buffer<Double>(0, count: ChannelMixer.piece)
  /// Factors that the weights were calculated for; `nil` before the first.
  private var values: DemixingValues?

  /// Planes that it makes.
  var count: Int { rows.count }

  /// A mixer whose planes are sums of `rows`, each multiplied by its scale.
  init(_ rows: [(terms: [DownmixWeights.Term], scale: Double)]) {
    var (all, ranges) = ([DownmixWeights.Term](), [Row]())
    for row in rows {
      ranges.append(Row(terms: all.count..<all.count + row.terms.count, scale: row.scale))
      all += row.terms
    }
    self.rows = ranges
    terms = all
    weights = Buffer(0, count: all.count)
  }

  /// A mixer of `channels` from a layout that has or can make all of them.
  /// - Throws: ``IAMFError/unsupported(_:)`` where it can't.
  convenience init(
    _ channels: [CodedChannel], from layout: LoudspeakerLayout
  ) throws(IAMFError) {
    let weights = DownmixWeights(layout)
    var rows: [(terms: [DownmixWeights.Term], scale: Double)] = []
    for channel in channels {
      guard let terms = weights.terms(of: channel) else {
        throw .unsupported("a downmix to a layout that has what its source lacks")
      }
      rows.append((terms, 1))
    }
    self.init(rows)
  }

  /// Appends the mixes of the samples `range` of `source` to `output`, which has ``count`` planes or more.
  func mix(
    _ source: AudioBuffer, _ range: Range<Int>, _ values: DemixingValues,
    into output: AudioBuffer
  ) {
    prepare(values)
    let start = output.grow(by: range.count)
    for (index, row) in rows.enumerated() {
      let line = UnsafeMutableBufferPointer(rebasing: output.channel(index)[start...])
      mix(row, source, range, into: line)
    }
  }

  /// Calculates the weights for values that aren't the last ones.
  private func prepare(_ values: DemixingValues) {
    guard values != self.values else { return }
    self.values = values
    for row in rows {
      for index in row.terms { weights.base[index] = row.scale * terms[index].weight(values) }
    }
  }

  private func mix(
    _ row: Row, _ source: AudioBuffer, _ range: Range<Int>,
    into line: UnsafeMutableBufferPointer<Float>
  ) {
    if row.terms.count == 1, weights.base[row.terms.lowerBound] == 1 {
      let samples = source.channel(terms[row.terms.lowerBound].source)
      _ = line.update(fromContentsOf: samples[range])
      return
    }
    let sums = sums.base
    for first in stride(from: 0, to: range.count, by: ChannelMixer.piece) {
      let count = min(ChannelMixer.piece, range.count - first)
      sums.update(repeating: 0, count: count)
      for index in row.terms {
        let weight = weights.base[index]
        let samples = UnsafeMutableBufferPointer(
          rebasing: source.channel(terms[index].source)[(range.lowerBound + first)...])
        for place in 0..<count { sums[place] += weight * Double(samples[place]) }
      }
      for place in 0..<count { line[first + place] = Float(sums[place]) }
    }
  }
}

/// Mixes a bed down to a layout that its layers could have below it, with the factors of the element (annex
/// A2.2). ``ChannelReconstructor`` undoes it.
package final class LayerDownmixer {
  private let mixer: ChannelMixer

  /// A downmixer from one layout to another.
  /// - Throws: ``IAMFError/unsupported(_:)`` where ``reaches(_:from:)`` says that there is no way.
  package init(from: LoudspeakerLayout, to: LoudspeakerLayout) throws(IAMFError) {
    guard LayerDownmixer.reaches(to, from: from) else {
      throw .unsupported("a downmix that the rules of layers don't allow")
    }
    mixer = try ChannelMixer(
      to.channels.compactMap { CodedChannel.version(of: $0, in: to) }, from: from)
  }

  /// Whether `to` can stand below `from` in layers, or is the same layout. Tops get lost on the way to layouts
  /// without any; players needn't follow the element's factors there (3.6.2).
  package static func reaches(_ to: LoudspeakerLayout, from: LoudspeakerLayout) -> Bool {
    guard to.isScalable, from.isScalable else { return false }
    return to == from || from.grows(from: to)
  }

  /// Planes that it makes.
  package var channelCount: Int { mixer.count }

  /// Appends the downmix of the samples `range` of `source` to `output`.
  /// - Parameters:
  ///   - source: planes in the order of IAMF.
  ///   - values: factors, which may change from call to call.
  ///   - output: ``channelCount`` planes or more, in the order of IAMF.
  package func mix(
    _ source: AudioBuffer, range: Range<Int>, _ values: DemixingValues, into output: AudioBuffer
  ) {
    mixer.mix(source, range, values, into: output)
  }
}

/// The weights of a layout's channels in the channels that are mixed from them: the encoder's downmix
/// (annex A2.2), step by step.
///
///     Ls5 = α·Lss + β·Lrs     L3 = L5 + δ·Ls5     L2 = L3 + 0.707·C     mono = 0.5·(L2 + R2)
///     Ltf2 = Ltf4 + γ·Ltb     Ltf3 = Ltf2 + w·δ·Ls5
struct DownmixWeights {
  /// The factors of a weight besides a number; each occurs once at most.
  struct Factors: OptionSet {
    let rawValue: Int
    static let alpha = Factors(rawValue: 1)
    static let beta = Factors(rawValue: 2)
    static let gamma = Factors(rawValue: 4)
    static let delta = Factors(rawValue: 8)
    static let weight = Factors(rawValue: 16)
  }

  /// A channel with its weight in a mix.
  struct Term: Equatable {
    /// The channel's plane in the source.
    var source: Int
    /// The part of the weight that never changes.
    var constant: Double
    /// Factors of the term.
    var factors: Factors

    /// The weight for some values.
    func weight(_ values: DemixingValues) -> Double {
      var weight = constant
      if factors.contains(.alpha) { weight *= values.alpha }
      if factors.contains(.beta) { weight *= values.beta }
      if factors.contains(.gamma) { weight *= values.gamma }
      if factors.contains(.delta) { weight *= values.delta }
      if factors.contains(.weight) { weight *= values.weight }
      return weight
    }
  }

  private let source: [CodedChannel]

  /// The weights of the channels of `layout`, in the order of IAMF.
  init(_ layout: LoudspeakerLayout) {
    source = layout.channels.compactMap { CodedChannel.version(of: $0, in: layout) }
  }

  /// Terms that `channel` is mixed of, in the order of the source's planes: itself, if the source has it; `nil` where
  /// it can't be made.
  func terms(of channel: CodedChannel) -> [Term]? {
    if let plane = source.firstIndex(of: channel) {
      return [Term(source: plane, constant: 1, factors: [])]
    }
    guard let parts = DownmixWeights.parts(of: channel) else { return nil }
    var all: [Term] = []
    for part in parts {
      guard let terms = terms(of: part.channel) else { return nil }
      for term in terms {
        let constant = part.constant * term.constant
        // The centre is in both sides of a mono mix.
        if let known = all.firstIndex(where: { $0.source == term.source }) {
          all[known].constant += constant
        } else {
          let factors = term.factors.union(part.factors)
          all.append(Term(source: term.source, constant: constant, factors: factors))
        }
      }
    }
    return all.sorted { $0.source < $1.source }
  }

  private typealias Part = (channel: CodedChannel, constant: Double, factors: Factors)

  /// The channels that a step mixes; `nil` of channels that no step makes.
  private static func parts(of channel: CodedChannel) -> [Part]? {
    let isRight = channel.isRight
    switch channel {
    case .mono: return [(.l2, 0.5, []), (.r2, 0.5, [])]
    case .l2, .r2:
      return [(CodedChannel.l3.side(isRight), 1, []), (.c, DemixStep.centerGain, [])]
    case .l3, .r3:
      return [
        (CodedChannel.l5.side(isRight), 1, []), (CodedChannel.ls5.side(isRight), 1, .delta),
      ]
    case .ls5, .rs5:
      return [
        (CodedChannel.lss.side(isRight), 1, .alpha), (CodedChannel.lrs.side(isRight), 1, .beta),
      ]
    case .ltf2, .rtf2:
      return [
        (CodedChannel.ltf4.side(isRight), 1, []), (CodedChannel.ltb.side(isRight), 1, .gamma),
      ]
    case .ltf3, .rtf3:
      return [
        (CodedChannel.ltf2.side(isRight), 1, []),
        (CodedChannel.ls5.side(isRight), 1, [.weight, .delta]),
      ]
    default: return nil
    }
  }
}
