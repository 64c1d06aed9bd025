import AudioCore

/// Mixes any layout to a smaller one with fixed gains: those of Lo/Ro, or the programme's own.
///
/// It has no filters, no latency, no tail and no normalisation; ``DownmixMatrix`` describes all
/// that happens. A layout mixed to itself keeps every bit.
package final class Downmixer: AudioStage {
  /// One output channel's contribution from one input channel.
  private struct Term {
    var input: Int
    var gain: Float
  }

  /// Frames mixed at a time; an output plane stays in the first-level cache.
  private static let span = 2048

  private let target: ChannelLayout
  private let options: DownmixOptions
  private var terms: [[Term]] = []

  /// The gains in use; `nil` before `prepare`.
  package private(set) var matrix: DownmixMatrix?

  /// Always 0.
  package let latency = 0

  /// A downmixer to `target`.
  package init(to target: ChannelLayout = .stereo, options: DownmixOptions = DownmixOptions()) {
    self.target = target
    self.options = options
  }

  /// Works out the gains from the layout of `format` and returns the target layout at the same
  /// rate.
  /// - Throws: ``MediaError`` of kind `usage` when the target can't be derived; see
  ///   ``DownmixMatrix/init(from:to:options:)``.
  package func prepare(_ format: AudioFormat) throws -> AudioFormat {
    let matrix = try DownmixMatrix(from: format.layout, to: target, options: options)
    terms = matrix.gains.map { row in
      row.indices.filter { row[$0] != 0 }.map { Term(input: $0, gain: Float(row[$0])) }
    }
    self.matrix = matrix
    return AudioFormat(sampleRate: format.sampleRate, layout: target)
  }

  /// Mixes `input` and appends as many frames.
  package func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    guard matrix != nil else {
      throw MediaError(.internal, "the downmixer was used before it was prepared")
    }
    let start = output.grow(by: input.frames)
    for (channel, terms) in terms.enumerated() {
      guard let plane = output.channel(channel).baseAddress else { continue }
      var position = 0
      while position < input.frames {
        let count = min(Downmixer.span, input.frames - position)
        mix(terms, of: input, from: position, count: count, into: plane + start + position)
        position += count
      }
    }
  }

  /// Appends nothing.
  package func finish(into output: AudioBuffer) throws {}

  private func mix(
    _ terms: [Term], of input: AudioBuffer, from position: Int, count: Int,
    into target: UnsafeMutablePointer<Float>
  ) {
    for (index, term) in terms.enumerated() {
      guard let source = input.channel(term.input).baseAddress.map({ $0 + position }) else {
        continue
      }
      let gain = term.gain
      if index == 0, gain == 1 {
        target.update(from: source, count: count)
      } else if index == 0 {
        for frame in 0..<count { target[frame] = gain * source[frame] }
      } else {
        for frame in 0..<count { target[frame] += gain * source[frame] }
      }
    }
  }
}
