// SPDX-License-Identifier: Apache-2.0
import AudioCore
import DAMF
import LibAV
import Platform
import Signal

/// Reads a set of Dolby Atmos master files: bed channels and objects with their movements, one plane for each channel of
/// the sound.
final class MasterTrackReader: TrackReader {
  let programme: Programme
  let track: TrackDescription
  private(set) var decodedSamples: Int64 = 0
  let timestampTolerance: Int64 = 0
  let codecFrame: Int64 = 0
  let clockUncertainty: Int64 = 0
  let downmixChange: Int64? = nil

  private let file: TrackFile
  private let scene: MasterScene
  private let samples: WaveSamples
  private var courses: [MasterCourse]
  private var check: SampleCheck
  /// Whether samples were left out, so that the next block has to state all motions.
  private var hasSkipped = false

  /// A reader of `master`, whose sound is `media`.
  /// - Throws: ``MediaError`` for sound that can't be read.
  init(
    media: MediaFile, stream: StreamInfo, master: MasterFiles, options: InputOptions,
    log: DiagnosticLog
  ) throws {
    file = TrackFile(media: media, stream: stream, options: options, log: log)
    samples = try WaveSamples(master.audio, master.set.audio)
    guard samples.frames > 0 else {
      throw MediaError(.noAudio, about: media.file.path, "holds no samples; give a file with sound")
    }
    scene = master.set.scene
    check = SampleCheck(sampleFormat: samples.decodedFormat, log: log)
    try file.check(
      TrackFormat(sampleRate: master.set.sampleRate, layout: .mono),
      decodedAs: samples.decodedFormat)
    programme = Programme(
      sampleRate: master.set.sampleRate, elements: scene.elements,
      facts: ProgrammeFacts(language: master.set.root.language, objects: .yes))
    track = TrackDescription(
      stream: stream, expectedSamples: samples.frames, declaredSamples: samples.frames,
      isCountExact: true)
    courses = scene.timelines.enumerated().map { MasterCourse(plane: $0, $1) }
    master.report(to: log)
    log.decide(
      .objects, "rendered", why: "the master's events (DAMF) describe \(programme.contents)")
  }

  /// Facts about the bed channels and objects.
  func objects() -> [ObjectFacts] {
    zip(scene.channels, scene.timelines).enumerated().map { plane, pair in
      let (channel, timeline) = pair
      var facts = ObjectFacts(
        name: channel.name, kind: channel.label == nil ? .object : .speaker, tracks: [plane])
      facts.add(timeline.start, at: 0, isResting: true)
      var changes = timeline
      while let event = changes.advance() {
        // An object that fades out sounds until the ramp ends, and no change follows there.
        let isSilent = event.motion.target.gain == 0
        let end = event.at + Int64(event.motion.ramp.rounded(.up))
        facts.add(event.motion.target, at: isSilent ? end : event.at, isResting: isSilent)
      }
      return facts
    }
  }

  /// Appends the next samples with the changes of the objects; `nil` at the end.
  /// - Throws: ``MediaError`` when the file can't be read on.
  func read(into block: ProgrammeBlock) throws -> TimedBlock? {
    let (start, first) = (block.end, block.audio.frames)
    let count = try samples.read(into: block.audio)
    guard count > 0 else {
      try check.close(path: file.path, isLossless: true)
      try file.close(ClockFaults(), storesTimes: false)
      return nil
    }
    let rate = Int64(programme.sampleRate)
    check.check(block.audio, from: first, time: MediaTime(ticks: decodedSamples, rate: rate))
    for index in courses.indices {
      if hasSkipped { block.add(courses[index].update(at: start)) }
      courses[index].pass(until: decodedSamples + Int64(count)) { update in
        var update = update
        update.at += start - decodedSamples
        block.add(update)
      }
    }
    hasSkipped = false
    decodedSamples += Int64(count)
    return TimedBlock(frames: count, position: decodedSamples - Int64(count))
  }

  /// Leaves out samples; every one can be read without those before it.
  func skip(_ count: Int64) -> Int64 {
    let skipped = min(max(0, count), samples.frames - decodedSamples)
    guard skipped > 0 else { return 0 }
    decodedSamples += skipped
    for index in courses.indices { courses[index].pass(until: decodedSamples) { _ in } }
    samples.seek(to: decodedSamples)
    hasSkipped = true
    return skipped
  }
}

/// A timeline, and how far it has been read.
private struct MasterCourse {
  let plane: Int
  private var timeline: MasterTimeline
  private var next: MasterTimeline.Event?
  /// The motion at ``clock``.
  private var motion: ObjectMotion
  private var clock: Int64 = 0

  /// The course of the object in `plane` from the first sample on.
  init(plane: Int, _ timeline: MasterTimeline) {
    (self.plane, self.timeline) = (plane, timeline)
    motion = ObjectMotion(restingIn: timeline.start)
    next = self.timeline.advance()
  }

  /// The motion that holds where the course has come to, as an update at sample `time` of a block.
  func update(at time: Int64) -> ObjectUpdate {
    ObjectUpdate(plane: plane, at: time, motion: motion)
  }

  /// Goes on to sample `end` of the sound, and hands over the changes before it.
  mutating func pass(until end: Int64, _ body: (ObjectUpdate) -> Void) {
    while let event = next, event.at < end {
      (motion, clock) = (event.motion, event.at)
      body(ObjectUpdate(plane: plane, at: event.at, motion: event.motion))
      next = timeline.advance()
    }
    motion = motion.advanced(by: Int(end - clock))
    clock = end
  }
}
