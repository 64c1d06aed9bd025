// SPDX-License-Identifier: Apache-2.0
import ADM
import AudioCore
import DAMF
import LibAV
import Platform
import Signal

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
      facts: ProgrammeFacts(
        language: scene.language, objects: bed == nil ? .yes : .no,
        dialogue: scene.dialogue(bedTracks: bed?.tracks)))
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

  /// Facts about the objects.
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

/// Goes through the changes of a scene's objects without reading any samples.
struct ObjectSurvey {
  private let layout: SceneLayout
  private let items: [RenderingItem]

  /// A survey of `layout`, whose elements are made of `items`, one of each.
  init(_ layout: SceneLayout, _ items: [RenderingItem]) {
    (self.layout, self.items) = (layout, items)
  }

  /// Facts about each element, in their order.
  /// - Throws: ``ADMError`` for times that can't be added.
  func facts() throws(ADMError) -> [ObjectFacts] {
    var result: [ObjectFacts] = []
    var plane = 0
    for (element, item) in zip(layout.elements, items) {
      let planes = layout.planes[plane..<plane + element.planes]
      let tracks = Set(planes.flatMap { $0.terms.terms.map(\.track) }).sorted()
      let timeline = layout.timelines.first { $0.plane == plane }?.timeline
      plane += element.planes
      guard case .object(let name, let start) = element, let timeline else {
        let ranges = planes.map(\.range)
        let end = ranges.map(\.upperBound).max() ?? .max
        var facts = ObjectSurvey.facts(item, nil, .field, tracks)
        facts.start = ranges.map(\.lowerBound).min()
        facts.end = end == .max ? nil : end
        result.append(facts)
        continue
      }
      var facts = ObjectSurvey.facts(item, name, ObjectSurvey.kind(start), tracks)
      try walk(timeline, into: &facts)
      result.append(facts)
    }
    return result
  }

  /// Facts about an item without its changes.
  private static func facts(
    _ item: RenderingItem, _ name: String?, _ kind: ObjectFacts.Kind, _ tracks: [Int]
  ) -> ObjectFacts {
    ObjectFacts(
      id: item.object?.text, kinds: item.listener.kinds, interaction: item.listener.interaction,
      name: name,
      kind: kind, tracks: tracks)
  }

  private static func kind(_ state: ObjectState) -> ObjectFacts.Kind {
    switch state.rules.role {
    case .source: return .object
    case .speaker: return .speaker
    case .ear: return .ear
    }
  }

  private func walk(_ timeline: ItemTimeline, into facts: inout ObjectFacts) throws(ADMError) {
    var timeline = timeline
    while let event = try timeline.advance() {
      facts.add(event.motion.target, at: event.at, isResting: event.motion.isResting)
    }
  }
}

/// Reads the plain samples of a file with any number of channels.
final class WaveSamples {
  /// Bytes that are read at once, unless a single frame is larger.
  private static let chunk = 1 << 18

  /// Samples of each channel.
  let frames: Int64
  private let file: LocalFile
  /// Offset of the first sample in the file.
  private let offset: Int64
  private let format: SampleFormat
  private let bytesPerFrame: Int
  /// Whether the highest byte of a sample comes first.
  private let isBigEndian: Bool
  private var position: Int64 = 0

  /// The samples that the `data` chunk of `wave` holds.
  /// - Throws: ``MediaError`` of kind `unsupportedCodec` for a width of samples that isn't known.
  init(_ file: LocalFile, _ wave: WaveFile) throws {
    self.file = file
    offset = wave.data.offset
    frames = wave.frames
    bytesPerFrame = wave.format.bytesPerFrame
    isBigEndian = false
    format = try WaveSamples.format(
      isFloat: wave.format.encoding == .float, bits: wave.format.bits, file)
  }

  /// The samples of a CAF file whose header says `facts`.
  /// - Throws: ``MediaError`` of kind `unsupportedCodec` for a width of samples that isn't known.
  init(_ file: LocalFile, _ facts: CAFFacts) throws {
    self.file = file
    offset = facts.dataOffset
    frames = facts.frames
    bytesPerFrame = facts.bytesPerFrame
    isBigEndian = !facts.isLittleEndian
    format = try WaveSamples.format(isFloat: facts.isFloat, bits: facts.bits, file)
  }

