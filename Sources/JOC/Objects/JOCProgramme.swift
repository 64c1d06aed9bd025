import AudioCore

/// What the objects of a stream are to a renderer: the elements, and where the sound of each plane comes from.
package struct JOCProgramme: Equatable, Sendable {
  /// Where the samples of a plane come from.
  enum Source: Equatable, Sendable {
    /// The LFE of the downmix.
    case lfe
    /// An object that is mixed from the downmix, by its number.
    case mixed(Int)
  }

  /// A bed of all channels, where there are any, then each dynamic object.
  package let elements: [Programme.Element]
  /// Source of each plane.
  let sources: [Source]
  /// Number of each plane's object in the metadata.
  let objects: [Int]
  /// Planes of the bed; those of dynamic objects follow.
  let bedPlanes: Int
  /// Assignment that every frame must have.
  let assignment: ObjectFrame.Assignment
  /// Number of objects that coefficients mix.
  let mixed: Int

  /// A programme from the metadata of its first usable frame.
  /// - Throws: ``JOCError/unsupported(_:)`` for an intermediate spatial format, two channels of one
  ///   loudspeaker, and a second LFE, for which the downmix has no channel.
  init(_ frame: ObjectFrame) throws(JOCError) {
    assignment = frame.assignment
    guard assignment.spatialObjects == 0 else {
      throw .unsupported("objects of an intermediate spatial format")
    }
    let channels = assignment.beds.flatMap(\.channels)
    guard !channels.contains(.lowFrequency2) else { throw .unsupported("a second LFE") }
    let layout = ChannelLayout(channels.map(\.speaker))
    guard layout.count == channels.count else {
      throw .unsupported("two bed channels of one loudspeaker")
    }
    // Objects that coefficients mix are numbered without the LFE.
    let isLFE =
      channels.map(\.isLFE) + Array(repeating: false, count: assignment.count - channels.count)
    let numbers = isLFE.indices.map { index in isLFE[..<index].count { !$0 } }
    let bed = layout.speakers.compactMap { speaker in
      channels.firstIndex { $0.speaker == speaker }
    }
    bedPlanes = bed.count
    objects = bed + Array(channels.count..<assignment.count)
    sources = objects.map { isLFE[$0] ? .lfe : .mixed(numbers[$0]) }
    mixed = isLFE.count { !$0 }
    guard mixed > 0 else { throw .unsupported("a programme of the LFE alone") }
    let named = (channels.count..<assignment.count).enumerated().map { index, object in
      Programme.Element.object(
        name: "Object \(index + 1)",
        start: ObjectStates.state(frame.info(object, 0), before: ObjectStates.initial))
    }
    elements = (bed.isEmpty ? [] : [.bed(layout)]) + named
  }

  /// State of each plane's object in which the stream begins; bed channels are at full level.
  var starts: [ObjectState] {
    elements.flatMap { element -> [ObjectState] in
      if case .object(_, let start) = element { return [start] }
      return Array(repeating: ObjectState(), count: element.planes)
    }
  }
}
