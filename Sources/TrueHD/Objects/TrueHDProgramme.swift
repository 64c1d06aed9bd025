// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ObjectMetadata

/// A presentation for a renderer: its elements, and the plane of each of its channels.
package struct TrueHDProgramme: Equatable, Sendable {
  /// The stream that it belongs to.
  package let stream: TrueHDStream
  /// Number of the presentation, 0…3.
  package let presentation: Int
  /// A bed of all channels, where there are any, then each dynamic object.
  package let elements: [Programme.Element]
  /// Plane of each channel in the stream's order.
  package let planes: [Int]
  /// Number of each plane's object in the metadata; `nil` for all without metadata.
  let objects: [Int?]
  /// Planes of the bed; those of dynamic objects follow.
  let bedPlanes: Int
  /// Assignment that all metadata must have; `nil` where none are read.
  let assignment: ObjectFrame.Assignment?

  /// Number of objects that can move.
  package var dynamicObjects: Int { planes.count - bedPlanes }

  /// A presentation of loudspeakers, as many as `channels`. Where the stream has no name for one of them, none has one.
  package init(_ stream: TrueHDStream, presentation: Int, channels: Int) {
    let speakers = stream.speakers(presentation, channels: channels)
    let known = speakers.compactMap { $0 }
    let layout = ChannelLayout(known)
    (self.stream, self.presentation) = (stream, presentation)
    bedPlanes = channels
    objects = Array(repeating: nil, count: channels)
    assignment = nil
    if layout.count == channels {
      elements = [.bed(layout)]
      planes = known.compactMap { layout.speakers.firstIndex(of: $0) }
    } else {
      elements = [.bed(ChannelLayout(unnamed: channels))]
      planes = Array(0..<channels)
    }
  }

  /// Presentation 3 with its objects, from the metadata of its first usable payload: channel i is object i, the LFE too.
  /// - Throws: ``TrueHDError/refused(_:)`` for an intermediate spatial format, two channels of one loudspeaker, and another
  ///   number of objects than the presentation has channels.
  package init(_ stream: TrueHDStream, _ frame: ObjectFrame, channels: Int) throws(TrueHDError) {
    let assignment = frame.assignment
    guard assignment.spatialObjects == 0 else {
      throw .refused("objects of an intermediate spatial format")
    }
    guard assignment.count == channels else {
      throw .refused("\(assignment.count) objects in \(channels) channels")
    }
    let bed = assignment.beds.flatMap(\.channels).map(\.speaker)
    let layout = ChannelLayout(bed)
    guard layout.count == bed.count else { throw .refused("two bed channels of one loudspeaker") }
    let dynamic = bed.count..<channels
    (self.stream, presentation, self.assignment) = (stream, 3, assignment)
    bedPlanes = bed.count
    let named = dynamic.enumerated().map { index, object in
      Programme.Element.object(
        name: "Object \(index + 1)",
        start: ObjectStates.state(frame.info(object, 0), before: ObjectStates.initial))
    }
    elements = (bed.isEmpty ? [] : [.bed(layout)]) + named
    let places = bed.compactMap { layout.speakers.firstIndex(of: $0) } + Array(dynamic)
    planes = places
    objects = places.indices.map { plane in places.firstIndex(of: plane) }
  }

  /// State of each plane's object in which the presentation begins; bed channels are at full level.
  var starts: [ObjectState] {
    elements.flatMap { element -> [ObjectState] in
      if case .object(_, let start) = element { return [start] }
      return Array(repeating: ObjectState(), count: element.planes)
    }
  }
}
