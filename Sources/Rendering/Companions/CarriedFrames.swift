// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Matroska
import MediaIn
import MediaOut
import Report

/// Tracks of sound, and of subtitles that are pictures or have styles, whose coded frames go into Matroska from any container that
/// libavformat opens, and from a part of Matroska.
///
/// A whole file of Matroska is copied by ``MatroskaOriginals``, which keeps more. Another tempo would have to change what is coded.
struct CarriedFrames {
  /// One track.
  private struct Track {
    let stream: StreamInfo
    let form: MatroskaForm
    /// Its description in a file of Matroska; `nil` for other containers.
    let original: MatroskaTrackEntry?
    let found: PacketSurvey.Track

    /// Time by which its blocks may be earlier presented than they state, whatever the clock: the start-up samples of Opus, or those
    /// that an edit list leaves out.
    let delay: MediaTime
  }

  private let tracks: [Track]
  private let survey: PacketSurvey
  private let media: MediaFile
  private let carriage: Carriage
  /// Start of the range on the source's clock; `nil` for the beginning.
  private let begin: MediaTime?
  /// Attached files of Matroska, such as fonts. Pictures among them are carried as covers.
  private let attachments: [MatroskaAttachment]
  /// Why streams that were wanted have no place in the output, as ends of sentences, by their indices.
  let misfits: [Int: String]

  /// The wanted tracks of `media` besides the rendered sound at `audio`; `nil` where the output or the request has no place for any.
  /// - Throws: ``MediaError`` of kind `damaged` for damage that the request doesn't conceal, and as reading does.
  init?(
    _ media: MediaFile?, clip: Clip, output: OutputRequest, audio: Companions.Place,
    log: DiagnosticLog
  ) throws {
    let files = OutputFiles(output)
    guard let media, media.container != nil, files.holds.contains(.originals), audio.tempo.isSame,
      output.rendition != nil
    else { return nil }
    self.media = media
    carriage = output.carriage
    let reader = MatroskaOriginals.reader(of: media)
    let entries = MatroskaOriginals.entries(of: media, reader)
    let docType = MatroskaDocType(files.kind) ?? .matroska
    attachments = docType.holdsAttachments ? CarriedFrames.attachments(reader, media) : []
    var (forms, misfits): ([(StreamInfo, MatroskaForm)], [Int: String]) = ([], [:])
    for stream in CarriedFrames.wanted(media, entries, output, files) {
      do throws(MatroskaForm.Misfit) {
        let form = try MatroskaForm.of(
          stream, entries[stream.index], isMatroska: media.format == .matroska)
        guard docType.holds(codec: form.codecID) else {
          throw MatroskaForm.Misfit("\(files.kind.traits.name) has no \(stream.codec)")
        }
        forms.append((stream, form))
      } catch { misfits[stream.index] = error.reason }
    }
    let begin = MediaTime(ticks: audio.start, rate: audio.sourceRate)
    self.begin = clip.range.start == nil ? nil : begin
    let range = FrameRange(
      begin: self.begin,
      end: audio.length.map { begin + MediaTime(ticks: $0, rate: audio.sourceRate) })
    survey = try PacketSurvey(
      file: media.file, forms.map { FrameStream($0, $1.form, preRoll: $1.preRoll) }, range: range,
      options: clip.decoding)
    for (place, track) in survey.tracks.enumerated() {
      if let fault = track.fault { misfits[forms[place].0.index] = fault }
    }
    self.misfits = misfits
    let found = survey
    tracks = found.usable.map { place in
      let (stream, form) = forms[place]
      return Track(
        stream: stream, form: form, original: entries[stream.index], found: found.tracks[place],
        delay: CarriedFrames.delay(media, stream, form, entries[stream.index], found.tracks[place])
      )
    }
    try note(clip, log)
  }

