// SPDX-License-Identifier: Apache-2.0

/// The coded spectra of a channel element and how they are combined: `mono_data` to
/// `five_channel_data` of one frame (TS 103 190-1, 4.2.6).
///
/// A track is one coded spectrum. Tracks are read first, combined pair by pair by ``operations``, and
/// then belong to the channels that ``channelTracks`` names.
final class ElementSpectra {
  /// Transform lengths and bands.
  let sizes: TransformSizes
  /// The tracks of the frame read last, and more that it doesn't use.
  let tracks: [SpectralTrack]
  /// Number of tracks that the frame uses.
  private(set) var trackCount = 0
  /// Track of each channel, once combined; `nil` where none is coded.
  private(set) var channelTracks: [Int?]
  /// Parameter sets that ``operations``, ``channelOperations`` and ``predictions`` refer to. An element has at most
  /// 14: five of `five_channel_data`, two for the added pair or the residuals, and in immersive elements three of
  /// `two_channel_data` and four predictions.
  let parameters = (0..<14).map { _ in StereoParameters() }
  /// Number of parameter sets that the frame uses.
  private(set) var parameterCount = 0
  /// The combinations of tracks, in order.
  private(set) var operations: [PairOperation] = []
  /// Combinations of channels, not tracks, that come after them.
  private(set) var channelOperations: [PairOperation] = []
  /// Channels from which others are predicted, after that: the second gets its share of the first.
  private(set) var predictions: [PairOperation] = []

  private let books = SpectralBooks()

  /// Spectra of up to `channels` channels.
  init(_ sizes: TransformSizes, channels: Int) {
    self.sizes = sizes
    tracks = (0..<channels).map { _ in SpectralTrack(sizes) }
    channelTracks = Array(0..<channels)
    operations.reserveCapacity(12)
    channelOperations.reserveCapacity(2)
    predictions.reserveCapacity(4)
  }

  /// Begins another frame, which has no spectra for the channels `silent`.
  func begin(silent: [Int]) {
    operations.removeAll(keepingCapacity: true)
    channelOperations.removeAll(keepingCapacity: true)
    predictions.removeAll(keepingCapacity: true)
    trackCount = 0
    parameterCount = 0
    for channel in silent { channelTracks[channel] = nil }
  }

  // MARK: Data of one to five tracks

  /// `mono_data(1)`: the low-frequency channel.
  func readLowFrequency(_ bits: inout BitReader, to channel: Int) throws(AC4Error) {
    try readTrack(&bits, channel, try WindowLayout(lowFrequency: &bits, sizes))
  }

  /// `mono_data(0)`.
  func readMono(_ bits: inout BitReader, to channel: Int) throws(AC4Error) {
    try readFrontEnd(&bits)
    try readTrack(&bits, channel, try WindowLayout(&bits, sizes))
  }

  /// `stereo_data`.
  func readPair(_ bits: inout BitReader, to channels: (Int, Int)) throws(AC4Error) {
    if try bits.flag() {
      let layout = try WindowLayout(&bits, sizes)
      let parameter = try readParameters(&bits, layout)
      let first = try readTrack(&bits, channels.0, layout)
      let second = try readTrack(&bits, channels.1, layout)
      operations.append(PairOperation(parameter: parameter, first: first, second: second))
      return
    }
    try readFrontEnd(&bits)
    let left = try WindowLayout(&bits, sizes)
    try readFrontEnd(&bits)
    let right = try WindowLayout(&bits, sizes)
    try readTrack(&bits, channels.0, left)
    try readTrack(&bits, channels.1, right)
  }

  /// `two_channel_data`.
  func readTwoTracks(_ bits: inout BitReader, to channels: (Int, Int)) throws(AC4Error) {
    let isCombined = try bits.flag()
    let layout = try WindowLayout(&bits, sizes)
    guard isCombined else {
      let other = try WindowLayout(&bits, sizes)
      try readTrack(&bits, channels.0, layout)
      try readTrack(&bits, channels.1, other)
      return
    }
    let parameter = try readParameters(&bits, layout)
    let first = try readTrack(&bits, channels.0, layout)
    let second = try readTrack(&bits, channels.1, layout)
    operations.append(PairOperation(parameter: parameter, first: first, second: second))
  }

  /// `three_channel_data`: left, right and centre.
  func readThreeTracks(_ bits: inout BitReader) throws(AC4Error) {
    let layout = try WindowLayout(&bits, sizes)
    let pairs = try readSelection(&bits)
    let base = try readParameters(&bits, layout)
    _ = try readParameters(&bits, layout)
    let start = trackCount
    for channel in 0..<3 { try readTrack(&bits, channel, layout) }
    combine(pairs, base, start)
  }

  /// `four_channel_data`: left, right and the surrounds.
  func readFourTracks(_ bits: inout BitReader, to channels: [Int]) throws(AC4Error) {
    let layout = try WindowLayout(&bits, sizes)
    let base = parameterCount
    for _ in 0..<4 { _ = try readParameters(&bits, layout) }
    let start = trackCount
    for channel in channels { try readTrack(&bits, channel, layout) }
    combine(PairOperation.fourTracks, base, start)
  }

  /// `five_channel_data`: left, right, centre and the surrounds.
  func readFiveTracks(_ bits: inout BitReader, to channels: [Int]) throws(AC4Error) {
    let layout = try WindowLayout(&bits, sizes)
    let pairs = try readSelection(&bits)
    let base = parameterCount
    for _ in 0..<5 { _ = try readParameters(&bits, layout) }
    let start = trackCount
    for channel in channels { try readTrack(&bits, channel, layout) }
    combine(pairs, base, start)
    combine(PairOperation.fiveTracks, base + 2, start)
  }

