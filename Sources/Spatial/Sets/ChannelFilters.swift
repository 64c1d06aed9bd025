import AudioCore
import Platform

/// The filters by which the channels of a format are heard through a ``ChannelSet``.
struct ChannelFilters {
  /// Most taps of a filter: transforms of longer ones would take gigabytes.
  private static let mostTaps = 1 << 18

  private let layout: ChannelLayout
  private let rate: Int
  /// The loudspeaker of each channel; `nil` for LFE channels.
  private let speakers: [Speaker?]
  private let lfeGainDB: Double?
  /// Half the length of the low-pass that LFE channels pass, by which all others are late; 0 where it isn't heard.
  private let half: Int
  /// Samples by which output lags input: those before the centre's direct sound, and half the low-pass.
  let latency: Int

  /// Filters for `format`; LFE channels are played at `lfeGainDB` above a main channel, or dropped.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` naming the channels that `set` has no loudspeaker for.
  init(_ set: ChannelSet, _ format: AudioFormat, lfeGainDB: Double?) throws {
    layout = format.layout
    rate = format.sampleRate
    self.lfeGainDB = lfeGainDB
    speakers = try ChannelFilters.speakers(layout, set)
    let hasBass = lfeGainDB != nil && layout.speakers.contains(where: \.isLFE)
    half = hasBass ? LFEFilter.half(rate: rate) : 0
    let onset = Int((Double(set.onset) * Double(rate) / Double(set.sampleRate)).rounded())
    latency = onset + half
  }

  /// Responses of all channels to both ears, channel × tap, of one length, which is more than ``latency``.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for too long ones, and where the rate can't be made.
  func responses(of set: ChannelSet) throws -> ViewSpectra.Filters {
    let centre = try set.converted(set.centre, to: rate)
    var (left, right): ([[Double]], [[Double]]) = ([], [])
    for (index, speaker) in speakers.enumerated() {
      var pair = (left: [Double](), right: [Double]())
      if let source = speaker.flatMap({ set.pair(of: $0, at: layout.direction(at: index)) }) {
        pair = try set.converted(source, to: rate)
        let lead = [Double](repeating: 0, count: half)
        pair = (lead + pair.left, lead + pair.right)
      } else if let lfeGainDB {
        let low = LFEFilter.taps(rate: rate).map { $0 * pow(10, lfeGainDB / 20) }
        pair = (Convolution.full(centre.left, low), Convolution.full(centre.right, low))
      }
      left.append(pair.left.map { $0 * set.gain })
      right.append(pair.right.map { $0 * set.gain })
    }
    let taps = max(latency + 1, (left + right).map(\.count).max() ?? 1)
    guard taps <= ChannelFilters.mostTaps else {
      throw MediaError(
        .unsupportedFeature, about: set.id,
        "has responses of \(taps) samples at \(rate) Hz, more than \(ChannelFilters.mostTaps); choose another rate"
      )
    }
    func filled(_ filters: [[Double]]) -> [[Double]] {
      filters.map { $0 + [Double](repeating: 0, count: taps - $0.count) }
    }
    return (filled(left), filled(right))
  }

  /// The loudspeaker for each channel of `layout`; `nil` for LFE channels.
  private static func speakers(_ layout: ChannelLayout, _ set: ChannelSet) throws -> [Speaker?] {
    let speakers = layout.speakers
    guard set.places.isEmpty else {
      let strangers = speakers.indices.filter {
        !speakers[$0].isLFE && set.pair(of: speakers[$0], at: layout.direction(at: $0)) == nil
      }
      guard strangers.isEmpty else {
        throw MediaError(
          .unsupportedFeature, about: set.id,
          "has no loudspeaker within \(Int(ChannelSet.reach))° of \(strangers.map { speakers[$0].name }.joined(separator: ", ")); "
            + "give a room with one, or mix the programme down first with \(setting: .outputLayout)"
        )
      }
      return speakers.map { $0.isLFE ? nil : $0 }
    }
    // Surround channels of 5.1 are those at the sides, whichever of both names they have.
    let isFive = !speakers.contains(.sideLeft) && speakers.contains(.frontCenter)
    let known: [Speaker] = [
      .frontLeft, .frontRight, .frontCenter, .sideLeft, .sideRight, .backLeft, .backRight,
    ]
    let strangers = speakers.filter { !$0.isLFE && !known.contains($0) }
    guard strangers.isEmpty else {
      throw MediaError(
        .unsupportedFeature, about: set.id,
        "has no loudspeakers for \(strangers.map(\.name).joined(separator: ", ")); it plays FL, FR, FC, SL, SR, BL, BR and LFE, "
          + "a SOFA set plays all")
    }
    return speakers.map { speaker in
      switch speaker {
      case .backLeft where isFive: return .sideLeft
      case .backRight where isFive: return .sideRight
      default: return speaker.isLFE ? nil : speaker
      }
    }
  }
}
