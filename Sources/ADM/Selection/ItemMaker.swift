// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Makes rendering items of objects, or of the tracks of `chna` alone.
struct ItemMaker {
  /// The properties of an item that come from its object.
  private struct ObjectPart {
    var start = ADMTime.zero
    var duration: ADMTime?
    var end: ADMTime?
    var values = ObjectValues()
    var importance = 10
    var isHeadLocked = false
    var content: AudioContent?
    var object: AudioObject?
    /// Changes allowed to a listener; `nil` when that isn't stated.
    var interaction: ObjectInteraction?
    /// Whether a listener moves it.
    var isMoved = false
    /// Why it is left out; `nil` when it is played.
    var leftOut: Reason?
  }

  /// Why something of the programme isn't played, in the order in which that is told.
  private enum Reason: CaseIterable {
    /// Others were chosen.
    case unchosen
    /// Its importance is too low.
    case importance
  }

  /// The inputs on which the repair of a channel's blocks depends.
  private struct RepairKey: Hashable {
    let channel: ElementID
    let duration: ADMTime?
  }

  /// Channels of all items together.
  private static let mostChannels = 65536
  /// Blocks of all items together; a channel that many objects share counts as often.
  private static let mostBlocks = 5_000_000

  private let index: ElementIndex
  private let tracks: TrackIndex
  private let programme: AudioProgramme?
  private let request: SelectionRequest
  private let findings: FindingLog
  private let valueSets: Set<ElementID>
  /// The value sets of the content that was last looked at.
  private var contentSets: (content: ElementID?, sets: Set<ElementID>) = (nil, [])
  private var channelCount = 0
  private var blockCount = 0
  /// Channels whose blocks are in order; objects that share one share the memory.
  private var repaired: [RepairKey: AudioChannelFormat] = [:]
  /// Objects that were left out.
  private var leftOut: [Reason: TitleList] = [:]
  /// The items so far.
  private(set) var items: [RenderingItem] = []
  /// Tracks of items that were left out because that was asked for.
  private(set) var unwantedTracks: Set<Int> = []

  /// A maker without items.
  init(
    _ index: ElementIndex, _ tracks: TrackIndex, _ programme: AudioProgramme?,
    _ request: SelectionRequest, _ findings: FindingLog
  ) {
    self.index = index
    self.tracks = tracks
    self.programme = programme
    self.request = request
    self.findings = findings
    valueSets = Set(programme?.valueSets ?? [])
  }

  /// Adds all tracks of `chna`, with the packs that they name.
  mutating func addTable() throws(ADMError) {
    guard let owner = tracks.entries.first?.uid else {
      throw ADMError(
        .tracks, "the file has neither objects nor rows in chna; there is nothing to play")
    }
    guard request.only.isEmpty, request.changes.isEmpty else {
      throw ADMError(.request, "the file names no objects that could be chosen or changed")
    }
    var matcher = TrackMatcher(index, owner: owner, tracks.entries, silent: 0)
    for match in try matcher.match(TablePacks.packs(tracks.entries, index)) {
      try add(match, ObjectPart())
    }
  }

  /// Adds the objects that `paths` lead to, without those that others are played for.
  mutating func add(_ paths: [ObjectPaths.Path]) throws(ADMError) {
    let groups = try ComplementGroups(index, wanted: request.complements)
    let played = paths.filter { groups.silent.isDisjoint(with: $0.objects) }
    var wishes = try ListenerWishes(request, played, index)
    for path in played { try add(path, &wishes) }
    wishes.report(to: findings)
    for reason in Reason.allCases { noteLeftOut(reason) }
  }

  private mutating func add(
    _ path: ObjectPaths.Path, _ wishes: inout ListenerWishes
  ) throws(ADMError) {
    guard let last = path.objects.last else { return }
    let object = index.document.objects[last]
    guard !object.packs.isEmpty || !object.tracks.isEmpty else { return }
    var part = ObjectPart(start: object.start, duration: object.duration)
    part.end = try object.duration.map { duration throws(ADMError) in
      guard let end = object.start.adding(duration) else {
        throw ADMError(
          .value, "start and duration of \(object.id) are too fine to be added exactly")
      }
      return end
    }
    part.values = try values(of: object, path.content)
    part.importance = path.objects.map { index.document.objects[$0].importance ?? 10 }.min() ?? 10
    part.isHeadLocked = object.isHeadLocked
    part.content = path.content
    part.object = object
    let stated =
      path.objects.dropLast().map { index.document.objects[$0].values.interaction }
      + [part.values.interaction]
    part.interaction = stated.last ?? nil
    part.isMoved = try wishes.apply(to: &part.values, of: path, stated: stated)
    if !wishes.choose(path) { part.leftOut = .unchosen }
    var entries: [TrackIndex.Entry] = []
    for id in object.tracks where id != .silentTrack {
      entries.append(try tracks.entry(id, of: object.id))
    }
    let silent = object.tracks.count - entries.count
    var matcher = TrackMatcher(index, owner: object.id, entries, silent: silent)
    let packs = object.packs.isEmpty ? try TablePacks.packs(entries, index) : object.packs
    for match in try matcher.match(packs) { try add(match, part) }
  }

