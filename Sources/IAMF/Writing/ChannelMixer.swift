import AudioCore
import Signal

/// Mixes planes of samples from others, each with weights of its own: the hot loop of every downmix.
///
/// It sums in Double, in the order of the source's planes, and rounds once, so that the samples don't depend on
/// how they are split into blocks. Once made it asks for no memory.
final class ChannelMixer {
  /// Samples that are summed at once.
  private static let piece = 256

  private struct Row {
    var terms: Range<Int>
    var scale: Double
  }

  private let rows: [Row]
  private let terms: [DownmixWeights.Term]
  private let weights: FixedBuffer<Double>
  private let sums = FixedBuffer<Double>(0, count: ChannelMixer.piece)
  /// What the weights are for.
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
    weights = FixedBuffer(0, count: all.count)
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
