// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Matroska
import MediaIn
import MediaOut
import Report

/// The tracks and parts of a Matroska file that go into another one as they are: entries, frames and elements byte for byte, whatever
/// their codecs.
///
/// Only a whole file keeps them. A range or another tempo moves times inside elements and frames that nobody here reads.
struct MatroskaOriginals {
  /// A first frame that is later than this isn't at the file's own zero, in nanoseconds.
  private static let latestStart: Int64 = 60_000_000_000

  private let reader: MatroskaReader
  private let source: ByteSource
  private let path: String
  private let carriage: Carriage
  private let damage: DamagePolicy
  /// Whether a rendered track lies beside them.
  private let isBesideRendered: Bool
  private let docType: MatroskaDocType
  private let log: DiagnosticLog
  /// The first frame's time, in nanoseconds.
  private let start: Int64
  /// The entries of the tracks that are copied, in the order of the file, and their streams where libavformat lists them.
  let entries: [MatroskaTrackEntry]
  let streams: Set<Int>
  private let codecs: [Int: String]
  /// Their streams by the numbers of the tracks.
  private let numbers: [Int: Int]
  /// Chapters, attached files and tags.
  private(set) var parts = MatroskaParts()

  /// The originals of `media`; `nil` where another container is read or written, a part is wanted, a track has a codec that the output
  /// doesn't have, or the file is damaged, which leaves them to libavformat.
  init?(
    _ media: MediaFile?, clip: Clip, output: OutputRequest, tempo: Tempo, log: DiagnosticLog
  ) {
    let files = OutputFiles(output)
    guard let media, media.format == .matroska, files.holds.contains(.originals), tempo.isSame,
      clip.range == Clip.Range()
    else { return nil }
    let file = media.file
    let docType = MatroskaDocType(files.kind) ?? .matroska
    let source = file.source
    // A proof reads copied elements to their innermost ones.
    let (reader, finding) = MatroskaOriginals.read(source)
    guard let reader, finding == nil else {
      log.degrade(
        .copiesCut,
        "tracks and parts can't be copied as they are (\(finding.map { "\($0)" } ?? "unreadable")), so that only what could be read of tracks, covers and chapters comes along"
      )
      return nil
    }
    guard let start = MatroskaOriginals.start(reader) else { return nil }
    self.start = start
    let streams = MatroskaOriginals.streams(of: media, reader.tracks)
    let wish = Wish(output, clip.decoding.track, media, streams)
    let taken = reader.tracks.filter { wish.takes($0) }
    // Tracks that WebM doesn't have may have another form there, which is made elsewhere.
    guard taken.allSatisfy({ docType.holds(codec: $0.codecID) }) else { return nil }
    entries = MatroskaOriginals.withOwnUIDs(taken)
    self.streams = Set(
      entries.compactMap { streams[$0.number]?.index }
        + media.streams.filter { docType.holdsAttachments && wish.takesAttachment($0) }.map(
          \.index))
    codecs = streams.mapValues(\.codec)
    numbers = streams.mapValues(\.index)
    self.reader = reader
    self.source = source
    carriage = output.carriage
    isBesideRendered = output.rendition != nil
    self.docType = docType
    self.log = log
    path = file.path
    damage = clip.decoding.damage
    note()
    parts = makeParts()
  }

  /// A reader of the file, and the first fault that keeps the file from being copied as it is.
  private static func read(_ source: ByteSource) -> (MatroskaReader?, MatroskaFinding?) {
    do throws(MatroskaFinding) {
      let reader = try MatroskaReader(source)
      return (reader, reader.findings.first ?? reader.partFault)
    } catch { return (nil, error) }
  }

  /// The earliest time among the first frames of all tracks, in nanoseconds; `nil` without a frame. Tracks that begin after many frames of
  /// others begin later than those.
  private static func start(_ reader: MatroskaReader) -> Int64? {
    let delays = Dictionary(
      reader.tracks.map { ($0.number, $0.codecDelay.nanoseconds) },
      uniquingKeysWith: { first, _ in first })
    var frames = reader.frames()
    var found: [Int: Int64] = [:]
    var count = 0
    while count < 2000, found.count < delays.count, let frame = try? frames.next() {
      count += 1
      guard found[frame.track] == nil else { continue }
      found[frame.track] = Saturating.difference(frame.time, delays[frame.track] ?? 0)
    }
    return found.values.min()
  }

  /// Entries with numbers for tags of their own: some programs write none, or one number twice.
  private static func withOwnUIDs(_ entries: [MatroskaTrackEntry]) -> [MatroskaTrackEntry] {
    var taken = Set(entries.map(\.uid))
    var seen: Set<UInt64> = [0]
    return entries.map { entry in
      var entry = entry
      if !seen.insert(entry.uid).inserted {
        var free: UInt64 = 1
        while taken.contains(free) { free += 1 }
        taken.insert(free)
        entry.setUID(free)
      }
      return entry
    }
  }