  /// The streams that are wanted, as far as nothing else carries them.
  private static func wanted(
    _ media: MediaFile, _ entries: [Int: MatroskaTrackEntry], _ output: OutputRequest,
    _ files: OutputFiles
  ) -> [StreamInfo] {
    // Beside what was rendered of a file of sound alone, nobody expects its own track; another file of Matroska has it all the same.
    let isFilm = media.format == .matroska || media.streams.count { $0.kind != .picture } > 1
    return media.streams.filter { stream in
      let entry = entries[stream.index]
      switch stream.kind {
      case .audio:
        return output.carriage.keptAudio.takes(
          entry?.languageBCP47 ?? entry?.language ?? stream.language ?? "und",
          byDefault: isFilm && !files.isForSoundOnly)
      case .subtitle:
        guard files.holds.contains(.subtitles), output.carriage.subtitles == .copied else {
          return false
        }
        // Texts become plain ones, but for styles that Matroska itself has.
        let isStyled =
          ["ass", "ssa"].contains(stream.codec) && media.format == .matroska
          && files.kind == .matroska
        return isStyled || !SubtitleTrack.codecs.contains(stream.codec)
      default: return false
      }
    }
  }

  /// Start-up samples that the file states; never more than there are in front of what it presents.
  private static func delay(
    _ media: MediaFile, _ stream: StreamInfo, _ form: MatroskaForm, _ entry: MatroskaTrackEntry?,
    _ found: PacketSurvey.Track
  ) -> MediaTime {
    let none = MediaTime(ticks: 0, rate: 1)
    guard stream.kind == .audio else { return none }
    if let skip = OpusHead(form)?.preSkip { return MediaTime(ticks: Int64(skip), rate: 48_000) }
    guard let edit = media.track(of: stream)?.edits.first(where: { $0.mediaTime >= 0 }) else {
      return entry?.codecDelay ?? none
    }
    let start = found.wanted.time(edit.mediaTime, shift: media.editShift(of: stream))
    return start.map { max(none, $0 + -found.first) } ?? none
  }

  private func note(_ clip: Clip, _ log: DiagnosticLog) throws {
    let damaged = survey.tracks.filter { $0.fault == nil }.reduce(0) { $0 + $1.damaged }
    let damage =
      survey.damage.map { "they end early, where the file is damaged (\($0))" }
      ?? (damaged > 0 ? "\(damaged) of their frames are damaged" : nil)
    if let damage, !tracks.isEmpty {
      guard clip.decoding.damage != .fail else {
        throw MediaError(
          .damaged, about: clip.input.name,
          "its tracks can't be copied whole (\(damage)); \(setting: .damage) conceal copies what is there, "
            + "\(setting: .keptAudio) none and \(setting: .subtitles) drop leave other tracks out")
      }
      log.degrade(.copiesCut, "tracks are copied with damage: \(damage)")
    }
    guard !tracks.isEmpty else { return }
    let names: [(StreamInfo.Kind, String)] = [(.audio, "of sound"), (.subtitle, "of subtitles")]
    let parts = names.compactMap { kind, name -> String? in
      let count = tracks.count { $0.stream.kind == kind }
      return count == 0 ? nil : "\(count) \(name)"
    }
    log.decide(
      .originals, "tracks copied: \(parts.joined(separator: ", "))",
      why: "frame by frame as they are in the input"
        + (hasSound ? "; level and endpoint hold for the rendered track alone" : ""))
  }

  private static func attachments(
    _ reader: MatroskaReader?, _ media: MediaFile
  ) -> [MatroskaAttachment] {
    // A fault among them leaves their ends unknown.
    guard let reader, reader.partFault == nil else { return [] }
    let file = media.file
    let source = file.source
    return reader.attachments.filter { !$0.mediaType.hasPrefix("image/") }
      .map { MatroskaAttachment($0, of: source) }
  }

  /// Streams that are copied; libavformat lists attached files among them.
  var streams: Set<Int> {
    let files = media.streams.filter { $0.kind == .other && $0.metadata["filename"] != nil }
    return Set(tracks.map(\.stream.index) + (attachments.isEmpty ? [] : files.map(\.index)))
  }

  /// Whether sound is among them.
  var hasSound: Bool { tracks.contains { $0.stream.kind == .audio } }

  /// Whether anything is copied.
  var hasTracks: Bool { !tracks.isEmpty }

