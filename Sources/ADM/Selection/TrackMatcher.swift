// SPDX-License-Identifier: Apache-2.0

/// Finds the track of each channel of an object's packs (BS.2127, 5.2.5).
///
/// Each pack takes the first unused track that fits each of its channels, in order. That is the only
/// solution for all files that mean what they say; what is left over is refused.
struct TrackMatcher {
  /// The references that a track states.
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
    // The tracks hold the encoded channels, or the ones that went into encoding.
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

/// A pack with the source of each of its channels.
struct PackMatch {
  /// A channel of the pack.
  struct Channel: Sendable {
    let packs: [ElementID]
    let channel: ElementID
    let samples: SampleSource
  }

  let pack: ElementID
  let channels: [Channel]
}

/// The channels of a pack and of the packs inside it.
struct PackTree {
  /// A channel with the way to it.
  struct Leaf: Sendable {
    /// Outermost pack first.
    let packs: [ElementID]
    let channel: ElementID
  }

  /// Channels of one pack.
  private static let mostChannels = 65536
  /// Packs inside each other.
  private static let mostNesting = 32

  /// Channels in the order of the document, a pack's own ones before those of packs inside it.
  private(set) var leaves: [Leaf] = []
  private var visited = 0
  private var seen: Set<ElementID> = []

  /// The tree below `root`, which `owner` refers to.
  /// - Throws: ``ADMError`` for channels that are reached twice, for too many, and for what isn't there.
  init(_ root: ElementID, of owner: ElementID, _ index: ElementIndex) throws(ADMError) {
    try walk(try index.pack(root, of: owner), [root], index)
  }

  private mutating func walk(
    _ pack: AudioPackFormat, _ path: [ElementID], _ index: ElementIndex
  ) throws(ADMError) {
    visited += 1
    // Common definitions that the document replaces may make cycles that the check of the document's
    // own packs doesn't see; they end here.
    guard path.count <= PackTree.mostNesting, visited <= PackTree.mostChannels else {
      throw ADMError(.limit, "\(pack.id) lies inside too many other packs")
    }
    for id in pack.channels {
      _ = try index.channel(id, of: pack.id)
      guard seen.insert(id).inserted else {
        throw ADMError(.reference, "\(path.first ?? pack.id) reaches the channel \(id) on two ways")
      }
      leaves.append(Leaf(packs: path, channel: id))
      guard leaves.count <= PackTree.mostChannels else {
        throw ADMError(
          .limit, "\(path.first ?? pack.id) has more than \(PackTree.mostChannels) channels")
      }
    }
    for id in pack.packs { try walk(try index.pack(id, of: pack.id), path + [id], index) }
  }
}

/// Makes the mixes of a matrix (BS.2076-2, 5.4.3.2; BS.2127, 5.2.6).
struct MatrixMixer {
  /// Matrices that feed each other: one that encodes and one that decodes.
  private static let mostNesting = 4
  /// Terms of one channel's mix, with those of the mixes that it takes in.
  private static let mostTerms = 65536

  private let pack: AudioPackFormat
  private let index: ElementIndex
  private let inputs: [ElementID: SampleSource]
  private let isApplied: Bool
  /// The matrix's channel for each channel that results.
  private var makers: [ElementID: ElementID] = [:]

  /// A mixer for a matrix whose tracks carry `inputs`; with `isApplied` these are its own channels.
  init(
    _ pack: AudioPackFormat, _ index: ElementIndex, inputs: [ElementID: SampleSource],
    isApplied: Bool
  ) throws(ADMError) {
    self.pack = pack
    self.index = index
    self.inputs = inputs
    self.isApplied = isApplied
    for id in pack.channels {
      let (_, matrix) = try MatrixMixer.block(try index.channel(id, of: pack.id))
      guard let output = matrix.output else {
        throw ADMError(.reference, "\(id) has no outputChannelFormat")
      }
      guard makers.updateValue(id, forKey: output) == nil else {
        throw ADMError(.reference, "\(pack.id) makes the channel \(output) twice")
      }
    }
  }

  /// Source of the samples of a channel of the output pack.
  func source(of output: ElementID) throws(ADMError) -> SampleSource {
    guard let maker = makers[output] else {
      throw ADMError(.reference, "no channel of the matrix \(pack.id) makes \(output)")
    }
    if isApplied { return inputs[maker] ?? .silence }
    var terms = 0
    return try mix(maker, nesting: 0, &terms)
  }

  private func mix(
    _ id: ElementID, nesting: Int, _ count: inout Int
  ) throws(ADMError) -> SampleSource {
    guard nesting < MatrixMixer.mostNesting else {
      throw ADMError(.cycle, "the matrix of \(id) leads back to itself")
    }
    let (block, matrix) = try MatrixMixer.block(try index.channel(id, of: pack.id))
    count += matrix.coefficients.count
    guard count <= MatrixMixer.mostTerms else {
      throw ADMError(.limit, "\(id) mixes more than \(MatrixMixer.mostTerms) channels")
    }
    var terms: [SampleSource.Term] = []
    for coefficient in matrix.coefficients {
      let known = inputs[coefficient.input]
      if known == nil, try index.channel(coefficient.input, of: id).kind != .matrix {
        throw ADMError(.tracks, "\(id) mixes \(coefficient.input), which no track carries")
      }
      var source = known ?? .silence
      if known == nil { source = try mix(coefficient.input, nesting: nesting + 1, &count) }
      terms.append(
        SampleSource.Term(
          gain: coefficient.gain * block.gain, delay: coefficient.delay, source: source))
    }
    return .mix(terms)
  }

  private static func block(
    _ channel: AudioChannelFormat
  ) throws(ADMError) -> (AudioBlock, MatrixDetails) {
    guard channel.kind == .matrix, let block = channel.blocks.first, channel.blocks.count == 1,
      let matrix = channel.details(of: block).matrix
    else {
      throw ADMError(.value, "\(channel.id) has to be a Matrix channel with exactly one block")
    }
    return (block, matrix)
  }
}