  /// The parts of a file that are wanted.
  private struct Wish {
    private let carriage: Carriage
    private let files: OutputFiles
    /// Numbers of the tracks of sound that are taken where nothing is said of them; `nil` for all.
    private let usual: Set<Int>?

    /// A copy without a rendered track keeps all sound, unless one track of it is chosen.
    init(
      _ output: OutputRequest, _ choice: TrackChoice, _ media: MediaFile,
      _ streams: [Int: StreamInfo]
    ) {
      carriage = output.carriage
      files = OutputFiles(output)
      guard output.rendition == nil else {
        usual = files.isForSoundOnly ? [] : nil
        return
      }
      guard choice != .automatic, choice != .all,
        let numbers = try? choice.numbers(among: media.streams, path: media.file.path)
      else {
        usual = nil
        return
      }
      let sounds = media.streams.filter { $0.kind == .audio }
      let chosen = Set(numbers.map { sounds[$0].index })
      usual = Set(streams.filter { chosen.contains($0.value.index) }.keys)
    }

    func takes(_ entry: MatroskaTrackEntry) -> Bool {
      switch entry.kind {
      case .video: return carriage.keepsVideo && files.holds.contains(.video)
      case .audio:
        return carriage.keptAudio.takes(
          entry.languageBCP47 ?? entry.language, byDefault: usual?.contains(entry.number) ?? true)
      case .subtitle: return carriage.subtitles == .copied
      default: return true
      }
    }

    /// Whether an attached file stays, which libavformat lists as a stream.
    func takesAttachment(_ stream: StreamInfo) -> Bool {
      switch stream.kind {
      case .picture: return carriage.keepsMetadata
      case .other: return stream.metadata["filename"] != nil
      default: return false
      }
    }
  }

