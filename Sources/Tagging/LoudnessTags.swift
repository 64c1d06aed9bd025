// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Loudness of a track and of its album, as tags state it.
package struct LoudnessTags: Sendable, Equatable {
  /// Loudness that gains lead to where ``referenceLoudness`` states none, in LUFS (ReplayGain 2.0).
  package static let usualReference = -18.0

  /// Gain of the track to the reference, in dB.
  package var trackGain: Double?
  /// Largest sample or true peak of the track; 1 is full scale.
  package var trackPeak: Double?
  /// Gain of the whole album to the reference, in dB.
  package var albumGain: Double?
  /// Largest sample or true peak of the album; 1 is full scale.
  package var albumPeak: Double?
  /// Loudness that the gains lead to, in LUFS; `nil` is −18 and isn't written.
  package var referenceLoudness: Double?

  /// Tags of these values. A value that is `nil` isn't written, and is removed where a file has it.
  package init(
    trackGain: Double? = nil, trackPeak: Double? = nil, albumGain: Double? = nil,
    albumPeak: Double? = nil, referenceLoudness: Double? = nil
  ) {
    self.trackGain = trackGain
    self.trackPeak = trackPeak
    self.albumGain = albumGain
    self.albumPeak = albumPeak
    self.referenceLoudness = referenceLoudness
  }

  /// No tags: writing them removes all that a file has.
  package static let none = LoudnessTags()
}

/// Loudness as a file states it.
package struct StoredLoudness: Sendable, Equatable {
  /// How the file holds its tags.
  package let format: TagFormat
  /// The tags in the form of ReplayGain; gains of files without a stated reference are to −18 LUFS.
  package let replayGain: LoudnessTags
  /// The gains of Opus (RFC 7845, 5.2.1), to −23 LUFS, with that reference; empty in other formats.
  package let r128: LoudnessTags
  /// Gain in the header of Opus that players add to that of the tags, in dB; `nil` in other formats.
  package let outputGain: Double?
  /// Whether the file is a film: Matroska with a track of pictures.
  package let isFilm: Bool

  /// Reads the tags of the file at `path`.
  /// - Throws: ``MediaError`` of kind `inputMissing`, `inputUnreadable`, `unsupportedFeature` or `damaged`.
  package init(path: String) throws { try self.init(LocalFile(path: path)) }

  init(_ file: LocalFile) throws {
    let kind = try TaggableFile(file)
    let matroska = kind.format == .matroska ? try MatroskaTags(file, file.path) : nil
    let fields = try matroska?.fields ?? kind.fields(of: file, file.path)
    isFilm = matroska?.hasPictures ?? false
    format = kind.format
    replayGain = LoudnessFields.replayGain(fields)
    r128 = format == .oggOpus ? LoudnessFields.r128(fields) : .none
    outputGain = format == .oggOpus ? OggPages.outputGain(file) : nil
  }
}
