import AudioCore
import ObjectMetadata

/// What the objects of a presentation are to a renderer: the elements, and the plane of each decoded signal.
struct ObjectProgramme {
  /// A bed of all channels, where there are any, then each dynamic object.
  let elements: [Programme.Element]
  /// The plane of each decoded signal, one substream after the other.
  let places: [Int]
  /// Planes of the bed; those of dynamic objects follow.
  let bedPlanes: Int
  /// Decibels by which the first frame lets dialogue be raised; `nil` where no object is dialogue.
  let dialogueLimit: Double?
  /// State of each plane's object in which the programme begins; bed channels are at full level.
  let starts: [ObjectState]

  /// The programme of substreams with these codings.
  /// - Parameter first: what the first frame says.
  /// - Throws: ``AC4Error/unsupported(_:)`` for two bed channels of one loudspeaker.
  init(_ codings: [ObjectCoding], first: ObjectFirstFrame) throws(AC4Error) {
    let channels = codings.flatMap(\.channels)
    let speakers = channels.compactMap { $0?.speaker }
    let layout = ChannelLayout(speakers)
    guard layout.count == speakers.count else {
      throw .unsupported("two bed channels of one loudspeaker")
    }
    var elements: [Programme.Element] = layout.count == 0 ? [] : [.bed(layout)]
    var starts = [ObjectState](repeating: ObjectState(), count: layout.count)
    var places: [Int] = []
    for (index, channel) in channels.enumerated() {
      if let speaker = channel?.speaker {
        places.append(layout.speakers.firstIndex(of: speaker) ?? 0)
        continue
      }
      let info = first.infos.indices.contains(index) ? first.infos[index] : nil
      let start = info.map { ObjectStates.state($0, before: ObjectStates.initial) }
      let state = start ?? ObjectStates.initial
      places.append(starts.count)
      elements.append(.object(name: "Object \(starts.count - layout.count + 1)", start: state))
      starts.append(state)
    }
    (self.elements, self.places, self.starts) = (elements, places, starts)
    bedPlanes = layout.count
    dialogueLimit = first.dialogueLimit
  }
}
