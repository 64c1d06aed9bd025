/// One track of a fragmented movie: everything but its samples (ISO/IEC 14496-12, 8.3).
package struct TrackBox: Sendable {
  /// What a track carries.
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

  /// What it carries.
  package var kind: Kind
  /// Ticks a second of its samples' times.
  package var timescale: Int
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
  /// Its edit list. Readers agree only on lists of exactly one entry.
  package var edits: EditListBox
  /// Samples to be decoded before one whose output is wanted, negative; `nil` for none (`roll`).
  package var rollDistance: Int?
  /// Number of the track that has the titles of its chapters, from 1; `nil` for none.
  package var chapterTrack: Int?
  /// Loudness, where known.
  package var loudness: TrackLoudness?
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
    rollDistance: Int? = nil, chapterTrack: Int? = nil, loudness: TrackLoudness? = nil,
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

  /// `udta` (8.10.1) with the loudness, and with the title as libavformat writes and newer versions of it read it: `name`,
  /// the bytes of the text alone.
  private func appendUserData(to track: inout BoxBuilder) {
    guard loudness != nil || storedTitle != nil else { return }
    track.box("udta") { data in
      if let loudness { data.append(LoudnessBox(loudness)) }
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
