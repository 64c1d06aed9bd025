// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import MediaOut
import Settings

/// How the sound of one output is made.
public struct Rendition: Sendable, Hashable, Codable {
  /// The treatment of the filter tail beyond the last source sample.
  public enum Tail: String, Sendable, CaseIterable, Codable {
    /// Dropped: output length = source length.
    case trim
    /// Kept: the output is longer by the tail.
    case keep
  }

  /// The treatment of the filters' response before the first source sample.
  public enum FilterHead: String, Sendable, CaseIterable, Codable {
    /// Dropped: the output begins with the source.
    case trim
    /// Kept: the output begins earlier.
    case keep
  }

  /// Whether the input counts as virtualised already.
  public enum AlreadyVirtualized: String, Sendable, CaseIterable, Codable {
    /// Virtualised if the file's own tag states it.
    case auto
    /// Virtualised: never virtualise again.
    case yes
    /// Not virtualised, even if the file states it.
    case no
  }

  /// Endpoint of the output.
  public var endpoint: Endpoint
  /// Layout that programmes with more channels are mixed down to where ``endpoint`` leaves channels as they are; those with
  /// as many or fewer stay. `nil` sets no limit.
  public var largestLayout: ChannelLayout?
  /// Loudness target; `nil` leaves the level alone.
  public var level: LoudnessTarget?
  /// Layout to which objects, beds and fields that are stored as they are are rendered to be measured, one of ITU-R BS.2051;
  /// `nil` for 5.1.4, as ITU-R BS.1770-5 renders them. Anything else is measured in its own channels.
  public var loudnessLayout: ChannelLayout?
  /// Whether a mono programme counts as two equal channels.
  public var isDualMono = false
  /// Output rate in Hz, 8000…384,000; `nil` keeps the source's.
  public var sampleRate: Int?
  /// Treatment of the filters' response before the first sample.
  public var filterHead = FilterHead.trim
  /// Treatment of the filter tail.
  public var tail = Tail.trim
  /// How LFE channels are played.
  public var lfe = LFEPolicy.standard
  /// Gains of a downmix to stereo or mono.
  public var downmix = DownmixGains.standard
  /// Whether the input is virtualised already.
  public var alreadyVirtualized = AlreadyVirtualized.auto
  /// Processing of the user's own; at each point in this order.
  public var taps: [Tap] = []

  /// A rendition for `endpoint`, brought to `level`; by default −16 LKFS with peaks up to −1 dBTP.
  public init(
    _ endpoint: Endpoint = .headphones(), level: LoudnessTarget? = LoudnessTarget.standard
  ) {
    self.endpoint = endpoint
    self.level = level
  }
}

/// The gains of a downmix; those of AC-3 and AC-4 are for stereo and mono.
public enum DownmixGains: String, Sendable, CaseIterable, Codable {
  /// Gains of ITU-R BS.775, even where the programme carries its own.
  case standard
  /// The programme's own where it carries any, else those of ITU-R BS.775.
  case stream
}

/// How LFE channels are played for which the output has no channel.
public enum LFEPolicy: Sendable, Hashable, Codable {
  /// Levels that ``gain(_:)`` may have, in dB.
  public static let range = Setting.lfeGain.row.value.range

  /// Virtualised: 10 dB above a main channel. Downmixed: dropped, as in ITU-R BS.775, and reported.
  case standard
  /// Dropped.
  case dropped
  /// Played at this level relative to a main channel, in dB.
  case gain(Double)

  /// Level when virtualised, in dB; `nil` drops it.
  var virtualizedGainDB: Double? {
    switch self {
    case .standard: return 10
    case .dropped: return nil
    case .gain(let gain): return gain
    }
  }

  /// Level when downmixed, in dB; `nil` drops it.
  var downmixedGainDB: Double? {
    guard case .gain(let gain) = self else { return nil }
    return gain
  }
}

extension Rendition {
  /// Applies the settings for level, endpoint, layout and rate in `preset`, and adds its taps; everything else is unchanged.
  ///
  /// With `isAlbum`, several inputs get one common gain, for which a preset may name another
  /// target.
  /// - Throws: ``MediaError`` of kind `usage` for a tap that can't be read.
  public mutating func apply(_ preset: Preset, isAlbum: Bool = false) throws {
    if let word = preset.text(.endpoint) {
      switch Endpoint.Kind(rawValue: word) {
      case .headphones: endpoint = .headphones()
      case .speakers: endpoint = .speakers()
      case .some(.none): endpoint = .channels()
      case nil: break
      }
    }
    if let name = preset.text(.outputLayout) { largestLayout = ChannelLayout(name: name) }
    if let name = preset.text(.loudnessLayout) { loudnessLayout = ChannelLayout(name: name) }
    if let flag = preset.flag(.dualMono) { isDualMono = flag }
    if let rate = preset.number(.sampleRate) { sampleRate = Int(rate) }
    var target = level ?? .standard
    target.apply(preset, isAlbum: isAlbum)
    let album = isAlbum ? preset.number(.albumLoudness) : nil
    taps += preset.texts(.equalizers).map { Tap(.post, .equalizer(path: $0)) }
    taps += try preset.texts(.taps).map { try TapText.parse($0, "preset \(preset.name): tap:") }
    level = album == nil && preset.text(.loudness) == "off" ? nil : target
  }
}

extension LoudnessTarget {
  /// Applies the settings for the level in `preset`; everything else is unchanged.
  package mutating func apply(_ preset: Preset, isAlbum: Bool) {
    let album = isAlbum ? preset.number(.albumLoudness) : nil
    if let value = album ?? preset.number(.loudness) { integrated = value }
    if let value = preset.number(.truePeak) { truePeak = value }
    if let policy = preset.text(.peakPolicy).flatMap(PeakPolicy.init) { peakPolicy = policy }
    if let mode = preset.text(.loudnessMode).flatMap(Mode.init) { self.mode = mode }
    if let flag = preset.flag(.lowersOnly) { lowersOnly = flag }
    if let value = preset.number(.maxGain) { maxGain = value }
    if let value = preset.number(.loudnessThreshold) { threshold = value }
    if let word = preset.text(.anchor) { anchor = LoudnessAnchor(rawValue: word) }
    if let value = preset.number(.programmeLoudness) { programmeTarget = value }
    // This setting of a preset concerns albums only.
    if isAlbum, preset.flag(.loudestTrack) == true { reference = .loudestTrack }
  }
}

extension Preset {
  /// The container that the preset names; `nil` when it names none.
  public var containerKind: ContainerKind? {
    text(.container).flatMap(ContainerKind.init(rawValue:))
  }

  /// How samples are stored; `nil` when the preset doesn't state it.
  public var sampleEncoding: SampleEncoding? {
    text(.bits).flatMap(SampleEncoding.init(rawValue:))
  }

  /// The codec of the sound; `nil` when the preset doesn't state it.
  public var codec: AudioEncoding? { text(.codec).flatMap(AudioEncoding.init(rawValue:)) }

  /// Bit rate of a lossy codec in bit/s; `nil` when the preset doesn't state it.
  public var bitRate: Int? { number(.bitRate).map { Int($0) } }

  /// Dither; `nil` when the preset doesn't state it.
  public var dither: Dither? { text(.dither).flatMap(Dither.init(rawValue:)) }

  /// The choice as a report lists it.
  public var decision: Decision { Decision(.preset, chose: name, why: "\(summary); \(origin)") }
}