  // MARK: Data beside the core

  /// Mid and side of a coupled `channel_pair_element`, which may have windows of their own
  /// (`stereo_data` with `max_sfb_side`).
  func readMidAndSide(_ bits: inout BitReader) throws(AC4Error) {
    guard try bits.flag() else {
      try readFrontEnd(&bits)
      let mid = try WindowLayout(&bits, sizes)
      try readFrontEnd(&bits)
      let side = try WindowLayout(&bits, sizes, .side)
      try readTrack(&bits, 0, mid)
      try readTrack(&bits, 1, side)
      return
    }
    let layout = try WindowLayout(&bits, sizes, .both)
    let parameter = try readParameters(&bits, layout)
    let mid = try readTrack(&bits, 0, layout)
    let side = try readTrack(&bits, 1, layout.side)
    operations.append(PairOperation(parameter: parameter, first: mid, second: side))
  }

  /// The residuals of two coupled pairs, each with the windows of its carrier: `max_sfb_master`, two
  /// `chparam_info` and two `sf_data`.
  func readResiduals(
    _ bits: inout BitReader, _ pairs: [(carrier: Int, other: Int)]
  ) throws(AC4Error) {
    let carriers = (
      channelTracks[pairs[0].carrier] ?? 0, channelTracks[pairs[1].carrier] ?? 0
    )
    let layouts = (tracks[carriers.0].layout, tracks[carriers.1].layout)
    let largest = Int(max(layouts.0.transforms.max(), layouts.1.transforms.max()))
    let count = try bits.read(TransformSizes.sideBits(length: sizes.length(largest)))
    guard count <= sizes.bandCount(largest) else { throw .damaged("\(count) residual bands") }
    let first = layouts.0.reaching(count, of: largest, sizes)
    let second = layouts.1.reaching(count, of: largest, sizes)
    let parameters = (try readParameters(&bits, first), try readParameters(&bits, second))
    let left = try readTrack(&bits, pairs[0].other, first)
    let right = try readTrack(&bits, pairs[1].other, second)
    operations.append(
      PairOperation(
        parameter: parameters.0, first: carriers.0, second: left, framing: left))
    operations.append(
      PairOperation(
        parameter: parameters.1, first: carriers.1, second: right, framing: right))
  }

  /// The two `chparam_info` that combine the added pair of a 7.X mode with its partners.
  func readAddedParameters(_ bits: inout BitReader, _ plan: ElementPlan) throws(AC4Error) {
    for partner in plan.partners {
      _ = try readParameters(&bits, tracks[channelTracks[partner] ?? 0].layout)
    }
  }

  /// Notes the operations on the pair that a 7.X mode adds and its partners, whose parameter sets begin
  /// at `parameter`.
  func combineAdded(_ plan: ElementPlan, _ parameter: Int) throws(AC4Error) {
    for (place, partner) in plan.partners.enumerated() {
      let added = plan.added[place]
      guard let first = channelTracks[partner], let second = channelTracks[added],
        tracks[first].layout.hasSameWindows(as: tracks[second].layout)
      else { throw .damaged("an added pair with windows of its own") }
      // Groups and bands of the two may differ, so their lines only match once they are ungrouped.
      channelOperations.append(
        PairOperation(
          parameter: parameter + place, first: partner, second: added, framing: first))
    }
  }

  /// `chparam_info` by which channel `second` of an immersive element is predicted from `first`, with the bands of the
  /// latter.
  func readPrediction(
    _ bits: inout BitReader, _ first: Int, _ second: Int
  ) throws(AC4Error) {
    guard let track = channelTracks[first], let other = channelTracks[second],
      tracks[track].layout.hasSameWindows(as: tracks[other].layout)
    else { throw .damaged("a predicted channel with windows of its own") }
    let parameter = try readParameters(&bits, tracks[track].layout)
    predictions.append(
      PairOperation(parameter: parameter, first: first, second: second, framing: track))
  }

  // MARK: Parts

  /// Notes the operations on `pairs`, counted from track `start`, with parameter sets from `parameter` on.
  private func combine(
    _ pairs: [(first: Int, second: Int)], _ parameter: Int, _ start: Int
  ) {
    for (place, pair) in pairs.enumerated() {
      operations.append(
        PairOperation(
          parameter: parameter + place, first: start + pair.first, second: start + pair.second))
    }
  }

  /// `chel_matsel`; answers the operations that make up the matrix.
  private func readSelection(
    _ bits: inout BitReader
  ) throws(AC4Error) -> [(first: Int, second: Int)] {
    let selection = try bits.read(4)
    guard selection < PairOperation.threeTracks.count else {
      throw .damaged("channel matrix \(selection)")
    }
    return PairOperation.threeTracks[selection]
  }

  /// `spec_frontend`: 0 is the audio spectral front end.
  private func readFrontEnd(_ bits: inout BitReader) throws(AC4Error) {
    if try bits.flag() { throw .unsupported("speech spectral front end (SSF)") }
  }

  /// `chparam_info`; answers the index of the set.
  private func readParameters(
    _ bits: inout BitReader, _ layout: WindowLayout
  ) throws(AC4Error) -> Int {
    let index = parameterCount
    try parameters[index].read(&bits, layout, books)
    parameterCount += 1
    return index
  }

  /// `sf_data` of one channel; answers the index of the track.
  @discardableResult
  private func readTrack(
    _ bits: inout BitReader, _ channel: Int, _ layout: WindowLayout
  ) throws(AC4Error) -> Int {
    let index = trackCount
    try tracks[index].read(&bits, layout, books)
    channelTracks[channel] = index
    trackCount += 1
    return index
  }
}
