import AudioCore
import Loudness
import MediaOut
import Presets

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
    if let name = preset.text(.layout) { largestLayout = ChannelLayout(name: name) }
    if let name = preset.text(.loudnessLayout) { loudnessLayout = ChannelLayout(name: name) }
    if let flag = preset.flag(.dualMono) { isDualMono = flag }
    if let rate = preset.number(.rate) { sampleRate = Int(rate) }
    var target = level ?? .standard
    target.apply(preset, isAlbum: isAlbum)
    let album = isAlbum ? preset.number(.albumLoudness) : nil
    taps += preset.texts(.eq).map { Tap(.post, .equalizer(path: $0)) }
    taps += try preset.texts(.tap).map { try TapText.parse($0, "preset \(preset.name): tap:") }
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
    if let flag = preset.flag(.lowerOnly) { lowersOnly = flag }
    if let value = preset.number(.maxGain) { maxGain = value }
    if let value = preset.number(.threshold) { threshold = value }
    // This setting of a preset concerns albums only.
    if isAlbum, preset.flag(.loudestTrack) == true { reference = .loudestTrack }
  }
}

extension Preset {
  /// The container that the preset names; `nil` when it names none.
  public var containerKind: ContainerKind? { text(.format).flatMap(ContainerKind.init(rawValue:)) }

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
