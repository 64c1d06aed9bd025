import AudioCore
import JOC
import LibAV

/// Reads the first access units of an E-AC-3 track with a second reader of the file, and finds the objects in
/// them.
struct CodedObjectSurvey {
  /// What the objects are to a renderer.
  let programme: JOCProgramme
  /// What the units say of them.
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
