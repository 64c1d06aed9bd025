// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The movie of a file: headers and tracks, whose samples may lie in fragments (ISO/IEC 14496-12, 8.2).
package struct MovieBox: WritableBox {
  /// Ticks a second of ``duration`` and of the tracks' edits.
  package var timescale: Int
  /// Length of the presentation with all fragments, in ticks of ``timescale``.
  package var duration: Int64
  /// Duration that `mehd` states in ticks of ``timescale``: not less than ``duration``. Readers that take it for the
  /// end of the media, not of the presentation, need the skipped starts of the tracks in it.
  package var fragmentDuration: Int64
  /// Whether the samples lie in fragments.
  package var isFragmented = true
  /// Tracks, numbered from 1 in this order.
  package var tracks: [TrackBox]
  /// Descriptive tags.
  package var tags: MovieTags

  /// A movie of the given tracks; `fragmentDuration` is the duration unless it is given.
  package init(
    timescale: Int, duration: Int64, fragmentDuration: Int64? = nil, tracks: [TrackBox],
    tags: MovieTags = MovieTags()
  ) {
    self.timescale = timescale
    self.duration = duration
    self.fragmentDuration = fragmentDuration ?? duration
    self.tracks = tracks
    self.tags = tags
  }

  /// Appends `moov` with `mvhd`, the tracks, `mvex` and `udta`.
  package func append(to builder: inout BoxBuilder) {
    builder.box("moov") { movie in
      appendHeader(to: &movie)
      for (index, track) in tracks.enumerated() { track.append(id: index + 1, to: &movie) }
      if isFragmented { appendExtends(to: &movie) }
      movie.append(TagsBox(tags))
    }
  }

  /// `mvhd` (8.2.2) with creation times 0, which means that none is stated.
  private func appendHeader(to movie: inout BoxBuilder) {
    movie.fullBox("mvhd", version: 1) { box in
      box.zeros(16)
      box.u32(timescale)
      box.u64(duration)
      box.fixed16(1)
      box.u16(0x0100)
      box.zeros(10)
      box.append(MovieBox.unityMatrix)
      box.zeros(24)
      box.u32(tracks.count + 1)
    }
  }

  /// `mvex` (8.8.1) with `mehd` (8.8.2) and one `trex` (8.8.3) for each track.
  private func appendExtends(to movie: inout BoxBuilder) {
    movie.box("mvex") { extends in
      extends.fullBox("mehd", version: 1) { $0.u64(fragmentDuration) }
      for (index, track) in tracks.enumerated() {
        extends.fullBox("trex") { box in
          box.u32(index + 1)
          box.u32(1)
          box.zeros(8)
          box.u32(track.kind == .video ? SampleFlags.dependent : SampleFlags.sync)
        }
      }
    }
  }

  /// The matrix that changes nothing (6.2.2).
  static let unityMatrix: [UInt8] =
    [0, 1, 0, 0] + [UInt8](repeating: 0, count: 12) + [0, 1, 0, 0]
    + [UInt8](repeating: 0, count: 12) + [0x40, 0, 0, 0]
}

