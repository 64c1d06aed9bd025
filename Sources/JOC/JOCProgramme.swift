// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ObjectMetadata

/// The objects of a stream for a renderer: the elements, and where the sound of each plane comes from.
package struct JOCProgramme: Equatable, Sendable {
  /// The source of a plane's samples.
  enum Source: Equatable, Sendable {
    /// The LFE of the downmix.
    case lfe
    /// An object that is mixed from the downmix, by its number.
    case mixed(Int)
    /// Nowhere: the plane serves the downmix where objects are missing, or an object of another programme.
    case silence
  }

  /// A bed of all channels, where there are any, then each dynamic object.
  package let elements: [Programme.Element]
  /// Source of each plane.
  private(set) var sources: [Source]
  /// Number of each plane's object in the metadata; `nil` for a plane without one.
  private(set) var objects: [Int?]
  /// Planes of the bed; those of dynamic objects follow.
  let bedPlanes: Int
  /// Assignment that every frame must have.
  private(set) var assignment: ObjectFrame.Assignment
  /// Number of objects that coefficients mix.
  private(set) var mixed: Int
  /// Plane of each channel of the downmix; `nil` where the programme has no place for the downmix.
  private(set) var downmix: [Int]?

  /// A programme from the metadata of its first usable frame.
  /// - Throws: ``JOCError/unsupported(_:)`` for an intermediate spatial format, two channels of one
  ///   loudspeaker, and a second LFE, for which the downmix has no channel.
  init(_ frame: ObjectFrame) throws(JOCError) {
    let roles = try ObjectRoles(frame.assignment)
    let named = roles.dynamic.enumerated().map { index, object in
      Programme.Element.object(
        name: "Object \(index + 1)",
        start: ObjectStates.state(frame.info(object, 0), before: ObjectStates.initial))
    }
    let layout = ChannelLayout(roles.channels.map(\.speaker))
    self.init(
      (layout.count == 0 ? [] : [.bed(layout)]) + named, roles, frame.assignment, downmix: nil)
    fill(layout, roles)
  }

  private init(
    _ elements: [Programme.Element], _ roles: ObjectRoles, _ assignment: ObjectFrame.Assignment,
    downmix: [Int]?
  ) {
    (self.elements, self.assignment, self.downmix) = (elements, assignment, downmix)
    let planes = elements.reduce(0) { $0 + $1.planes }
    if case .bed(let layout)? = elements.first { bedPlanes = layout.count } else { bedPlanes = 0 }
    sources = Array(repeating: .silence, count: planes)
    objects = Array(repeating: nil, count: planes)
    mixed = roles.mixed
  }

  /// Gives each plane its object.
  private mutating func fill(_ layout: ChannelLayout, _ roles: ObjectRoles) {
    for (object, channel) in roles.channels.enumerated() {
      if let plane = layout.speakers.firstIndex(of: channel.speaker) {
        (sources[plane], objects[plane]) = (roles.source(of: object), object)
      }
    }
    for (index, object) in roles.dynamic.enumerated() {
      let plane = bedPlanes + index
      (sources[plane], objects[plane]) = (roles.source(of: object), object)
    }
  }

  /// Channels of the programme's own beds; `nil` without one.
  package var bed: ChannelLayout? {
    let channels = assignment.beds.flatMap(\.channels)
    return channels.isEmpty ? nil : ChannelLayout(channels.map(\.speaker))
  }

  /// Number of objects that can move.
  package var dynamicObjects: Int { sources.count - bedPlanes }

  /// The programme with a bed that has all channels of `layout`, too, so that the downmix can be heard where
  /// objects are missing.
  package func including(_ layout: ChannelLayout) -> JOCProgramme {
    let bed = ChannelLayout(bedLayout.speakers + layout.speakers)
    guard let roles = try? ObjectRoles(assignment) else { return self }
    var programme = JOCProgramme(
      [.bed(bed)] + elements.dropFirst(bedPlanes > 0 ? 1 : 0), roles, assignment,
      downmix: layout.speakers.compactMap { bed.speakers.firstIndex(of: $0) })
    programme.fill(bed, roles)
    return programme
  }

  /// Another programme of the stream in the planes of this one; `nil` where they don't suffice, and for what
  /// ``init(_:)`` refuses.
  func fitted(_ assignment: ObjectFrame.Assignment) -> JOCProgramme? {
    guard let roles = try? ObjectRoles(assignment),
      roles.dynamic.count <= sources.count - bedPlanes,
      roles.channels.allSatisfy({ bedLayout.speakers.contains($0.speaker) })
    else { return nil }
    var programme = JOCProgramme(elements, roles, assignment, downmix: downmix)
    programme.fill(bedLayout, roles)
    return programme
  }

  private var bedLayout: ChannelLayout {
    if case .bed(let layout)? = elements.first { return layout }
    return ChannelLayout([])
  }

  /// State of each plane's object in which the stream begins; bed channels are at full level.
  var starts: [ObjectState] {
    elements.flatMap { element -> [ObjectState] in
      if case .object(_, let start) = element { return [start] }
      return Array(repeating: ObjectState(), count: element.planes)
    }
  }
}

/// The roles of an assignment's objects: those that are channels of beds, which can move, and where their sound comes from.
/// Channels of beds come first.
private struct ObjectRoles {
  let channels: [BedChannel]
  /// Numbers of the dynamic objects.
  let dynamic: Range<Int>
  /// Number of objects that coefficients mix.
  let mixed: Int

  init(_ assignment: ObjectFrame.Assignment) throws(JOCError) {
    guard assignment.spatialObjects == 0 else {
      throw .unsupported("objects of an intermediate spatial format")
    }
    channels = assignment.beds.flatMap(\.channels)
    guard !channels.contains(.lowFrequency2) else { throw .unsupported("a second LFE") }
    guard ChannelLayout(channels.map(\.speaker)).count == channels.count else {
      throw .unsupported("two bed channels of one loudspeaker")
    }
    dynamic = channels.count..<assignment.count
    mixed = assignment.count - channels.count(where: \.isLFE)
    guard mixed > 0 else { throw .unsupported("a programme of the LFE alone") }
  }

  /// Source of an object's sound. Objects that coefficients mix are numbered without the LFE.
  func source(of object: Int) -> JOCProgramme.Source {
    if channels.indices.contains(object), channels[object].isLFE { return .lfe }
    return .mixed(object - channels.prefix(object).count(where: \.isLFE))
  }
}
