// SPDX-License-Identifier: Apache-2.0
import AudioCore
import JOC
import LibAV

/// Reads an E-AC-3 track with joint object coding (ETSI TS 103 420): a bed and objects that move, made of the
/// access units and the downmix that libavcodec decodes from them.
///
/// Every sample has the time that it has in the downmix, so start-up samples, padding, gaps and ranges are those
/// of the downmix. If objects are missing, the downmix is heard at its own places, and that is reported.
final class CodedObjectReader: TrackReader {
  let programme: Programme
  let track: TrackDescription
  private(set) var decodedSamples: Int64 = 0
  /// The mix to two channels that the bitstream states is one of the downmix, which isn't what is heard.
  let downmixChange: Int64? = nil

  private let bed: AudioTrackReader
  private let decoder: JOCDecoder
  /// The downmix of the last block.
  private let downmix: ProgrammeBlock
  /// Samples of one access unit.
  private let unit: AudioBuffer
  /// Decoded samples and updates that haven't been handed out.
  private let ready: ProgrammeBlock
  /// Facts of the blocks that ``ready`` will hold, in their order.
  private var waiting: [TimedBlock] = []
  private var scene: DecodedScene
  private var missing: MissingObjects
  private var isOver = false

  /// Access units in a row that may be lost without an end of the objects.
  private static let mostLost = 16

  /// A reader of the objects that `survey` found in the track of `bed`, of which nothing has been read.
  /// - Throws: ``JOCError`` where the downmix lacks a channel or has another rate than 48 kHz.
  init(
    _ bed: AudioTrackReader, _ survey: CodedObjectSurvey, log: DiagnosticLog
  ) throws {
    let format = try bed.programme.bedFormat(for: "a decoder of objects")
    let found = survey.programme.including(format.layout)
    decoder = try JOCDecoder(found, downmix: format.layout, sampleRate: format.sampleRate)
    var facts = bed.programme.facts
    (facts.objects, facts.downmix) = (.yes, nil)
    programme = Programme(sampleRate: format.sampleRate, elements: found.elements, facts: facts)
    downmix = ProgrammeBlock(bed.programme)
    unit = AudioBuffer(channels: format.layout.count, capacity: JOCDecoder.frame)
    ready = ProgrammeBlock(programme)
    scene = DecodedScene(programme)
    missing = MissingObjects(format, log)
    self.bed = bed
    var track = bed.track
    track.objectCoding = survey.facts
    self.track = track
  }

  var timestampTolerance: Int64 { bed.timestampTolerance }
  var codecFrame: Int64 { bed.codecFrame }
  var clockUncertainty: Int64 { bed.clockUncertainty }

  /// Facts about the bed and the objects: the states in which they begin, and what was decoded so far.
  func objects() -> [ObjectFacts] { scene.facts }

  /// Appends the next samples with the changes of the objects; `nil` at the end.
  /// - Throws: ``MediaError`` as ``AudioTrackReader`` does.
  func read(into block: ProgrammeBlock) throws -> TimedBlock? {
    while true {
      if let facts = waiting.first, facts.frames <= ready.frames {
        waiting.removeFirst()
        block.append(ready, range: 0..<facts.frames)
        ready.removeFirst(facts.frames)
        decodedSamples += Int64(facts.frames)
        return facts
      }
      guard !isOver else { return nil }
      try advance()
    }
  }

  /// Decodes the next block of the downmix; at the end, what is left.
  private func advance() throws {
    let known = ready.end
    downmix.removeAll()
    if let facts = try bed.read(into: downmix) {
      waiting.append(facts)
      try decode()
    } else {
      isOver = true
      decoder.finish(into: ready)
      missing.close(decoder.findings, at: bed.decodedSamples)
    }
    for update in ready.updates where update.at >= known { scene.note(update) }
  }

  /// Decodes the objects of the block in ``downmix``.
  private func decode() throws {
    let frames = downmix.frames
    let units = frames / JOCDecoder.frame
    let isWhole = frames % JOCDecoder.frame == 0
    switch bed.origin {
    case .packet where frames == JOCDecoder.frame:
      try bed.withPacket { try decoder.decode($0, downmix.audio, into: ready) }
    case .loss where isWhole && units <= CodedObjectReader.mostLost:
      for index in 0..<units {
        unit.removeAll()
        unit.append(
          downmix.audio, range: index * JOCDecoder.frame..<(index + 1) * JOCDecoder.frame)
        try decoder.decode(UnsafeBufferPointer(start: nil, count: 0), unit, into: ready)
      }
    case .packet, .loss, .other: decoder.pass(downmix.audio, into: ready)
    }
    // Lost units are reported as such.
    missing.note(
      bed.origin == .loss ? nil : decoder.lack, until: bed.decodedSamples, frames: frames)
  }
}

