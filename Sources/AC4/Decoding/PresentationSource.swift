// SPDX-License-Identifier: Apache-2.0

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

  /// Layout that the substream's element codes.
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

/// One substream of a presentation, and where a frame has it.
struct SubstreamSource: Equatable {
  /// Its role in the presentation.
  let role: SubstreamRole
  /// Layout that its element codes.
  let layout: ElementLayout
  /// How it codes objects; `nil` for channels.
  let objects: ObjectCoding?
  /// Codec frames in the transport frame (`frame_rate_factor`).
  let parts: Int
  /// Place of its group's `sg_gain` among those that are sent; `nil` without one.
  let gainPlace: Int?
  /// Index of the substream with its first codec frame; those of the others follow.
  let first: Int
  /// For each codec frame whether it can be read without earlier ones, one bit each.
  let flags: UInt8
  /// `sf_multiplier`: 0 for 96 kHz, 1 for 192 kHz; `nil` at the base rate.
  let rateMultiplier: Int?
  /// `sus_ver`: 0 when the substream itself carries level and dynamic range data, 1 when the presentation's
  /// own substream does.
  let syntaxVersion: Int

  /// Whether codec frame `part` can be read without earlier ones.
  func isIFrame(_ part: Int) -> Bool { flags >> UInt8(part & 7) & 1 == 1 }

  /// Whether one decoder can decode both.
  func isLike(_ other: SubstreamSource) -> Bool {
    role == other.role && layout == other.layout && objects == other.objects
      && parts == other.parts
  }
}

/// The role of a substream in its presentation (TS 103 190-1, Table 86; TS 103 190-2, Table 53).
enum SubstreamRole: Sendable {
  /// Main audio, or music and effects.
  case main
  /// Dialogue on its own.
  case dialogue
  /// Associated audio: a commentary or description to go with the rest.
  case associated
  /// A waveform for dialogue enhancement.
  case enhancement

  /// The role of the group at `place` in a presentation.
  /// - Parameters:
  ///   - configuration: `presentation_config`; `nil` for a single group.
  ///   - content: `content_classifier`, which decides where the configuration leaves the role open.
  init(configuration: Int?, place: Int, content: Int?) {
    switch (configuration, place) {
    case (nil, _),
      (_, 0) where configuration != 5:
      self = .main
    case (0, _), (3, 1): self = .dialogue
    case (1, _), (4, 1): self = .enhancement
    case (2, _), (3, _), (4, _): self = .associated
    default:
      switch content {
      case 4: self = .dialogue
      case 2, 3, 5: self = .associated
      default: self = .main
      }
    }
  }
}
