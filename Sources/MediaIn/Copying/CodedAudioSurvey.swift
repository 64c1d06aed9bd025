// SPDX-License-Identifier: Apache-2.0
import AC4
import AudioCore
import ISOBMFF
import LibAV
import Platform

/// Everything that must be known of an audio track before its first frame is copied. All of its frames
/// are read once to find it.
package struct CodedAudioSurvey {
  /// The file and its container.
  package let media: MediaFile
  package let stream: StreamInfo
  package let coding: CopiedCoding
  /// Facts from the first frame and the container.
  package let facts: CodedAudioFacts
  /// Ticks a second of the frames' times.
  package let timescale: Int64
  /// Frames before the first that is copied.
  package let skipped: Int
  /// Frames that are copied.
  package let count: Int
  /// Time of the first copied frame.
  package let firstTime: Int64
  /// Ticks of the copied frames before what is presented.
  package let mediaTime: Int64
  /// Ticks that are presented.
  package let validDuration: Int64
  /// Time on the source's clock at which the presented part begins: ticks over ticks a second.
  package let start: (ticks: Int64, rate: Int64)

  private let file: LocalFile

  /// Reads all frames of the chosen track of `file`.
  /// - Parameters:
  ///   - file: the file.
  ///   - options: how it is opened, and which track.
  ///   - from: where the range begins, in seconds from the track's beginning; frames are whole.
  ///   - to: where it ends.
  ///   - log: takes decisions.
  /// - Throws: ``MediaError`` of kind `unsupported-codec` when the track can't be copied, and as
  ///   reading does.
  package init(
    file: LocalFile, options: InputOptions, from: MediaTime?, to: MediaTime?, log: DiagnosticLog
  ) throws {
    self.file = file
    let choice = try CopyChoice(file: file, options: options, log: log)
    media = choice.media
    stream = choice.stream
    coding = choice.coding
    let source = try choice.makeSource(log: log)
    var units = WholeUnits(source, choice, log: log)
    guard let first = try units.next() else {
      throw MediaError(.noAudio, about: file.path, "its audio track holds no frames")
    }
    facts = try CodedAudioFacts.read(choice, source, first: first.data, path: file.path)
    timescale = source.timescale
    let edit = try choice.edit(source, log: log)
    var extent = CodedExtent(
      from: from, to: to, edit: edit, timescale: source.timescale, damaged: units.skipped,
      needsFormer: coding == .aac)
    extent.add(first)
    while let unit = try units.next() { extent.add(unit) }
    try ContainerCheck(media: media, stream: stream, log: log).checkEnd(.fail)
    guard extent.count > 0, extent.reachesRange else {
      if from == nil, to == nil {
        throw MediaError(
          .damaged, about: file.path, "its audio track has no frame that decoding can begin with")
      }
      throw MediaError(
        .usage,
        "the range from \(setting: .rangeStart) to \(setting: .rangeEnd) lies beyond the end of \(file.path)"
      )
    }
    skipped = extent.skipped
    count = extent.count
    firstTime = extent.firstTime
    let isWhole = from == nil && to == nil
    // The presented part may begin before the first frame that can be copied, or after it.
    let ahead = (edit?.mediaTime ?? 0) - extent.firstTime
    let lead = isWhole ? max(0, min(ahead, extent.length - 1)) : extent.lead
    let presented = isWhole ? edit?.duration.map { $0 + min(0, ahead) } : nil
    mediaTime = lead
    validDuration = max(1, min(presented ?? .max, extent.length - lead))
    let origin = source.origin
    if origin.rate == source.timescale {
      start = (origin.ticks + (edit?.shift ?? 0) + extent.firstTime + lead, source.timescale)
    } else {
      let rate = MediaTime.leastCommonMultiple(origin.rate, source.timescale)
      // Sources refuse times that don't fit here.
      let begin = (extent.firstTime + lead) * (rate / source.timescale)
      start = (origin.ticks * (rate / origin.rate) + begin, rate)
    }
    note(extent, source.timescale, isWhole: isWhole, log)
  }

  /// Whether the coded sound holds audio objects; unknown for AC-4 and MPEG-H, whose frames aren't searched for them.
  package var objects: ProgrammeFacts.Presence {
    switch coding {
    case .dolby(.ac4), .mpegH: .unknown
    case .dolby, .iamf, .aac: facts.objectComplexity > 0 ? .yes : .no
    }
  }

  /// Path of the file that holds the frames.
  package var path: String { file.path }

  private func note(
    _ extent: CodedExtent, _ timescale: Int64, isWhole: Bool, _ log: DiagnosticLog
  ) {
    log.decide(
      .codec, "copied",
      why:
        "asked for by \(setting: .codec) copy; \(extent.count) frames of \(coding.name), unchanged"
    )
    if isWhole, extent.behind > 0 {
      log.decide(
        .end, "\(extent.behind) frames left out", why: "the edit list ends before them")
    }
    if !isWhole {
      log.decide(
        .range,
        "\(MediaTime(ticks: extent.firstTime + extent.lead, rate: timescale)) to "
          + "\(MediaTime(ticks: extent.firstTime + extent.length, rate: timescale))",
        why: "a copy can only be cut between frames")
    }
  }

  /// Reads the surveyed frames again.
  /// - Throws: ``MediaError`` as opening does.
  package func makeReader(options: InputOptions) throws -> CodedAudioReader {
    let log = DiagnosticLog()
    let choice = try CopyChoice(file: file, options: options, log: log)
    return CodedAudioReader(try choice.makeSource(log: log), self)
  }
}

