/// The substreams of a presentation, and where a frame has them.
struct PresentationSource {
  /// The most substreams that are mixed. Real presentations have up to three; a damaged table may list any
  /// number, and each costs a decoder.
  private static let limit = 9

  /// Index of the presentation.
  private(set) var presentation = 0
  /// The substreams that are decoded, main audio or music and effects first. Waveforms for dialogue
  /// enhancement aren't among them: the parameters alone can do it (TS 103 190-1, 5.7.8.1).
  private(set) var substreams: [SubstreamSource] = []
  /// Index of the substream with the metadata that its objects share; `nil` without one.
  private(set) var objectMetadata: Int?
  /// All substreams of its groups, those that aren't decoded among them.
  private(set) var count = 0

  /// Whether the presentation is an alternative one.
  private(set) var isAlternative = false

  /// Whether its substreams code objects.
  var hasObjects: Bool { main.objects != nil }

  /// The main substream.
  var main: SubstreamSource { substreams[0] }

  /// Whether objects are made of a downmix that has loudspeakers, else that is heard.
  private let decodesObjects: Bool

  /// The substreams of presentation `index`.
  init(
    _ toc: AC4TableOfContents, _ index: Int, decodesObjects: Bool = true
  ) throws(AC4Error) {
    self.decodesObjects = decodesObjects
    try update(toc, index)
  }

  /// Reads another frame's table of contents into the same memory.
  mutating func update(_ toc: AC4TableOfContents, _ index: Int) throws(AC4Error) {
    let presentation = toc.presentations[index]
    self.presentation = index
    substreams.removeAll(keepingCapacity: true)
    guard presentation.frameRate.fraction == 1 else {
      // Frames are joined before they are decoded.
      throw .damaged("a part of a codec frame without the others")
    }
    count = 0
    objectMetadata = nil
    isAlternative = presentation.isAlternative
    for (place, group) in presentation.groups.enumerated()
    where toc.groups.indices.contains(group) && !presentation.repeatsGroup(at: place) {
      count += toc.groups[group].substreams.count
      let role = SubstreamRole(
        configuration: presentation.configuration, place: place,
        content: toc.groups[group].content)
      guard role != .enhancement else { continue }
      if let metadata = toc.groups[group].metadata {
        // Another group's would only matter to objects that are mixed, which are refused below.
        objectMetadata = objectMetadata ?? metadata
      }
      for substream in toc.groups[group].substreams {
        try add(substream, role, place, presentation)
      }
    }
    guard let first = substreams.firstIndex(where: { $0.role == .main }) else {
      throw .unsupported("presentation without main audio in this stream")
    }
    substreams.swapAt(0, first)
    try checkMix(presentation)
  }

  /// Throws for substreams that can't be heard together.
  private func checkMix(_ presentation: AC4Presentation) throws(AC4Error) {
    let withObjects = substreams.count { $0.objects != nil }
    guard withObjects == 0 || withObjects == substreams.count else {
      throw .unsupported("mixing of channels and objects")
    }
    // The objects of one group are a programme together; groups have gains and roles.
    if withObjects > 0, presentation.groups.count > 1 {
      throw .unsupported("mixing of \(presentation.groups.count) groups of objects")
    }
    if withObjects == 0, presentation.configuration == nil, substreams.count > 1 {
      throw .unsupported("mixing of \(substreams.count) substreams of one group")
    }
  }

  /// Whether a frame with `other` can follow one with these.
  func isLike(_ other: PresentationSource) -> Bool {
    guard substreams.count == other.substreams.count else { return false }
    for index in substreams.indices where !substreams[index].isLike(other.substreams[index]) {
      return false
    }
    return true
  }

  /// Adds one substream of the group at `place`.
  private mutating func add(
    _ substream: AC4Substream, _ role: SubstreamRole, _ place: Int,
    _ presentation: AC4Presentation
  ) throws(AC4Error) {
    guard substreams.count < PresentationSource.limit else {
      throw .unsupported("mixing of more than \(PresentationSource.limit) substreams")
    }
    guard let first = substream.index else {
      throw .unsupported("presentation without audio in this stream")
    }
    let coding = try PresentationSource.objects(substream)
    let layout = try PresentationSource.layout(substream, coding, presentation)
    if !decodesObjects, let coding, !coding.isStaticDownmix {
      throw .unsupported("joint object coding (A-JOC) over a downmix that is no bed")
    }
    let objects = decodesObjects ? coding : nil
    // A transport frame has at most four codec frames.
    var flags: UInt8 = 0
    for (part, isIFrame) in substream.isIFrame.prefix(8).enumerated() where isIFrame {
      flags |= 1 << UInt8(part)
    }
    substreams.append(
      SubstreamSource(
        role: role, layout: layout, objects: objects,
        parts: max(1, substream.isIFrame.count),
        gainPlace: PresentationSource.gainPlace(presentation.configuration, place), first: first,
        flags: flags, rateMultiplier: substream.rateMultiplier,
        syntaxVersion: substream.syntaxVersion))
  }

  /// The place of a group's `sg_gain` among those that are sent. Groups with a waveform for dialogue
  /// enhancement (the second of configurations 1 and 4) have none.
  private static func gainPlace(_ configuration: Int?, _ place: Int) -> Int? {
    switch configuration {
    case nil, 1: return nil
    case 4: return place == 2 ? 1 : 0
    default: return place
    }
  }

  /// How the substream codes objects; `nil` for channels.
  private static func objects(_ substream: AC4Substream) throws(AC4Error) -> ObjectCoding? {
    guard let facts = substream.objects else { return nil }
    return try ObjectCoding(facts)
  }

  /// What the substream's element codes.
  private static func layout(
    _ substream: AC4Substream, _ objects: ObjectCoding?, _ presentation: AC4Presentation
  ) throws(AC4Error) -> ElementLayout {
    if let objects { return objects.layout }
    let coded = presentation.isImmersiveStereo ? .stereo : substream.channelMode
    guard let mode = coded else { throw .unsupported("presentation without audio in this stream") }
    if !presentation.isImmersiveStereo, let channels = ImmersiveChannels(substream) {
      return .immersive(channels)
    }
    return .channels(mode, addsToSurrounds: substream.addsToSurrounds)
  }
}