/// One track of a movie: everything but its samples' bytes (ISO/IEC 14496-12, 8.3).
package struct TrackBox: Sendable {
  /// The content of a track.
  package enum Kind: Sendable, Equatable {
    /// Sound.
    case audio
    /// Moving pictures.
    case video
    /// Subtitles.
    case text
    /// Titles of chapters.
    case chapters
  }

  /// Longest title in bytes of UTF-8, far beyond those that users see whole.
  static let longestTitle = 1024

  /// Content of the track.
  package var kind: Kind
  /// Ticks a second of its samples' times.
  package var timescale: Int
  /// Ticks of all its samples, with what edits leave out; 0 where it isn't known beforehand.
  package var mediaDuration: Int64 = 0
  /// Its one sample entry, a whole box.
  package var sampleEntry: [UInt8]
  /// Language: a code of ISO 639 or a tag of BCP 47; empty when unknown.
  package var language: String
  /// Name that users give it, e.g. `English 5.1`; `nil` without a name.
  package var title: String?
  /// Whether it plays unless the user chooses otherwise.
  package var isEnabled: Bool
  /// Tracks of one group are alternatives of each other; 0 for none.
  package var alternateGroup: Int
  /// Tables of its samples; empty where fragments have them.
  package var samples = SampleTables()
  /// Its edit list. With fragments readers agree only on lists of exactly one entry.
  package var edits: EditListBox
  /// Samples to be decoded before one whose output is wanted, negative; `nil` for none (`roll`).
  package var rollDistance: Int?
  /// Number of the track that has the titles of its chapters, from 1; `nil` for none.
  package var chapterTrack: Int?
  /// Loudness, where known.
  package var loudness: LoudnessBox?
  /// Purposes of the track, as the role scheme of DASH names them (ISO/IEC 23009-1, 5.8.5.5).
  package var roles: [String] = []
  /// Width of the picture in pixels.
  package var width: Int
  /// Height of the picture in pixels.
  package var height: Int
  /// Transformation of the picture for display: the nine numbers of `tkhd`; `nil` for none.
  package var displayMatrix: [Int32]?

  /// A track with one edit.
  package init(
    kind: Kind, timescale: Int, sampleEntry: [UInt8], language: String = "",
    isEnabled: Bool = true, alternateGroup: Int = 0, edits: EditListBox,
    rollDistance: Int? = nil, chapterTrack: Int? = nil, loudness: LoudnessBox? = nil,
    width: Int = 0, height: Int = 0, displayMatrix: [Int32]? = nil
  ) {
    self.kind = kind
    self.timescale = timescale
    self.sampleEntry = sampleEntry
    self.language = language
    self.isEnabled = isEnabled
    self.alternateGroup = alternateGroup
    self.edits = edits
    self.rollDistance = rollDistance
    self.chapterTrack = chapterTrack
    self.loudness = loudness
    self.width = width
    self.height = height
    self.displayMatrix = displayMatrix
  }

  /// Appends `trak` with the given number, from 1.
  func append(id: Int, to builder: inout BoxBuilder) {
    builder.box("trak") { track in
      appendHeader(id, to: &track)
      track.box("edts") { $0.append(edits) }
      if let chapterTrack {
        // Reference to other tracks (8.3.3).
        track.box("tref") { reference in reference.box("chap") { $0.u32(chapterTrack) } }
      }
      track.append(MediaBox(track: self))
      appendUserData(to: &track)
    }
  }

  /// `udta` (8.10.1) with the roles (`kind`, 8.10.4), the loudness, and with the title as libavformat writes and newer versions of it read it: `name`,
  /// the bytes of the text alone.
  private func appendUserData(to track: inout BoxBuilder) {
    guard loudness != nil || storedTitle != nil || !roles.isEmpty else { return }
    track.box("udta") { data in
      for role in roles {
        data.fullBox("kind") {
          $0.string(DASHRole.scheme)
          $0.string(role)
        }
      }
      if let loudness { data.append(loudness) }
      if let storedTitle { data.box("name") { $0.append(storedTitle.utf8) } }
    }
  }

  /// The title up to its first NUL, which ends texts in boxes, and as long as is stored; `nil` without one.
  var storedTitle: String? {
    guard let text = title?.prefix(while: { $0 != "\0" }), !text.isEmpty else { return nil }
    return String(decoding: CutText.utf8(String(text), limit: TrackBox.longestTitle), as: UTF8.self)
  }

  /// `tkhd` (8.3.2); its duration is the sum of the edits.
  private func appendHeader(_ id: Int, to track: inout BoxBuilder) {
    let duration = edits.entries.reduce(Int64(0)) {
      Int64(clamping: UInt64(max(0, $0)) + UInt64(max(0, $1.duration)))
    }
    // Flags: 1 enabled, 2 part of the movie, 4 part of the preview.
    track.fullBox("tkhd", version: 1, flags: isEnabled ? 7 : 6) { box in
      box.zeros(16)
      box.u32(id)
      box.zeros(4)
      box.u64(duration)
      box.zeros(8)
      box.u16(0)
      box.u16(alternateGroup)
      box.u16(kind == .audio ? 0x0100 : 0)
      box.zeros(2)
      if let displayMatrix, displayMatrix.count == 9 {
        for value in displayMatrix { box.i32(value) }
      } else {
        box.append(MovieBox.unityMatrix)
      }
      box.fixed16(kind == .video ? width : 0)
      box.fixed16(kind == .video ? height : 0)
    }
  }
}

/// The media of one track of a movie (ISO/IEC 14496-12, 8.4).
struct MediaBox: WritableBox {
  let track: TrackBox

