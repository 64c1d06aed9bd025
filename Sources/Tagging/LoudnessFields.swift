// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A text field of a file.
package struct TagField: Sendable, Equatable {
  /// Tags that a file may have beside each other.
  package enum Place: Sendable {
    /// The one that fields are added to.
    case own
    /// An APE tag behind MP3, which some players prefer.
    case beside
    /// A gain in a form of ID3v2 itself (`RVA2`, `RVAD`), without a value here.
    case volume
  }

  /// Name in the letters of the file.
  package let name: String
  /// Value as text.
  package let value: String
  /// Tag of the file that has it.
  package var place = Place.own
}

/// Names and texts of loudness tags, as rsgain and loudgain write them.
package enum LoudnessFields {
  private static let trackGain = "REPLAYGAIN_TRACK_GAIN"
  private static let trackPeak = "REPLAYGAIN_TRACK_PEAK"
  private static let albumGain = "REPLAYGAIN_ALBUM_GAIN"
  private static let albumPeak = "REPLAYGAIN_ALBUM_PEAK"
  private static let reference = "REPLAYGAIN_REFERENCE_LOUDNESS"
  private static let r128Track = "R128_TRACK_GAIN"
  private static let r128Album = "R128_ALBUM_GAIN"
  /// Loudness that the gains of Opus lead to, in LUFS (RFC 7845, 5.2.1).
  static let r128Reference = -23.0

  /// Names that belong together: one that isn't written is stale, and removed. loudgain writes the ranges.
  private static let replayGainNames = [
    trackGain, trackPeak, "REPLAYGAIN_TRACK_RANGE", albumGain, albumPeak,
    "REPLAYGAIN_ALBUM_RANGE", reference,
  ]
  /// Names that Matroska lists for the loudness of a target, and that no player reads beside the others.
  private static let matroskaNames = ["REPLAYGAIN_GAIN", "REPLAYGAIN_PEAK"]
  /// Frames of ID3v2 that players add to ReplayGain; rsgain removes them, too.
  private static let volumeFrames = ["RVA2", "RVAD"]

  /// The fields that a file of `format` has for `tags`.
  ///
  /// MP4 and ID3v2 get the upper-case names that rsgain, loudgain and Picard write by default: foobar2000, mpd, Kodi and
  /// FFmpeg compare names in any case. `lowercase` is for players that know only the lower-case ones, as `-L` of rsgain.
  /// - Throws: ``MediaError`` of kind `usage` for figures that the format can't state.
  package static func fields(
    _ tags: LoudnessTags, for format: TagFormat, lowercase: Bool = false
  ) throws -> [TagField] {
    if format == .oggOpus { return try r128Fields(tags) }
    let isFree = [.mpeg, .mp4, .wav, .aiff].contains(format)
    func field(_ name: String, _ value: Double?, _ digits: Int, _ unit: String) throws -> TagField?
    {
      guard let value else { return nil }
      guard let text = value.fixed(digits, below: 1000) else { throw refusal(name, value) }
      return TagField(name: lowercase && isFree ? name.lowercased() : name, value: text + unit)
    }
    return try [
      field(trackGain, tags.trackGain, 2, " dB"), field(trackPeak, tags.trackPeak, 6, ""),
      field(albumGain, tags.albumGain, 2, " dB"), field(albumPeak, tags.albumPeak, 6, ""),
      field(reference, tags.referenceLoudness, 2, " LUFS"),
    ].compactMap { $0 }
  }

  /// Gains to −23 LUFS in 1/256 dB. Peaks and references have no names in Opus.
  private static func r128Fields(_ tags: LoudnessTags) throws -> [TagField] {
    let shift = r128Reference - (tags.referenceLoudness ?? LoudnessTags.usualReference)
    return try [(r128Track, tags.trackGain), (r128Album, tags.albumGain)].compactMap { name, gain in
      guard let gain else { return nil }
      let units = ((gain + shift) * 256).rounded()
      guard let number = Int16(exactly: units) else { throw refusal(name, gain) }
      return TagField(name: name, value: String(number))
    }
  }

  private static func refusal(_ name: String, _ value: Double) -> MediaError {
    MediaError(.usage, "\(name) can't state \(value); measure sound that isn't silent")
  }

  /// Names that a change of loudness removes from a file of `format`, whatever their letters.
  static func names(in format: TagFormat) -> [String] {
    switch format {
    case .oggOpus: [r128Track, r128Album] + replayGainNames
    case .mpeg, .wav, .aiff: replayGainNames + volumeFrames
    case .matroska: replayGainNames + matroskaNames
    default: replayGainNames
    }
  }

  /// Whether a field called `name` says something of loudness in a file of `format`.
  static func isOne(_ name: String, in format: TagFormat) -> Bool {
    names(in: format).contains(name.uppercased())
  }

  /// Fields on loudness among `fields`, in the order of their names.
  static func among(_ fields: [TagField], in format: TagFormat) -> [TagField] {
    sorted(fields.filter { isOne($0.name, in: format) })
  }

  /// `fields` in an order that doesn't depend on the file.
  static func sorted(_ fields: [TagField]) -> [TagField] {
    fields.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
  }

  /// Figures in the form of ReplayGain; a field of several values counts by its first.
  static func replayGain(_ fields: [TagField]) -> LoudnessTags {
    LoudnessTags(
      trackGain: figure(trackGain, fields), trackPeak: figure(trackPeak, fields),
      albumGain: figure(albumGain, fields), albumPeak: figure(albumPeak, fields),
      referenceLoudness: figure(reference, fields))
  }

  /// Figures in the form of Opus, with its reference where there are any.
  static func r128(_ fields: [TagField]) -> LoudnessTags {
    func gain(_ name: String) -> Double? {
      figure(name, fields).flatMap { Int16(exactly: $0) }.map { Double($0) / 256 }
    }
    let (track, album) = (gain(r128Track), gain(r128Album))
    let isThere = track != nil || album != nil
    return LoudnessTags(
      trackGain: track, albumGain: album, referenceLoudness: isThere ? r128Reference : nil)
  }

  /// The number that a value begins with, such as that of `-3.45 dB`; the file's own tag goes before another one.
  private static func figure(_ name: String, _ fields: [TagField]) -> Double? {
    let found = fields.filter { $0.name.uppercased() == name && $0.place != .volume }
    guard let field = found.first(where: { $0.place == .own }) ?? found.first else { return nil }
    let start = field.value.drop { $0 == " " }.prefix { "+-.0123456789eE".contains($0) }
    return Double(start).flatMap { $0.isFinite ? $0 : nil }
  }
}
