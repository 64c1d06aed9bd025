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