  /// Their starts on the source's clock: their first blocks, as far as those can't be earlier than zero.
  var begins: [MediaTime] {
    tracks.map { track in
      let first = track.found.first + track.delay
      return begin.map { max($0, first) } ?? first
    }
  }

  /// Kind, codec and language of each track, for the report.
  var facts: [(kind: RenderReport.CopiedTrack.Kind, codec: String, language: String?)] {
    tracks.map { track in
      let language = track.original.map { $0.languageBCP47 ?? $0.language }
      return (
        track.stream.kind == .audio ? .audio : .subtitles, track.stream.codec,
        language.map { LanguageTag($0)?.text } ?? track.stream.language
      )
    }
  }

  /// Attached files, and the mark of sound that is virtualised already: a file that has it says so of the copied tracks, too.
  var parts: MatroskaParts {
    var parts = MatroskaParts()
    parts.attachments = attachments
    let sounds = tracks.indices.filter { tracks[$0].stream.kind == .audio }
    guard let first = sounds.first,
      let mark = Virtualization.stated(by: media.tags(of: tracks[first].stream))
    else { return parts }
    var tag = MatroskaTag([MatroskaTag.Entry("ENCODER", mark.mark)])
    tag.trackUIDs = sounds.map(uid)
    parts.tags = [MatroskaTag.encoded([tag])]
    parts.trackUIDs = Set(tag.trackUIDs)
    return parts
  }

  /// The number that tags refer to. Those of Matroska's own tracks may be missing or twice there.
  private func uid(_ place: Int) -> UInt64 { UInt64(tracks[place].stream.index + 1) }

  /// The tracks, to be written with times on `clock`.
  /// - Throws: ``MediaError`` when the file can't be opened again.
  func makeTracks(_ clock: PresentationClock) throws -> any CodedTracks {
    FrameTracks(
      name: "\(media.file.path): its other tracks", frames: try survey.makeFrames(),
      tracks: tracks.indices.map { facts(of: $0, clock) }, clock: clock,
      counts: tracks.map(\.found.count))
  }
}

extension CarriedFrames {
  private func facts(of place: Int, _ clock: PresentationClock) -> OutputTrackFacts {
    let (track, base) = (tracks[place], tracks[place].stream.timeBase)
    let entry = entry(of: place, clock)
    let scale = clock.timescale(numerator: base.numerator, denominator: base.denominator)
    var facts = OutputTrackFacts(
      entry.kind == .audio ? .sound : .subtitles, .matroska(entry), timescale: Int(scale), length: 0
    )
    let factor = scale / base.denominator
    let first = clock.time(track.found.first)
    let ticks = MediaTime.rescale(first.ticks, by: scale, over: first.rate)
    let (grid, isFar) = track.found.grid.multipliedReportingOverflow(by: factor)
    // All times are multiples of what divides the first one and the distances.
    facts.grid = isFar ? 1 : max(1, grid.commonDivisor(ticks))
    facts.mostSamples = track.found.count
    facts.roles = entry.isDefault ? .main : []
    facts.language = entry.languageBCP47 ?? entry.language
    facts.name = entry.name
    return facts
  }

  private func entry(of place: Int, _ clock: PresentationClock) -> MatroskaTrackEntry {
    let track = tracks[place]
    let title = media.title(of: track.stream)
    var entry =
      track.original
      ?? MatroskaTrackEntry(track.stream, track.form, number: place + 1, title: title)
    entry.verbatim = nil
    entry.uid = uid(place)
    if !carriage.keepsMetadata { entry.name = nil }
    entry.codecPrivate = track.found.configuration ?? track.form.codecPrivate
    guard track.stream.kind == .audio else { return entry }
    // Players shall take the rendered track.
    entry.isDefault = false
    if track.form.codecID == "A_AAC" { entry.nameCoreRate() }
    entry.defaultDuration = entry.defaultDuration ?? frame(track)
    let early = -clock.time(track.found.first)
    let zero = MediaTime(ticks: 0, rate: 1)
    if let head = OpusHead(track.form) {
      // Decoders take off what the header states, which has to be what the container states.
      let moved = head.delayed(atLeast: early)
      entry.codecPrivate = moved.bytes
      entry.codecDelay = MediaTime(ticks: Int64(moved.preSkip), rate: 48_000)
    } else {
      entry.codecDelay = max(zero, early)
    }
    return entry
  }

