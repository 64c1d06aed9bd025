import AudioCore
import Platform

/// The gains of a passive downmix, absolute and never normalised.
///
/// A channel whose place (ITU-R BS.2051) is in the target goes there at 0 dB. Any other channel
/// follows the first line of its place that fits the target; where several lines follow each other,
/// their gains multiply. The table shows the left side:
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
