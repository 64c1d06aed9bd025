// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Mixes any layout to a smaller one with fixed gains: those of Lo/Ro, or the programme's own.
///
/// A downmixer has no filters, no latency, no tail and no normalisation; ``DownmixMatrix`` describes all
/// that happens. A layout mixed to itself keeps every bit.
package final class Downmixer: AudioStage {
  private let target: ChannelLayout
  private let options: DownmixOptions
  private var mixer = ChannelMixer([])

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
    mixer = ChannelMixer(matrix.gains)
    self.matrix = matrix
    return AudioFormat(sampleRate: format.sampleRate, layout: target)
  }

  /// Mixes `input` and appends as many frames.
  package func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    guard matrix != nil else {
      throw MediaError(.internal, "the downmixer was used before it was prepared")
    }
    mixer.mix(input, into: output)
  }

  /// Appends nothing.
  package func finish(into output: AudioBuffer) throws {}
}

/// Mixes channels by fixed gains.
package struct ChannelMixer {
  /// One output channel's contribution from one input channel.
  private struct Term {
    var input: Int
    var gain: Float
  }

  /// Frames mixed at a time; an output plane stays in the first-level cache.
  private static let span = 2048

  private let terms: [[Term]]

  /// A mixer with `gains`, output × input, linear.
  package init(_ gains: [[Double]]) {
    terms = gains.map { row in
      row.indices.filter { row[$0] != 0 }.map { Term(input: $0, gain: Float(row[$0])) }
    }
  }

  /// Mixes `input` and appends as many frames to `output`, which has a channel for each row.
  package func mix(_ input: AudioBuffer, into output: AudioBuffer) {
    let start = output.grow(by: input.frames)
    for (channel, terms) in terms.enumerated() {
      guard let plane = output.channel(channel).baseAddress else { continue }
      // A row without any gain is silent.
      if terms.isEmpty { (plane + start).update(repeating: 0, count: input.frames) }
      var position = 0
      while position < input.frames {
        let count = min(ChannelMixer.span, input.frames - position)
        mix(terms, of: input, from: position, count: count, into: plane + start + position)
        position += count
      }
    }
  }

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

/// Options of a passive downmix.
public struct DownmixOptions: Sendable, Hashable, Codable {
  /// Level in dB at which LFE channels enter each front channel (or the centre of a target without
  /// left and right) of a target that has no LFE; `nil` drops them.
  public var lfeGainDB: Double?
  /// The programme's own mix instead of the table of standard gains; only for what
  /// ``ProgrammeDownmix/gains(from:to:lfeGainDB:)`` covers.
  public var programme: ProgrammeDownmix?

  /// Options; by default LFE is dropped, because a mix to two channels discards it and the main
  /// channels hold all essential content (ITU-R BS.775-3, Annex 7, Appendix 1, §5 and §7).
  public init(lfeGainDB: Double? = nil, programme: ProgrammeDownmix? = nil) {
    self.lfeGainDB = lfeGainDB
    self.programme = programme
  }
}

/// The gains of a passive downmix, absolute and never normalised.
///
/// A channel whose place (ITU-R BS.2051) is in the target goes there at 0 dB. Any other channel
/// takes the first alternative of its row, separated by semicolons, whose loudspeakers the target has; where one leads on to another row,
/// their gains multiply. The table shows the left side; 0.9239 and 0.3827 are cosine and sine of 22.5°, 0.8165 and 0.5774 are √⅔ and √⅓:
///
/// | place | gains to others |
/// |---|---|
/// | centre M+000 | 0.7071 to M+030 and M−030 |
/// | left M+030 | 0.7071 to M+000 |
/// | near centre M+015 | 0.7071 to M+030 and M+000; else 0.9239 to M+030, 0.3827 to M−030 |
/// | wide M+060 | 0.8165 to M+030, 0.5774 to M+110; 0.7071 to M+030 and M+090; 1 to M+030 |
/// | side M+090 | 0.7071 to M+030 and M+110 (22.2: 0.5774, 0.8165); 0.7071 to M+030 |
/// | surround M+110 | 1 to M+135; 0.7071 to M+180; 0.7071 to M+030 |
/// | back M+135 | 1 to M+110; 0.7071 to M+180; 0.7071 to M+030 |
/// | back centre M+180 | 0.7071 to M±135; to M±110; 0.5 to M±030 |
/// | heights U+030, U+045, U+110, U+135 | 1 to the nearest height of the same end, else 1 to the place below; 0.7071 to M+030 for those behind |
/// | height U+090 | 0.7071 to U+030 and U+110 (or U+045, U+135); 1 to M+090; 0.7071 to U+030 and M+110; to M+030 and M+110; 0.7071 to M+030 |
/// | height U+000, U+180 | 0.7071 to a pair of heights; else as M+000 (at 0 dB to M+000), M+180 |
/// | top T+000 | 0.5 to four heights or ear-height places around; 0.5 to M±030 |
/// | bottom B+000, B+045 | 1 to M+000, M+030 |
/// | LFE | 1 to LFE, 0.7071 from each of two to one; else see ``DownmixOptions/lfeGainDB`` |
///
/// Sources: ITU-R BS.775-3, Annex 4, Table 2; beyond its five channels the mapping of ITU-R
/// BS.2127, clause 8; M±015 is panned at constant power. With ``DownmixOptions/programme`` the gains
/// are those of ``ProgrammeDownmix`` instead.
package struct DownmixMatrix: Sendable, Hashable, Codable {
  /// Speakers of the input, in channel order, by their short names.
  package let inputs: [String]
  /// Speakers of the output, in channel order, by their short names.
  package let outputs: [String]
  /// output × input: linear gains.
  package let gains: [[Double]]

  /// Highest level in dB that full-scale input can reach: the largest sum of one output's gains.
  package var worstCaseGainDB: Double {
    20 * log10(max(1e-9, gains.map { $0.reduce(0) { $0 + $1.magnitude } }.max() ?? 0))
  }

  /// The gains from one layout to another.
  /// - Throws: ``MediaError`` of kind `usage` when a channel of `target` would stay silent or one
  ///   of `source` has nowhere to go, where a programme's own mix doesn't cover these layouts, or for
  ///   an LFE gain outside −60…+30 dB.
  package init(
    from source: ChannelLayout, to target: ChannelLayout,
    options: DownmixOptions = DownmixOptions()
  ) throws {
    if let gain = options.lfeGainDB, !(-60...30).contains(gain) {
      throw MediaError(.usage, "the LFE gain must be within −60…+30 dB, not \(gain)")
    }
    inputs = source.speakers.map(\.name)
    outputs = target.speakers.map(\.name)
    if let programme = options.programme {
      gains = try DownmixMatrix.own(programme, source, target, options.lfeGainDB)
      return
    }
    let router = DownmixRouter(source: source, target: target, lfeGainDB: options.lfeGainDB)
    var gains = [[Double]](
      repeating: [Double](repeating: 0, count: source.count), count: target.count)
    for input in source.speakers.indices {
      for (output, gain) in try router.gains(of: input) { gains[output][input] += gain }
    }
    self.gains = gains
    let silent = outputs.indices.filter { gains[$0].allSatisfy { $0 == 0 } }
    guard silent.isEmpty else {
      throw MediaError(
        .usage,
        "\(source.name) can't be mixed to \(target.name), since nothing in it belongs to "
          + silent.map { outputs[$0] }.joined(separator: ", ")
          + "; choose a layout with fewer channels, or one of ITU-R BS.2051: "
          + LoudspeakerOutput.names.joined(separator: ", "))
    }
  }

  private static func own(
    _ programme: ProgrammeDownmix, _ source: ChannelLayout, _ target: ChannelLayout,
    _ lfeGainDB: Double?
  ) throws -> [[Double]] {
    guard let gains = programme.gains(from: source, to: target, lfeGainDB: lfeGainDB) else {
      throw MediaError(
        .usage, "a programme's own gains don't say how \(source.name) is mixed to \(target.name)")
    }
    return gains
  }
}