/// Reads the frames of a surveyed audio track again, without decoding them.
package final class CodedAudioReader {
  private let source: AccessUnitSource
  private let survey: CodedAudioSurvey
  private var index = 0

  init(_ source: AccessUnitSource, _ survey: CodedAudioSurvey) {
    self.source = source
    self.survey = survey
  }

  /// The next frame; `nil` behind the last.
  /// - Throws: ``MediaError`` when the file holds fewer frames than the survey found, or was changed.
  package func next() throws -> AccessUnit? {
    while index < survey.skipped + survey.count {
      guard let unit = try source.next() else {
        throw MediaError(.inputUnreadable, "the audio ends early; was the file changed?")
      }
      index += 1
      if index > survey.skipped { return unit }
    }
    try survey.media.checkUnchanged()
    return nil
  }
}

/// The frames of a track that a range takes: whole frames, from one at which decoding may begin.
struct CodedExtent {
  private let from: Int64?
  private let to: Int64?
  private var index: Int
  private var end: Int64 = 0
  /// Frames before the first taken.
  private(set) var skipped = 0
  /// Frames taken.
  private(set) var count = 0
  /// Time of the first frame taken.
  private(set) var firstTime: Int64 = 0

  /// Frames that begin at or after the range's end.
  private(set) var behind = 0
  /// Ticks of the frame in front of a range, which decoders need for the first one of it and don't play.
  private(set) var lead: Int64 = 0
  private let needsFormer: Bool
  private var former: (time: Int64, index: Int)?

  /// A range of the track's presentation. An edit may present the media from a later point on, and end
  /// before the media does. `damaged` frames before the first one that is added are left out. `needsFormer` is whether a frame is right
  /// only after the one before it was decoded.
  init(
    from: MediaTime?, to: MediaTime?, edit: CopyChoice.Edit?, timescale: Int64, damaged: Int = 0,
    needsFormer: Bool = false
  ) {
    index = damaged
    self.needsFormer = needsFormer
    let lead = edit?.mediaTime ?? 0
    func ticks(_ time: MediaTime) -> Int64 {
      let value = MediaTime.rescale(time.ticks, by: timescale, over: time.rate)
      // 2^60 ticks are beyond any track, and the sum with `lead` still fits into 64 bits.
      return min(value, 1 << 60) + lead
    }
    self.from = from.map(ticks)
    self.to = [to.map(ticks), edit?.duration.map { $0 + lead }].compactMap { $0 }.min()
  }

  /// Whether the frames taken end behind the range's beginning.
  var reachesRange: Bool { from.map { end > $0 } ?? true }

  /// Ticks that the frames taken last.
  var length: Int64 { count > 0 ? end - firstTime : 0 }

  /// Takes or passes over the next frame.
  mutating func add(_ unit: AccessUnit) {
    defer {
      former = (unit.time, index)
      index += 1
    }
    if let to, unit.time >= to {
      behind += 1
      return
    }
    // Copying starts at the last frame, at or before the range's beginning, where decoding may begin. So
    // each such frame discards the frames before it.
    if unit.isSync, unit.time <= from ?? .min || count == 0 {
      (skipped, firstTime, count, lead) = (index, unit.time, 0, 0)
      if needsFormer, from != nil, let former {
        (skipped, firstTime, count, lead) = (former.index, former.time, 1, unit.time - former.time)
      }
    }
    guard count > 0 || unit.isSync else { return }
    count += 1
    end = unit.time + unit.duration
  }
}
