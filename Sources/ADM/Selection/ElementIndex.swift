// SPDX-License-Identifier: Apache-2.0

/// Finds elements by their identifiers: those of the document, else the common definitions.
struct ElementIndex {
  let document: ADMDocument
  private let contents: [ElementID: Int]
  private let objects: [ElementID: Int]
  private let packs: [ElementID: Int]
  private let channels: [ElementID: Int]
  /// The channel that each stream or track format leads to.
  private let channelsOfFormats: [ElementID: ElementID]

  /// An index of a document.
  /// - Throws: ``ADMError`` for references that lead nowhere, or that contradict each other.
  init(_ document: ADMDocument, findings: FindingLog) throws(ADMError) {
    self.document = document
    contents = ElementIndex.places(document.contents.map(\.id))
    objects = ElementIndex.places(document.objects.map(\.id))
    packs = ElementIndex.places(document.packs.map(\.id))
    channels = ElementIndex.places(document.channels.map(\.id))
    channelsOfFormats = try FormatLinks(document).channels
    for id in document.packs.map(\.id) where CommonDefinitions.packs[id] != nil {
      findings.note(.commonReplaced, "the document's \(id) replaces the common definition")
    }
    for id in document.channels.map(\.id) where CommonDefinitions.channels[id] != nil {
      findings.note(.commonReplaced, "the document's \(id) replaces the common definition")
    }
  }