  func append(to builder: inout BoxBuilder) {
    builder.box("mdia") { media in
      appendHeader(to: &media)
      media.fullBox("hdlr") { box in
        box.zeros(4)
        box.fourCC(handler.type)
        box.zeros(12)
        // Many players show the handler's name as the track's.
        box.string(track.storedTitle ?? handler.name)
      }
      media.box("minf") { information in
        appendKind(to: &information)
        information.box("dinf") { data in
          data.fullBox("dref") { box in
            box.u32(1)
            // Flag 1: the samples are in this file.
            box.fullBox("url ", flags: 1) { _ in }
          }
        }
        information.append(SampleTableBox(track: track))
      }
    }
  }

  /// `mdhd` (8.4.2) with the code of ISO 639-2/T and, for languages that three letters can't name, `elng` (8.4.6).
  private func appendHeader(to media: inout BoxBuilder) {
    let tag = LanguageTag(track.language)
    let code = MediaBox.packed(tag?.terminological ?? track.language)
    media.fullBox("mdhd", version: 1) { box in
      box.zeros(16)
      box.u32(track.timescale)
      box.u64(track.mediaDuration)
      box.u16(code ?? MediaBox.undetermined)
      box.u16(0)
    }
    let isMore = tag.map { $0.text != $0.language } ?? false
    if !track.language.isEmpty, code == nil || isMore {
      media.fullBox("elng") { $0.string(tag?.text ?? track.language) }
    }
  }

  /// `smhd` (12.2.2), `vmhd` (12.1.2), `sthd` (12.6.2), `nmhd` (8.4.5.2) or `gmhd`.
  private func appendKind(to information: inout BoxBuilder) {
    switch track.kind {
    case .audio: information.fullBox("smhd") { $0.zeros(4) }
    case .video: information.fullBox("vmhd", flags: 1) { $0.zeros(8) }
    case .text:
      information.fullBox(handler.type == "subt" ? "sthd" : "nmhd") { _ in }
    case .chapters: MediaBox.appendGenericHeader(to: &information)
    }
  }

  /// The header of QuickTime's text media (QuickTime File Format, "Base media information header atoms"), with
  /// the values that libavformat writes: copied with dither, middle grey, balance 0; a matrix that changes nothing.
  private static func appendGenericHeader(to information: inout BoxBuilder) {
    information.box("gmhd") { header in
      header.fullBox("gmin") { box in
        box.u16(0x40)
        for _ in 0..<3 { box.u16(0x8000) }
        box.zeros(4)
      }
      header.box("text") { $0.append(MovieBox.unityMatrix) }
    }
  }

  private var handler: (type: String, name: String) {
    switch track.kind {
    case .audio: return ("soun", "Sound")
    case .video: return ("vide", "Video")
    case .chapters: return ("text", "Chapters")
    case .text:
      switch track.sampleEntry.dropFirst(4).prefix(4) {
      case ArraySlice("stpp".utf8): return ("subt", "Subtitles")
      case ArraySlice("tx3g".utf8): return ("sbtl", "Subtitles")
      default: return ("text", "Subtitles")
      }
    }
  }

  /// `und` (undetermined) in the form of ``packed(_:)``.
  private static let undetermined: UInt16 = 0x55C4

  /// Three letters in 5 bits each (8.4.2.3); `nil` when `language` isn't three lower-case letters.
  private static func packed(_ language: String) -> UInt16? {
    let letters = Array(language.utf8)
    guard letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else {
      return nil
    }
    return letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
  }
}

/// The sample table of a track (ISO/IEC 14496-12, 8.5).
struct SampleTableBox: WritableBox {
  let track: TrackBox

  func append(to builder: inout BoxBuilder) {
    builder.box("stbl") { table in
      table.fullBox("stsd") { box in
        box.u32(1)
        box.append(track.sampleEntry)
      }
      track.samples.append(to: &table)
      if let distance = track.rollDistance {
        // One group that `sbgp` boxes, here or in fragments, name as number 1 (8.9.3, 10.1).
        table.fullBox("sgpd", version: 1) { box in
          box.fourCC("roll")
          box.u32(2)
          box.u32(1)
          box.i16(distance)
        }
        guard track.samples.count > 0 else { return }
        table.fullBox("sbgp") { box in
          box.fourCC("roll")
          box.u32(1)
          box.u32(track.samples.count)
          box.u32(1)
        }
      }
    }
  }
}

/// Purposes of tracks in the words of DASH, which `kind` boxes state (ISO/IEC 23009-1, 5.8.5.5).
package enum DASHRole {
  package static let scheme = "urn:mpeg:dash:role:2011"
  /// Sound whose speech is easier to follow.
  package static let clearSpeech = "enhanced-audio-intelligibility"
}