  private static func format(
    isFloat: Bool, bits: Int, _ file: LocalFile
  ) throws -> SampleFormat {
    switch (isFloat, bits) {
    case (false, 8): return .unsigned8
    case (false, 16): return .integer16
    case (false, 24): return .integer24
    case (false, 32): return .integer32
    case (false, 64): return .integer64
    case (true, 32): return .float32
    case (true, 64): return .float64
    default:
      throw MediaError(
        .unsupportedCodec, about: file.path,
        "samples of \(bits) bits can't be read; convert them to 24 bits")
    }
  }

  /// Sample format that libavcodec would decode to.
  var decodedFormat: String {
    switch format {
    case .unsigned8: return "u8"
    case .integer16: return "s16"
    case .integer24, .integer32: return "s32"
    case .integer64: return "s64"
    case .float32: return "flt"
    case .float64: return "dbl"
    }
  }

  /// Goes to sample `target`, 0…``frames``.
  func seek(to target: Int64) { position = min(max(0, target), frames) }

  /// Appends the next samples of all channels to `buffer`.
  /// - Returns: how many; 0 at the end.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` when the file ends earlier than before.
  func read(into buffer: AudioBuffer) throws -> Int {
    let most = Int64(max(1, WaveSamples.chunk / bytesPerFrame))
    let count = Int(min(most, frames - position))
    guard count > 0 else { return 0 }
    var bytes = file.bytes(
      at: offset + position * Int64(bytesPerFrame), count: count * bytesPerFrame)
    guard bytes.count == count * bytesPerFrame else {
      throw MediaError(
        .inputUnreadable, about: file.path,
        "ends earlier than when it was opened; run again when it is complete")
    }
    if isBigEndian { WaveSamples.turn(&bytes, width: format.bytes) }
    let start = buffer.grow(by: count)
    bytes.withUnsafeBytes { raw in
      if let base = raw.baseAddress { buffer.unpack(base, count: count, as: format, at: start) }
    }
    position += Int64(count)
    return count
  }

  /// Turns the order of the bytes in each sample of `width` bytes.
  private static func turn(_ bytes: inout [UInt8], width: Int) {
    for start in stride(from: 0, to: bytes.count - width + 1, by: width) {
      for place in 0..<width / 2 { bytes.swapAt(start + place, start + width - 1 - place) }
    }
  }
}

/// Makes the planes of a programme of a file's tracks.
final class PlaneMixer {
  private let planes: [ScenePlane]
  /// Samples before the ones to be mixed that delays reach back to.
  let history: Int

  /// A mixer for `planes`.
  init(_ planes: [ScenePlane]) {
    self.planes = planes
    history = planes.map(\.terms.delay).max() ?? 0
  }

  /// Appends samples to `target`, which has a channel for each plane: one for each of `tracks` behind the
  /// first ``history``, of which the first has number `position`.
  func mix(_ tracks: AudioBuffer, at position: Int64, into target: AudioBuffer) {
    let count = tracks.frames - history
    let start = target.frames
    target.appendSilence(count)
    for (index, plane) in planes.enumerated() {
      let first = Int(min(max(0, plane.range.lowerBound - position), Int64(count)))
      let end = Int(min(max(0, plane.range.upperBound - position), Int64(count)))
      guard first < end, let to = target.channel(index).baseAddress else { continue }
      for term in plane.terms.terms {
        guard let from = tracks.channel(term.track).baseAddress else { continue }
        PlaneMixer.add(
          from + history - term.delay + first, to + start + first, end - first,
          Float(term.gain * plane.gain))
      }
    }
  }

  /// Adds `count` samples; a gain of 1 changes none.
  private static func add(
    _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ count: Int,
    _ gain: Float
  ) {
    for index in 0..<count { target[index] += gain * source[index] }
  }
}
