import AudioCore
import LibAV
import MediaIn
import Timeline

/// One container of an input, opened, decoded and trimmed by its own facts.
package final class TrackSection {
  package let media: MediaFile
  package let stream: StreamInfo
  package let reader: any TrackReader
  package let trimmed: TrimmedSource

  /// Opens the chosen track of `media`. At the programme's beginning and that of a link (`isFirst`), `priming` decides
  /// on start-up samples; later sections have only those that their container states.
  /// - Throws: ``MediaError`` when the track can't be read.
  package init(
    media: MediaFile, decoding: InputOptions, priming: PrimingOption, gaps: GapPolicy,
    isFirst: Bool, log: DiagnosticLog
  ) throws {
    self.media = media
    let opener = TrackOpener(media)
    stream = try opener.select(decoding.track, log: log)
    reader = try opener.open(stream, options: decoding, log: log)
    let facts = media.gaplessFacts(of: stream)
    let own: PrimingOption = facts.isExplicit && priming != .keep ? .automatic : .keep
    trimmed = try TrimmedSource(
      source: reader, facts: facts, priming: isFirst ? priming : own, gaps: gaps, log: log)
  }

  /// Descriptive tags of container and stream in order; the container's come first.
  package private(set) lazy var tags: MediaTags = media.tags(of: stream)

  /// Tags of container and stream as libavformat reads them, names in lower case; the container's come first.
  package var metadata: [String: String] {
    media.metadata.merging(stream.metadata) { first, _ in first }
  }
}

extension GaplessFacts {
  /// Whether the container itself speaks of start-up samples.
  fileprivate var isExplicit: Bool {
    rule.start.contains { source in
      switch source {
      case .editList: !edits.isEmpty && !startsWithFirstSample
      case .iTunSMPB: iTunSMPB != nil
      case .packetTable: packetTable != nil
      case .opusHeader: opusPreSkip != nil
      case .codecDelay: codecDelay != nil
      // A decoder marks these, or Pinna knows them; a section in mid-programme doesn't begin with them.
      case .firstPage, .lame, .decoder, .codecTable, .option: false
      }
    }
  }
}
