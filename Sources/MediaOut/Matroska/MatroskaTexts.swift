// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Matroska
import Signal

/// Parts of a Matroska file that another one gets as they are.
package struct MatroskaParts {
  /// The whole Chapters element; `nil` for none, and where other times need others.
  package var chapters: [UInt8]?
  package var attachments: [MatroskaAttachment] = []
  /// Whole Tags elements.
  package var tags: [[UInt8]] = []
  /// Numbers of tracks that tags may refer to, whether the tracks are copied or not.
  package var trackUIDs: Set<UInt64> = []

  /// No part.
  package init() {}
}

extension MatroskaSegment {
  /// Adds parts of another file.
  mutating func add(_ parts: MatroskaParts) {
    if let element = parts.chapters { chapters = .verbatim(element) }
    attachments = parts.attachments + attachments
    tags = parts.tags.map { .verbatim($0) } + tags
  }

  /// Names of attached covers that players look for (Matroska's notes on cover art).
  private static let coverNames = ["image/jpeg": "cover.jpg", "image/png": "cover.png"]

  /// Adds chapters, covers and tags, and the level of its sound.
  ///
  /// `facts` are those of its tracks.
  mutating func add(_ texts: TrackTexts, _ facts: [OutputTrackFacts]) {
    if !texts.chapters.isEmpty { chapters = .made(MatroskaChapters(texts.chapters)) }
    attachments = texts.pictures.enumerated().map { index, picture in
      let isCover = index == texts.pictures.firstIndex { $0.kind == AttachedPicture.frontCover }
      let cover = MatroskaSegment.coverNames[picture.mediaType] ?? "cover"
      return MatroskaAttachment(
        name: isCover ? cover : "picture\(index + 1)" + cover.dropFirst("cover".count),
        mediaType: picture.mediaType, uid: UInt64(index + 1),
        description: picture.text.isEmpty ? nil : picture.text, .bytes(picture.bytes))
    }
    // The first title stands in Info, and readers list both.
    let title = texts.tags.entries.firstIndex { $0.value == info.title }
    let others = texts.tags.entries.enumerated().filter { $0.offset != title }.map(\.element)
    let entries = others.map { entry in
      MatroskaTag.Entry(CommentBlock.name(of: entry).uppercased(), entry.value)
    }
    // Without a level, tags are those of the whole file (RFC 9559, 5.1.8.1.1).
    var all = entries.isEmpty ? [] : [MatroskaTag(entries)]
    for (track, facts) in zip(tracks, facts) where facts.kind == .sound && !facts.isOriginal {
      let maker = facts.maker.map { [MatroskaTag.Entry("ENCODER", $0)] } ?? []
      var own = texts
      (own.loudness, own.albumLoudness) = (facts.loudness?.track, facts.loudness?.album)
      let entries = maker + own.replayGain.map { MatroskaTag.Entry($0.name, $0.value) }
      guard !entries.isEmpty else { continue }
      var tag = MatroskaTag(entries)
      tag.trackUIDs = [track.uid]
      all.append(tag)
    }
    if !all.isEmpty { tags = [.made(all)] }
  }
}

extension MatroskaChapters {
  /// One edition of chapters that follow each other.
  fileprivate init(_ markers: [ProgrammeMarker]) {
    let chapters = markers.enumerated().map { index, marker in
      Chapter(
        uid: UInt64(index + 1), start: marker.time,
        end: index + 1 < markers.count ? markers[index + 1].time : nil,
        titles: marker.title.isEmpty ? [] : [Chapter.Title(marker.title)])
    }
    self.init([Edition(chapters)])
  }
}