  /// The length of a frame by its codec, where that is what the times of the container are rounded from.
  private func frame(_ track: Track) -> MediaTime? {
    guard let stated = track.found.frame, let exact = track.found.wanted.frame else { return nil }
    let base = track.stream.timeBase
    let tick = MediaTime(ticks: base.numerator, rate: base.denominator)
    return max(exact, stated) + -min(exact, stated) <= tick ? exact : nil
  }
}

extension MatroskaTrackEntry {
  /// Hz of the rates that AudioSpecificConfig has numbers for (ISO/IEC 14496-3, table 1.18).
  private static let rates: [Double] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]

  /// States the rate of AAC itself, and as that of the output one that spectral band replication makes of it.
  fileprivate mutating func nameCoreRate() {
    guard let head = codecPrivate, head.count >= 2, let output = sound?.rate else { return }
    let number = Int(head[0] & 7) << 1 | Int(head[1] >> 7)
    guard Self.rates.indices.contains(number), Self.rates[number] * 2 == output else { return }
    sound?.outputRate = output
    sound?.rate = Self.rates[number]
  }
}

/// The header of Opus (RFC 7845, 5.1).
private struct OpusHead {
  private(set) var bytes: [UInt8]

  /// The header of a form; `nil` for other codecs.
  init?(_ form: MatroskaForm) {
    guard form.codecID == "A_OPUS", let head = form.codecPrivate, head.count >= 19 else {
      return nil
    }
    bytes = head
  }

  /// Samples of 48 kHz that decoders take off.
  var preSkip: Int { Int(bytes[10]) | Int(bytes[11]) << 8 }

  /// The header for a stream that begins `early` before what is presented.
  func delayed(atLeast early: MediaTime) -> OpusHead {
    let samples = MediaTime.rescale(early.ticks, by: 48_000, over: early.rate)
    // A time between two samples is the later one's, so that no block lies before zero.
    let isBehind = MediaTime(ticks: samples, rate: 48_000) < early
    let needed = Saturating.sum(samples, isBehind ? 1 : 0)
    guard needed > preSkip, let skip = UInt16(exactly: needed) else { return self }
    var head = self
    (head.bytes[10], head.bytes[11]) = (UInt8(skip & 0xFF), UInt8(skip >> 8))
    return head
  }
}

/// Hands out the frames of several tracks in the order of their file.
private final class FrameTracks: CodedTracks {
  let name: String
  let tracks: [OutputTrackFacts]
  private let frames: PacketFrames
  private let clock: PresentationClock
  /// Frames that are still to come.
  private var left: [Int]

  init(
    name: String, frames: PacketFrames, tracks: [OutputTrackFacts], clock: PresentationClock,
    counts: [Int]
  ) {
    self.name = name
    self.frames = frames
    self.tracks = tracks
    self.clock = clock
    left = counts
  }

  func nextOfAll() throws -> (track: Int, sample: MediaSample)? {
    guard let frame = try frames.next() else {
      guard left.allSatisfy({ $0 == 0 }) else { throw changed }
      return nil
    }
    left[frame.track] -= 1
    guard left[frame.track] >= 0 else { throw changed }
    let facts = tracks[frame.track]
    let time = clock.time(frame.time)
    let isText = facts.kind == .subtitles
    var sample = MediaSample(
      data: frame.data,
      decodeTime: MediaTime.rescale(time.ticks, by: Int64(facts.timescale), over: time.rate),
      duration: 1, isSync: frame.isKey)
    sample.frame = MatroskaFrame(
      frame.data, isKey: isText || frame.isKey, duration: isText ? frame.duration : nil,
      discardPadding: frame.padding)
    return (frame.track, sample)
  }

  private var changed: MediaError {
    MediaError(.inputUnreadable, "\(name) aren't those that were found; was the file changed?")
  }
}