  private static func places(_ ids: [ElementID]) -> [ElementID: Int] {
    Dictionary(
      ids.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  private func missing(_ id: ElementID, _ owner: ElementID, _ kind: String) -> ADMError {
    ADMError(.reference, "\(owner) refers to the \(kind) \(id), which isn't in the document")
  }

  /// The content that `owner` refers to.
  func content(_ id: ElementID, of owner: ElementID) throws(ADMError) -> AudioContent {
    guard let place = contents[id] else { throw missing(id, owner, "audioContent") }
    return document.contents[place]
  }

  /// The place in the document of the object that `owner` refers to.
  func object(_ id: ElementID, of owner: ElementID) throws(ADMError) -> Int {
    guard let place = objects[id] else { throw missing(id, owner, "audioObject") }
    return place
  }

  /// The place in the document of an object; `nil` when there is none.
  func objectPlace(_ id: ElementID) -> Int? { objects[id] }

  /// The pack that `owner` refers to.
  func pack(_ id: ElementID, of owner: ElementID) throws(ADMError) -> AudioPackFormat {
    if let place = packs[id] { return document.packs[place] }
    guard let common = CommonDefinitions.packs[id] else {
      throw missing(id, owner, "audioPackFormat")
    }
    return common
  }

  /// The place in the document of a pack; `nil` for common definitions and for what isn't there.
  func packPlace(_ id: ElementID) -> Int? { packs[id] }

  /// The channel that `owner` refers to.
  func channel(_ id: ElementID, of owner: ElementID) throws(ADMError) -> AudioChannelFormat {
    if let place = channels[id] { return document.channels[place] }
    guard let common = CommonDefinitions.channels[id] else {
      throw missing(id, owner, "audioChannelFormat")
    }
    return common
  }

  /// The channel that the track format `id`, or the channel itself, stands for.
  func channel(ofFormat id: ElementID, of owner: ElementID) throws(ADMError) -> ElementID {
    if id.text.hasPrefix("AC_") { return try channel(id, of: owner).id }
    if let channel = channelsOfFormats[id] { return try self.channel(channel, of: owner).id }
    if let channel = CommonDefinitions.channel(ofFormat: id) { return channel }
    throw missing(id, owner, "audioTrackFormat")
  }

  /// Checks that what refers to something refers to something that is there.
  func checkReferences() throws(ADMError) {
    for programme in document.programmes {
      for id in programme.contents { _ = try content(id, of: programme.id) }
    }
    for content in document.contents {
      for id in content.objects { _ = try object(id, of: content.id) }
    }
    for object in document.objects {
      for id in object.objects + object.complements { _ = try self.object(id, of: object.id) }
      for id in object.packs { _ = try pack(id, of: object.id) }
    }
    for pack in document.packs {
      for id in pack.channels { _ = try channel(id, of: pack.id) }
      let others = pack.packs + pack.encodes + [pack.input, pack.output].compactMap(\.self)
      for id in others { _ = try self.pack(id, of: pack.id) }
    }
  }
}

/// Follows track formats over streams to channels (BS.2076-2, 5.1 and 5.2).
struct FormatLinks {
  /// The channel of each track format, as far as one is stated.
  let channels: [ElementID: ElementID]

  /// Follows the links of a document; either side may state the link between track and stream.
  /// - Throws: ``ADMError`` for coded formats and for links that contradict each other.
  init(_ document: ADMDocument) throws(ADMError) {
    var streams: [ElementID: AudioStreamFormat] = [:]
    var streamOfTrack: [ElementID: ElementID] = [:]
    for stream in document.streams {
      streams[stream.id] = stream
      for track in stream.tracks {
        if let other = streamOfTrack[track], other != stream.id {
          throw ADMError(
            .reference, "the track format \(track) belongs to \(other) and \(stream.id)")
        }
        streamOfTrack[track] = stream.id
      }
    }
    var channels: [ElementID: ElementID] = [:]
    for track in document.trackFormats {
      if let stream = track.stream {
        if let other = streamOfTrack[track.id], other != stream {
          throw ADMError(
            .reference, "the track format \(track.id) belongs to \(other) and \(stream)")
        }
        streamOfTrack[track.id] = stream
      }
    }
    for (track, id) in streamOfTrack {
      if let stream = streams[id] {
        guard stream.isPCM else {
          throw ADMError(.unsupported, "the stream \(id) isn't PCM; coded tracks aren't supported")
        }
        channels[track] = stream.channel
      } else {
        channels[track] = CommonDefinitions.channel(ofFormat: id)
      }
    }
    self.channels = channels
  }
}

/// Finds elements that contain each other.
enum CycleCheck {
  /// Walks a graph depth first, without recursion.
  /// - Returns: the places on the first cycle, the first one repeated at the end; `nil` when there is
  ///   none.
  static func cycle(in children: [[Int]]) -> [Int]? {
    /// 0 unseen, 1 on the path, 2 done.
    var states = [UInt8](repeating: 0, count: children.count)
    var path: [(node: Int, next: Int)] = []
    for start in children.indices where states[start] == 0 {
      path = [(start, 0)]
      states[start] = 1
      while let top = path.last {
        guard top.next < children[top.node].count else {
          states[top.node] = 2
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let child = children[top.node][top.next]
        if states[child] == 1 {
          let first = path.firstIndex { $0.node == child } ?? 0
          return path[first...].map(\.node) + [child]
        }
        if states[child] == 0 {
          states[child] = 1
          path.append((child, 0))
        }
      }
    }
    return nil
  }

  /// Refuses objects and packs that contain each other.
  /// - Throws: ``ADMError`` naming the cycle.
  static func check(_ index: ElementIndex) throws(ADMError) {
    let objects = index.document.objects
    let packs = index.document.packs
    if let cycle = cycle(in: objects.map { $0.objects.compactMap(index.objectPlace) }) {
      throw failure(cycle.map { objects[$0].id })
    }
    if let cycle = cycle(in: packs.map { $0.packs.compactMap(index.packPlace) }) {
      throw failure(cycle.map { packs[$0].id })
    }
  }

  private static func failure(_ ids: [ElementID]) -> ADMError {
    let shown =
      ids.count > 9
      ? ids.prefix(4).map(\.text) + ["…"] + ids.suffix(4).map(\.text) : ids.map(\.text)
    return ADMError(.cycle, "these contain each other: \(shown.joined(separator: " → "))")
  }
}
