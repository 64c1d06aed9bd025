/// Finds the track of each channel of an object's packs (BS.2127, 5.2.5).
///
/// Each pack takes the first unused track that fits each of its channels, in order. That is the only
/// solution for all files that mean what they say; what is left over is refused.
struct TrackMatcher {
  /// What a track states.
  private struct Key: Hashable {
    let channel: ElementID
    let pack: ElementID?
  }

  private let index: ElementIndex
  private let owner: ElementID
  /// Unused tracks, last one first.
  private var unused: [Key: [TrackIndex.Entry]] = [:]
  /// Channels of all tracks.
  private let carried: Set<ElementID>
  private var unusedCount: Int
  private var silent: Int

  /// A matcher for the tracks of `owner`, of which `silent` stand for silence.
  init(_ index: ElementIndex, owner: ElementID, _ tracks: [TrackIndex.Entry], silent: Int) {
    self.index = index
    self.owner = owner
    self.silent = silent
    unusedCount = tracks.count
    carried = Set(tracks.map(\.channel))
    for track in tracks.reversed() {
      unused[Key(channel: track.channel, pack: track.pack), default: []].append(track)
    }
  }

  /// Matches packs that are named.
  /// - Throws: ``ADMError`` of code `tracks` naming the channel or track without a partner.
  mutating func match(_ packs: [ElementID]) throws(ADMError) -> [PackMatch] {
    var result: [PackMatch] = []
    for id in packs {
      let pack = try index.pack(id, of: owner)
      result.append(pack.kind == .matrix ? try matchMatrix(pack) : try matchPlain(id))
    }
    try finish()
    return result
  }

  /// Refuses tracks that no channel took.
  private func finish() throws(ADMError) {
    if unusedCount > 0, let track = unused.values.joined().min(by: { $0.uid < $1.uid }) {
      throw ADMError(
        .tracks,
        "\(owner) has the track \(track.uid) of \(track.channel), which fits none of its packs")
    }
    guard silent == 0 else {
      throw ADMError(
        .tracks, "\(owner) has \(silent) more silent tracks than channels without a track")
    }
  }

  private mutating func matchPlain(_ id: ElementID) throws(ADMError) -> PackMatch {
    var channels: [PackMatch.Channel] = []
    for leaf in try PackTree(id, of: owner, index).leaves {
      channels.append(
        PackMatch.Channel(packs: leaf.packs, channel: leaf.channel, samples: try source(leaf)))
    }
    return PackMatch(pack: id, channels: channels)
  }

  /// The track of a channel, or silence.
  private mutating func source(_ leaf: PackTree.Leaf) throws(ADMError) -> SampleSource {
    if let track = take(leaf.channel, leaf.packs) { return .track(track.track) }
    guard silent > 0 else {
      throw ADMError(
        .tracks,
        "\(owner) has no track for the channel \(leaf.channel) of \(leaf.packs.first ?? owner)")
    }
    silent -= 1
    return .silence
  }

  /// Takes the first unused track of a channel whose pack lies on the way to it.
  private mutating func take(_ channel: ElementID, _ packs: [ElementID]) -> TrackIndex.Entry? {
    for pack in packs.reversed().map(Optional.some) + [nil] {
      if let track = unused[Key(channel: channel, pack: pack)]?.popLast() {
        unusedCount -= 1
        return track
      }
    }
    return nil
  }

  // MARK: Matrices

  /// Matches a matrix: its tracks carry what goes in, or what comes out.
  private mutating func matchMatrix(_ pack: AudioPackFormat) throws(ADMError) -> PackMatch {
    guard let output = pack.output else {
      throw ADMError(
        .unsupported,
        "the matrix \(pack.id) has no outputPackFormat, so it can't be heard by itself")
    }
    let isApplied = pack.channels.contains(where: carried.contains)
    var inputs: [ElementID: SampleSource] = [:]
    for leaf in try inputLeaves(of: pack, isApplied: isApplied) {
      inputs[leaf.channel] = try source(leaf)
    }
    let mixer = try MatrixMixer(pack, index, inputs: inputs, isApplied: isApplied)
    var channels: [PackMatch.Channel] = []
    for leaf in try PackTree(output, of: pack.id, index).leaves {
      channels.append(
        PackMatch.Channel(
          packs: leaf.packs, channel: leaf.channel, samples: try mixer.source(of: leaf.channel)))
    }
    return PackMatch(pack: output, channels: channels)
  }

  /// The channels that tracks carry for a matrix.
  private func inputLeaves(
    of pack: AudioPackFormat, isApplied: Bool
  ) throws(ADMError) -> [PackTree.Leaf] {
    if isApplied { return pack.channels.map { PackTree.Leaf(packs: [pack.id], channel: $0) } }
    if let input = pack.input {
      return try PackTree(input, of: pack.id, index).leaves.map {
        PackTree.Leaf(packs: [pack.id] + $0.packs, channel: $0.channel)
      }
    }
    guard let id = pack.encodes.first, pack.encodes.count == 1 else {
      throw ADMError(
        .reference, "the matrix \(pack.id) needs an inputPackFormat or one encodePackFormat")
    }
    let encode = try index.pack(id, of: pack.id)
    // What was encoded is on the tracks, or what went into encoding.
    if encode.channels.contains(where: carried.contains) {
      return encode.channels.map { PackTree.Leaf(packs: [pack.id, id], channel: $0) }
    }
    guard let input = encode.input else {
      throw ADMError(.reference, "the matrix \(id) has no inputPackFormat")
    }
    return try PackTree(input, of: id, index).leaves.map {
      PackTree.Leaf(packs: [pack.id, id] + $0.packs, channel: $0.channel)
    }
  }
}
