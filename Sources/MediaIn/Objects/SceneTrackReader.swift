import ADM
import AudioCore
import LibAV

/// Reads a WAV file with audio definition metadata: beds, objects and sound fields with their movements.
final class SceneTrackReader: TrackReader {
  /// A timeline, and how far it has been read.
  private struct Course {
    let plane: Int
    var timeline: ItemTimeline
    /// The next event, on the file's clock.
    var next: ItemTimeline.Event?
    /// The motion at the reader's position.
    var motion: ObjectMotion
  }

  let programme: Programme
  let track: TrackDescription
  private(set) var decodedSamples: Int64 = 0
  let timestampTolerance: Int64 = 0
  let codecFrame: Int64 = 0
  let clockUncertainty: Int64 = 0
  let downmixChange: Int64? = nil

  private let file: TrackFile
  private let survey: ObjectSurvey?
  private let samples: WaveSamples
  private let mixer: PlaneMixer
  private let tracks: AudioBuffer
  private var courses: [Course] = []
  private var check: SampleCheck
  /// Whether samples were left out, so that the next block has to state all motions.
  private var hasSkipped = false

  /// A reader of what `scene` selects.
  /// - Throws: ``MediaError`` for samples or times that can't be read.
  init(
    media: MediaFile, stream: StreamInfo, scene: ObjectScene, options: InputOptions,
    log: DiagnosticLog
  ) throws {
    file = TrackFile(media: media, stream: stream, options: options, log: log)
    samples = try WaveSamples(media.file, scene.container.file)
    guard samples.frames > 0 else {
      throw MediaError(.noAudio, about: media.file.path, "holds no samples; give a file with sound")
    }
    let bed = scene.bed
    survey = bed == nil ? ObjectSurvey(scene.layout, scene.selection.items) : nil
    mixer = PlaneMixer(bed.map { scene.planes(ofTracks: $0.tracks) } ?? scene.layout.planes)
    tracks = AudioBuffer(channels: scene.container.file.format.channels)
    tracks.appendSilence(mixer.history)
    check = SampleCheck(sampleFormat: samples.decodedFormat, log: log)
    try file.check(
      TrackFormat(sampleRate: scene.container.file.format.rate, layout: .mono),
      decodedAs: samples.decodedFormat)
    programme = Programme(
      sampleRate: scene.container.file.format.rate,
      elements: bed.map { [.bed($0.layout)] } ?? scene.layout.elements,
      facts: ProgrammeFacts(language: scene.language, objects: bed == nil ? .yes : .no))
    track = TrackDescription(
      stream: stream, expectedSamples: samples.frames, declaredSamples: samples.frames,
      isCountExact: true)
    for (plane, timeline) in bed == nil ? scene.layout.timelines : [] {
      courses.append(
        Course(
          plane: plane, timeline: timeline, motion: ObjectMotion(restingIn: timeline.start)))
      try advance(courses.count - 1)
    }
    scene.report(to: log)
    log.decide(
      bed == nil ? .objects : .layout, bed?.layout.name ?? "rendered",
      why: "the file's metadata (ITU-R BS.2076) describe \(programme.contents)")
  }

  /// What is known of the objects.
  /// - Throws: ``MediaError`` for times that can't be added.
  func objects() throws -> [ObjectFacts] {
    do {
      return try survey.map { survey throws(ADMError) in try survey.facts() } ?? []
    } catch {
      throw error.mediaError(about: file.path)
    }
  }

  /// Appends the next samples with the changes of the objects; `nil` at the end.
  /// - Throws: ``MediaError`` when the file can't be read on, or has times that can't be added.
  func read(into block: ProgrammeBlock) throws -> TimedBlock? {
    let first = tracks.frames
    let count = try samples.read(into: tracks)
    guard count > 0 else {
      try check.close(path: file.path, isLossless: true)
      try file.close(ClockFaults(), storesTimes: false)
      return nil
    }
    let rate = Int64(programme.sampleRate)
    check.check(tracks, from: first, time: MediaTime(ticks: decodedSamples, rate: rate))
    let start = block.end
    mixer.mix(tracks, at: decodedSamples, into: block.audio)
    tracks.removeFirst(count)
    for index in courses.indices { try pass(count, course: index, to: block, at: start) }
    hasSkipped = false
    decodedSamples += Int64(count)
    return TimedBlock(frames: count, position: decodedSamples - Int64(count))
  }

  /// Leaves out samples; every one can be read without those before it.
  /// - Throws: ``MediaError`` when the file can't be read.
  func skip(_ count: Int64) throws -> Int64 {
    let skipped = min(max(0, count), samples.frames - decodedSamples)
    guard skipped > 0 else { return 0 }
    for index in courses.indices { try pass(Int(skipped), course: index, to: nil, at: 0) }
    decodedSamples += skipped
    hasSkipped = true
    try fillHistory()
    return skipped
  }

  /// Reads the samples that delays reach back to.
  private func fillHistory() throws {
    let wanted = Int64(mixer.history)
    samples.seek(to: decodedSamples - wanted)
    tracks.removeAll()
    tracks.appendSilence(Int(max(0, wanted - decodedSamples)))
    while Int64(tracks.frames) < wanted, try samples.read(into: tracks) > 0 {}
    tracks.truncate(to: Int(wanted))
    samples.seek(to: decodedSamples)
  }

  /// Takes an object `count` samples further, and adds its changes to `block`, whose sample `start` is the
  /// reader's position.
  private func pass(
    _ count: Int, course index: Int, to block: ProgrammeBlock?, at start: Int64
  ) throws {
    let plane = courses[index].plane
    var clock = decodedSamples
    if hasSkipped, let block {
      block.add(ObjectUpdate(plane: plane, at: start, motion: courses[index].motion))
    }
    while let event = courses[index].next, event.at < decodedSamples + Int64(count) {
      clock = event.at
      courses[index].motion = event.motion
      block?.add(
        ObjectUpdate(plane: plane, at: start + event.at - decodedSamples, motion: event.motion))
      try advance(index)
    }
    courses[index].motion = courses[index].motion.advanced(
      by: Int(decodedSamples + Int64(count) - clock))
  }

  private func advance(_ index: Int) throws {
    do {
      courses[index].next = try courses[index].timeline.advance()
    } catch {
      throw error.mediaError(about: file.path)
    }
  }
}