  /// The object's values, with those of the set that the programme or content names.
  private mutating func values(
    of object: AudioObject, _ content: AudioContent?
  ) throws(ADMError) -> ObjectValues {
    if let content, contentSets.content != content.id {
      contentSets = (content.id, Set(content.valueSets))
    }
    let inContent = content == nil ? [] : contentSets.sets
    let sets = object.valueSets.filter { set in
      set.id.map { valueSets.contains($0) || inContent.contains($0) } ?? false
    }
    guard sets.count <= 1 else {
      throw ADMError(
        .reference, "programme and content name \(sets.count) alternativeValueSets of \(object.id)")
    }
    return sets.first.map(object.values.replaced) ?? object.values
  }

  // MARK: Items

  private mutating func add(_ match: PackMatch, _ part: ObjectPart) throws(ADMError) {
    let kind = try index.pack(match.pack, of: part.object?.id ?? match.pack).kind
    guard !part.isMoved || [.objects, .directSpeakers].contains(kind) else {
      throw ADMError(
        .request,
        "\(part.object?.title ?? "") holds no channels with positions that could be moved")
    }
    guard kind == .hoa else {
      for channel in match.channels { try add([channel], kind, part) }
      return
    }
    try add(match.channels, kind, part)
  }

  private mutating func add(
    _ channels: [PackMatch.Channel], _ kind: ContentKind, _ part: ObjectPart
  ) throws(ADMError) {
    guard let first = channels.first else { return }
    channelCount += channels.count
    guard channelCount <= ItemMaker.mostChannels else {
      throw ADMError(
        .limit, "more than \(ItemMaker.mostChannels) channels would have to be rendered")
    }
    let owner = part.object?.id ?? first.channel
    var formats: [(packs: [AudioPackFormat], format: AudioChannelFormat)] = []
    var importance = part.importance
    for channel in channels {
      let packs = try self.packs(channel.packs, of: owner)
      importance = min(importance, packs.compactMap(\.importance).min() ?? 10)
      formats.append((packs, try format(channel, kind, part, owner)))
    }
    let isMinor = request.importance.map { importance < $0 } ?? false
    if let reason = part.leftOut ?? (isMinor ? .importance : nil) {
      return leaveOut(channels, reason, part.object?.title ?? first.channel.text)
    }
    if formats.allSatisfy({ $0.format.blocks.isEmpty }), kind != .binaural {
      findings.note(
        .unused, kind: "blocks", "\(first.channel) of \(owner) has no blocks and stays silent")
      return
    }
    let scene = kind == .hoa ? try SceneCheck.check(formats, owner: owner) : SceneDetails()
    noteIgnored(scene, formats.map(\.format), owner)
    items.append(
      RenderingItem(
        kind: kind,
        channels: zip(channels, formats).map {
          RenderingItem.Channel(samples: $0.samples, format: $1.format)
        },
        start: part.start, end: part.end,
        gain: part.values.isMuted == true ? 0 : part.values.gain ?? 1, offset: part.values.offset,
        importance: importance, packs: first.packs, scene: scene,
        screen: programme?.screen ?? ReferenceScreen(), blockThreshold: request.importance ?? 0,
        isHeadLocked: part.isHeadLocked, content: part.content?.id, object: part.object?.id,
        listener: RenderingItem.Handles(
          kinds: part.content?.dialogue?.words ?? [], interaction: part.interaction)))
  }

  private mutating func leaveOut(
    _ channels: [PackMatch.Channel], _ reason: Reason, _ title: String
  ) {
    leftOut[reason, default: TitleList()].add(title)
    for channel in channels { channel.samples.collectTracks(into: &unwantedTracks) }
  }

  /// Reports what was left out for a reason.
  private func noteLeftOut(_ reason: Reason) {
    guard let list = leftOut[reason] else { return }
    let several = list.titles.count > 1
    switch reason {
    case .unchosen:
      findings.note(
        .leftOut, kind: "unchosen",
        "\(list.text) \(several ? "aren't" : "isn't") among the objects that were chosen")
    case .importance:
      findings.note(
        .leftOut, kind: "importance",
        "\(list.text) \(several ? "are" : "is") less important than \(request.importance ?? 0)")
    }
  }

  private func packs(
    _ ids: [ElementID], of owner: ElementID
  ) throws(ADMError) -> [AudioPackFormat] {
    var packs: [AudioPackFormat] = []
    for id in ids { packs.append(try index.pack(id, of: owner)) }
    return packs
  }