  /// The streams of the tracks by their numbers; none of a kind of which libavformat lists more or fewer than there are.
  private static func streams(
    of media: MediaFile, _ entries: [MatroskaTrackEntry]
  ) -> [Int: StreamInfo] {
    let kinds: [(StreamInfo.Kind, MatroskaTrackEntry.Kind)] = [
      (.audio, .audio), (.video, .video), (.subtitle, .subtitle),
    ]
    let pairs = kinds.flatMap { kind -> [(Int, StreamInfo)] in
      let streams = media.streams.filter { $0.kind == kind.0 }
      let tracks = entries.filter { $0.kind == kind.1 }
      return streams.count == tracks.count ? Array(zip(tracks.map(\.number), streams)) : []
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// A reader of `media`; `nil` for other containers, and for a file that can't be read.
  static func reader(of media: MediaFile) -> MatroskaReader? {
    guard media.format == .matroska else { return nil }
    let file = media.file
    return try? MatroskaReader(file.source)
  }

  /// The descriptions of the tracks of `media`, which `reader` reads, by the indices of their streams.
  static func entries(of media: MediaFile, _ reader: MatroskaReader?) -> [Int: MatroskaTrackEntry] {
    let entries = reader?.tracks ?? []
    let numbers = Dictionary(
      entries.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    let pairs = streams(of: media, entries).compactMap { number, stream in
      numbers[number].map { (stream.index, $0) }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// Whether sound is among the tracks.
  var hasSound: Bool { entries.contains { $0.kind == .audio } }

  /// Whether anything with a place in time is copied.
  var hasTracks: Bool { !entries.isEmpty }

  /// Time of their earliest frame on the source's clock.
  var begin: MediaTime { .nanoseconds(start) }

  /// Whether the output's zero can be that of the file, so that no time of a copied track changes.
  var beginsNearZero: Bool { start <= MatroskaOriginals.latestStart }

  private func note() {
    let names: [(MatroskaTrackEntry.Kind, String)] = [
      (.video, "of video"), (.audio, "of sound"), (.subtitle, "of subtitles"),
    ]
    let parts = names.compactMap { kind, name -> String? in
      let count = entries.filter { $0.kind == kind }.count
      return count == 0 ? nil : "\(count) \(name)"
    }
    let rest = entries.count { entry in !names.contains { $0.0 == entry.kind } }
    let all = parts + (rest == 0 ? [] : ["\(rest) of other kinds"])
    log.decide(
      .originals, all.isEmpty ? "no track copied" : "tracks copied: \(all.joined(separator: ", "))",
      why: "as they are in the input"
        + (hasSound && isBesideRendered
          ? "; level and endpoint hold for the rendered track alone" : ""))
  }
}

extension MatroskaOriginals {
  /// The tracks, to be written with times on `clock`.
  func makeTracks(_ clock: PresentationClock) -> any CodedTracks {
    OriginalTracks(
      name: path, frames: reader.frames(of: Set(entries.map(\.number)), as: .stored),
      entries: entries.map(settled), scale: reader.info.timestampScale,
      shift: clock.time(.nanoseconds(0)), conceals: damage == .fail ? nil : log)
  }

  /// An entry as it is written: beside a rendered track, no copied one is the sound that players take, and without metadata none has a
  /// name.
  private func settled(_ entry: MatroskaTrackEntry) -> MatroskaTrackEntry {
    var entry = entry
    if entry.kind == .audio, isBesideRendered { entry.isDefault = false }
    if !carriage.keepsMetadata { entry.removeName() }
    return entry
  }

  private func makeParts() -> MatroskaParts {
    var parts = MatroskaParts()
    if carriage.keepsChapters { parts.chapters = reader.chapters }
    let files = reader.attachments.filter {
      docType.holdsAttachments && (carriage.keepsMetadata || !$0.mediaType.hasPrefix("image/"))
    }
    parts.attachments = files.map { MatroskaAttachment($0, of: source) }
    if carriage.keepsMetadata { parts.tags = keptTags }
    parts.trackUIDs = Set(reader.tracks.map(\.uid))
    let mark = virtualizationTag
    if !mark.isEmpty { parts.tags.append(mark) }
    return parts
  }

  /// Seconds that the file states.
  var duration: Double {
    let seconds = (reader.info.duration ?? 0) * Double(reader.info.timestampScale) / 1_000_000_000
    // A hostile length must not cause a trap; a file lasts no century.
    return min(max(0, seconds), 3_000_000_000)
  }

  /// The place of a stream's track among ``entries``; `nil` for one that isn't copied.
  func place(of stream: StreamInfo) -> Int? {
    entries.firstIndex { numbers[$0.number] == stream.index }
  }

  /// The language of a stream's track as a tag of BCP 47, of which libavformat knows the first part alone; `nil` where none is stated.
  func language(of stream: Int) -> String? {
    reader.tracks.first { numbers[$0.number] == stream }?.languageBCP47
  }

  /// The title of the whole file.
  var title: String? { carriage.keepsMetadata ? reader.info.title : nil }

  /// Tags elements with what still holds: no tags of tracks that are gone, and no level of the whole file, whose sound has another
  /// one now. If all of an element holds, it stays as it is.
  private var keptTags: [[UInt8]] {
    let uids = Set(entries.map(\.uid))
    var levels: [String] = []
    let elements = reader.tags.map { element in
      let all = MatroskaTag.all(element: element)
      let kept = all.compactMap { tag -> MatroskaTag? in
        if tag.isOfTracksAlone { return uids.isDisjoint(with: tag.trackUIDs) ? nil : tag }
        let entries = tag.entries.filter {
          !isBesideRendered || !SourceTags.statesLevel($0.name)
        }
        guard entries.count < tag.entries.count else { return tag }
        levels += tag.entries.map(\.name).filter(SourceTags.statesLevel)
        var tag = tag
        (tag.entries, tag.verbatim) = (entries, nil)
        return entries.isEmpty ? nil : tag
      }
      return kept == all ? element : MatroskaTag.encoded(kept)
    }
    SourceTags.noteLevels(levels, log)
    return elements.filter { !$0.isEmpty }
  }

  /// A file that Pinna made of one track states in its own name what the sound is virtualised for; beside a rendered track the copy
  /// needs a tag of its own. No bytes where nothing is stated.
  private var virtualizationTag: [UInt8] {
    let apps = [reader.info.writingApp, reader.info.muxingApp]
    guard
      let app = apps.first(where: { app in
        Virtualization.allCases.contains { app.contains($0.mark) }
      })
    else { return [] }
    var tag = MatroskaTag([MatroskaTag.Entry("ENCODER", app)])
    tag.trackUIDs = entries.filter { $0.kind == .audio }.map(\.uid)
    return tag.trackUIDs.isEmpty ? [] : MatroskaTag.encoded([tag])
  }

  /// Kind, codec and language of each track, for the report.
  var facts: [(kind: RenderReport.CopiedTrack.Kind, codec: String, language: String?)] {
    entries.map { entry in
      let kinds: [MatroskaTrackEntry.Kind: RenderReport.CopiedTrack.Kind] = [
        .video: .video, .audio: .audio, .subtitle: .subtitles,
      ]
      let language = LanguageTag(entry.languageBCP47 ?? entry.language)?.text
      return (kinds[entry.kind] ?? .other, codecs[entry.number] ?? entry.codecID, language)
    }
  }
}
