import AudioCore
import LibAV
import Platform

/// Responses of seven loudspeakers to both ears, as the files of HeSuVi hold them. They are played as they are: rooms and
/// headphones that were measured with them stay in.
package struct ChannelSet: Sendable {
  /// Responses of one loudspeaker to both ears.
  struct Pair: Sendable {
    let left: [Float]
    let right: [Float]
  }

  /// The loudspeakers, and the channels of a file with their responses to the left and to the right ear.
  private static let columns: [(speaker: Speaker, left: Int, right: Int)] = [
    (.frontLeft, 0, 1), (.sideLeft, 2, 3), (.backLeft, 4, 5), (.frontCenter, 6, 13),
    (.frontRight, 8, 7), (.sideRight, 10, 9), (.backRight, 12, 11),
  ]
  /// The same where the right half of a symmetric head is left out.
  private static let mirroredColumns: [(speaker: Speaker, left: Int, right: Int)] = [
    (.frontLeft, 0, 1), (.sideLeft, 2, 3), (.backLeft, 4, 5), (.frontCenter, 6, 6),
    (.frontRight, 1, 0), (.sideRight, 3, 2), (.backRight, 5, 4),
  ]
  /// Longest responses in seconds.
  package static let longest = 3.0
  /// Rates of the responses in Hz.
  private static let rates = [44_100, 48_000, 88_200, 96_000]
  /// Peak below which a response is silent.
  private static let silence: Float = 1e-6

  /// The file's name.
  package let id: String
  /// Samples per second of the responses.
  package let sampleRate: Int
  /// Responses by their loudspeakers.
  let pairs: [Speaker: Pair]

  /// The set of a file with these `planes`.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` for a file that holds something else.
  package init(id: String, planes: [[Float]], rate: Int) throws {
    func refusal(_ what: String) -> MediaError { MediaError(.inputUnreadable, about: id, what) }
    let columns: [(speaker: Speaker, left: Int, right: Int)]
    switch planes.count {
    case 14: columns = ChannelSet.columns
    case 7: columns = ChannelSet.mirroredColumns
    default:
      throw refusal(
        "has \(planes.count) channels; a HeSuVi file has 14, or 7 for a symmetric head")
    }
    guard ChannelSet.rates.contains(rate) else {
      throw refusal("has a rate of \(rate) Hz; give responses at 44100 or 48000 Hz")
    }
    guard let length = planes.first?.count, length > 0,
      Double(length) <= ChannelSet.longest * Double(rate)
    else {
      throw refusal("isn't as long as responses are; give at most \(ChannelSet.longest) s")
    }
    guard planes.allSatisfy({ $0.allSatisfy(\.isFinite) }) else {
      throw refusal("holds values that are no numbers; give another file")
    }
    var pairs: [Speaker: Pair] = [:]
    for (speaker, left, right) in columns {
      let pair = Pair(left: planes[left], right: planes[right])
      let peak = (pair.left + pair.right).reduce(0) { max($0, $1.magnitude) }
      guard peak > ChannelSet.silence else {
        throw refusal("has no response of \(speaker.name), whose channels are silent")
      }
      pairs[speaker] = pair
    }
    self.id = id
    self.pairs = pairs
    sampleRate = rate
  }

  /// The response to one ear at another rate; its gain stays.
  private static func converted(
    _ response: [Float], from rate: Int, to wanted: Int
  ) throws -> [Double] {
    guard rate != wanted else { return response.map(Double.init) }
    let stage = Resampler(to: AudioFormat(sampleRate: wanted, layout: .mono))
    _ = try stage.prepare(AudioFormat(sampleRate: rate, layout: .mono))
    let (input, output) = (AudioBuffer(channels: 1), AudioBuffer(channels: 1))
    input.grow(by: response.count)
    for (index, value) in response.enumerated() { input.channel(0)[index] = value }
    try stage.process(input, into: output)
    try stage.finish(into: output)
    let scale = Double(rate) / Double(wanted)
    return output.channel(0).map { Double($0) * scale }
  }

  /// The responses of `speaker` to both ears at `rate` Hz.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` where the rate can't be made.
  func responses(of speaker: Speaker, rate: Int) throws -> (left: [Double], right: [Double])? {
    guard let pair = pairs[speaker] else { return nil }
    return (
      try ChannelSet.converted(pair.left, from: sampleRate, to: rate),
      try ChannelSet.converted(pair.right, from: sampleRate, to: rate)
    )
  }
}