  /// The format of a channel with its blocks in order.
  private mutating func format(
    _ channel: PackMatch.Channel, _ kind: ContentKind, _ part: ObjectPart, _ owner: ElementID
  ) throws(ADMError) -> AudioChannelFormat {
    let format = try index.channel(channel.channel, of: owner)
    guard format.kind == kind else {
      throw ADMError(
        .reference,
        "the pack \(channel.packs.last ?? owner) is \(kind.definition), but its channel "
          + "\(format.id) is \(format.kind.definition)")
    }
    blockCount += format.blocks.count
    guard blockCount <= ItemMaker.mostBlocks else {
      throw ADMError(.limit, "more than \(ItemMaker.mostBlocks) blocks would have to be rendered")
    }
    noteDivergence(format)
    if let offset = part.values.offset {
      let isOther = format.blocks.contains { $0.flags.contains(.isCartesian) != offset.isCartesian }
      guard !isOther || ![.objects, .directSpeakers].contains(kind) else {
        throw ADMError(
          .value, "positionOffset of \(owner) has coordinates of another kind than \(format.id)")
      }
    }
    let key = RepairKey(channel: format.id, duration: part.duration)
    if let known = repaired[key] { return known }
    let result = try BlockRepair(format, objectDuration: part.duration, findings: findings)
      .repaired()
    repaired[key] = result
    return result
  }

  /// Reports what of a field, or of where a screen stands, isn't followed.
  private func noteIgnored(
    _ scene: SceneDetails, _ formats: [AudioChannelFormat], _ owner: ElementID
  ) {
    if scene.nearFieldDistance ?? 0 > 0 {
      findings.note(.ignored, kind: "nfcRefDist", "nfcRefDist of \(owner) has no effect")
    }
    if scene.refersToScreen == true {
      findings.note(
        .ignored, kind: "screenRef", "screenRef of the sound field \(owner) has no effect")
    }
    let isUsual = (programme?.screen ?? ReferenceScreen()) == ReferenceScreen()
    for format in formats {
      if !isUsual, format.blocks.contains(where: { $0.flags.contains(.refersToScreen) }) {
        findings.note(
          .ignored, kind: "screen",
          "positions of \(format.id) refer to a screen that isn't the usual one of 58°; they stay as they are"
        )
      }
      let isSnapped = format.blocks.contains {
        $0.flags.contains(.isCartesian) && format.details(of: $0).screenEdge != ScreenEdge()
      }
      if isSnapped {
        findings.note(
          .ignored, kind: "screenEdgeLock",
          "screenEdgeLock of \(format.id), which has Cartesian positions, has no effect")
      }
    }
  }

  /// Reports divergence whose range isn't stated, or is of the other kind of coordinates.
  private func noteDivergence(_ format: AudioChannelFormat) {
    guard format.details.contains(where: { $0.object.divergence > 0 }) else { return }
    for block in format.blocks {
      let object = format.details(of: block).object
      guard object.divergence > 0 else { continue }
      let isCartesian = block.flags.contains(.isCartesian)
      if (isCartesian ? object.positionRange : object.azimuthRange) == nil {
        findings.note(
          .lenientValue, kind: "divergence",
          "the objectDivergence of \(format.id) has no \(isCartesian ? "positionRange" : "azimuthRange")"
        )
      }
    }
  }
}

/// Checks that the channels of a sound field fit together (BS.2127, 5.2.8).
enum SceneCheck {
  private struct Component: Hashable {
    let order: Int
    let degree: Int
  }

  /// Completes the details of each channel from its packs, and refuses what doesn't agree.
  /// - Returns: what holds for the whole field: normalisation, near-field distance, screen.
  /// - Throws: ``ADMError`` of code `value`.
  static func check(
    _ channels: [(packs: [AudioPackFormat], format: AudioChannelFormat)], owner: ElementID
  ) throws(ADMError) -> SceneDetails {
    var whole: SceneDetails?
    var seen: Set<Component> = []
    for (packs, format) in channels {
      guard format.blocks.count == 1, let block = format.blocks.first,
        let own = format.details(of: block).scene, let order = own.order, let degree = own.degree,
        abs(degree) <= order
      else {
        throw ADMError(
          .value, "\(format.id) needs exactly one block with an order and a degree in it")
      }
      guard seen.insert(Component(order: order, degree: degree)).inserted else {
        throw ADMError(
          .value, "\(owner) has the component of order \(order) and degree \(degree) twice")
      }
      let merged = try common([own] + packs.map(\.scene), owner)
      guard whole == nil || whole == merged else {
        throw ADMError(
          .value, "the channels of \(owner) differ in normalization, nfcRefDist or screenRef")
      }
      whole = merged
    }
    return whole ?? SceneDetails()
  }

  /// Values that the channel and its packs state alike.
  private static func common(
    _ stated: [SceneDetails], _ owner: ElementID
  ) throws(ADMError) -> SceneDetails {
    let normalizations = Set(stated.compactMap(\.normalization))
    let distances = Set(stated.compactMap(\.nearFieldDistance))
    let screens = Set(stated.compactMap(\.refersToScreen))
    guard max(normalizations.count, distances.count, screens.count) <= 1 else {
      throw ADMError(
        .value, "channels and packs of \(owner) differ in normalization, nfcRefDist or screenRef")
    }
    return SceneDetails(
      normalization: normalizations.first ?? .sn3d, nearFieldDistance: distances.first ?? 0,
      refersToScreen: screens.first ?? false)
  }
}
