import AudioCore
import JOC
import LibAV

/// Reads an E-AC-3 track with joint object coding (ETSI TS 103 420): a bed and objects that move, made of the
/// access units and the downmix that libavcodec decodes from them.
///
/// Every sample has the time that it has in the downmix, so start-up samples, padding, gaps and ranges are those
/// of the downmix. Where objects are missing, the downmix is heard at its own places, and that is reported.
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

  /// What is known of the bed and the objects: the states in which they begin, and what was decoded so far.
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
    // What is lost is reported as such.
    missing.note(
      bed.origin == .loss ? nil : decoder.lack, until: bed.decodedSamples, frames: frames)
  }
}