/// Reads the first access units of an E-AC-3 track with a second reader of the file, and finds the objects in
/// them.
struct CodedObjectSurvey {
  /// The objects for a renderer.
  let programme: JOCProgramme
  /// Facts about them in the units.
  let facts: ObjectCodingFacts

  /// Looks for objects in `stream`.
  /// - Parameter complexity: what headers state, `complexity_index_type_a`; `nil` where they state nothing.
  /// - Throws: ``JOCError`` where none can be decoded.
  init(_ stream: StreamInfo, of media: MediaFile, _ options: InputOptions, complexity: Int?) throws
  {
    let packets = try TrackPackets(
      stream, of: MediaFile(file: media.file, options: options), isSizeUnknown: true)
    var survey = JOCSurvey()
    var units = 0
    reading: while units < JOCSurvey.units {
      switch try packets.advance() {
      case .packet:
        packets.packet.withBytes { survey.take($0) }
        units += 1
      case .damage: units += 1
      case .end: break reading
      }
    }
    guard let programme = survey.programme else {
      throw survey.failure ?? JOCError.unsupported("objects in too few of the first access units")
    }
    self.programme = programme
    facts = ObjectCodingFacts(
      complexity: complexity, bed: programme.bed, objects: programme.dynamicObjects,
      downmix: survey.downmix, updatesPerSecond: survey.updatesPerSecond)
  }

  /// Whether the first packet of a track speaks of objects: by its header, or by a container of metadata.
  static func isWorthwhile(_ bed: AudioTrackReader, complexity: Int?) -> Bool {
    (complexity ?? 0) > 0 || bed.withPacket { JOCSurvey.hasObjects($0) }
  }
}

/// Reports where the objects of a track are missing, and what else was found in their metadata.
struct MissingObjects {
  /// Stretches that get a sentence of their own.
  private static let listed = 10

  private let format: AudioFormat
  private let log: DiagnosticLog
  /// The stretch that goes on: its first sample, and why.
  private var open: (start: Int64, reason: JOCDecoder.Lack)?
  private var stretches = 0

  init(_ format: AudioFormat, _ log: DiagnosticLog) { (self.format, self.log) = (format, log) }

  /// Notes what the decoder lacks in the block of `frames` samples that ends with sample `end`; `nil` for nothing.
  mutating func note(_ lack: JOCDecoder.Lack?, until end: Int64, frames: Int) {
    let start = end - Int64(frames)
    guard let lack else { return close(at: start) }
    // The reason changes where another programme follows lost units; it is still one stretch.
    open = (open?.start ?? start, lack)
  }

  /// Reports everything at the end of the track, sample `end`.
  mutating func close(_ findings: JOCDecoder.Findings, at end: Int64) {
    close(at: end)
    if stretches > MissingObjects.listed {
      log.degrade(
        .objectsMissing,
        "\(stretches - MissingObjects.listed) more stretches have no objects; the \(format.layout) "
          + "downmix is heard there")
    }
    if findings.heldCoefficients > 0 {
      log.degrade(
        .objectsMissing,
        "\(findings.heldCoefficients) of \(findings.units) access units have no usable coefficients of "
          + "objects; the last ones stay in force for up to half a second")
    }
    let remarks = [
      (findings.heldMetadata, "have no usable metadata of objects; these stay where they were"),
      (findings.inexact, "have payloads that don't end where their syntax says; they were used"),
      (
        findings.breaks,
        "have a number that doesn't follow the one before; units were lost or joined"
      ),
    ]
    for (count, text) in remarks where count > 0 {
      log.degrade(.objectsRepaired, "\(count) of \(findings.units) access units \(text)")
    }
    if findings.programmes > 0 {
      log.decide(
        .objects, "\(findings.programmes + 1) programmes in the same places",
        why: "the stream changes its objects")
    }
    if findings.leavesDivergence {
      log.degrade(
        .objectsRepaired, "objects ask to be spread to two further places, which isn't done")
    }
  }

  private mutating func close(at end: Int64) {
    guard let stretch = open else { return }
    open = nil
    stretches += 1
    guard stretches <= MissingObjects.listed else { return }
    let reason =
      switch stretch.reason {
      case .payloads: "its access units have no usable objects"
      case .otherProgramme: "its access units hold other objects than the ones before"
      case .samples: "its sound doesn't come in access units of 1536 samples"
      }
    log.degrade(
      .objectsMissing,
      "from \(text(stretch.start)) to \(text(end)) the \(format.layout) downmix is heard, because \(reason)"
    )
  }

  private func text(_ samples: Int64) -> String {
    MediaTime(ticks: samples, rate: Int64(format.sampleRate)).description
  }
}
