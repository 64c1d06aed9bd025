import AudioCore

/// Channels and sound fields whose filters don't change, convolved together.
final class StaticChannels {
  /// Taps of the filters.
  let taps: Int
  private let planes: [Int]
  /// Fields that turn with the head, by their first place in ``planes``.
  private var rotators: [(first: Int, rotator: SceneRotator)] = []
  private let convolver: FastConvolver

  /// The planes of `elements` that rest; `nil` when there are none. With a moving head, channels move.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for sound fields above order 7.
  init?(
    _ elements: SceneElements, _ hrtf: HRTFSet, _ designer: HRIRDesigner,
    _ room: RoomFilters?, rate: Int, _ options: SceneOptions
  ) throws {
    var planes: [Int] = []
    var pairs: [HRIRDesigner.Pair] = []
    if options.trajectory == nil {
      for channel in elements.channels {
        let pair = designer.pair(at: options.pose.place(of: channel.direction))
        planes.append(channel.plane)
        pairs.append(room?.adding(to: pair, channel.direction) ?? pair)
      }
    }
    for field in elements.fields {
      let filters = try FieldFilters(hrtf, order: field.order, rate: rate, options)
      if let rotator = filters.rotator { rotators.append((planes.count, rotator)) }
      planes += field.first..<field.first + filters.pairs.count
      pairs += filters.pairs
    }
    guard !planes.isEmpty else { return nil }
    let taps = pairs.reduce(0) { max($0, $1.left.count, $1.right.count) }
    let padded = { (filter: [Double]) in
      filter + [Double](repeating: 0, count: taps - filter.count)
    }
    self.taps = taps
    self.planes = planes
    convolver = FastConvolver(
      left: pairs.map { padded($0.left) }, right: pairs.map { padded($0.right) }, taps: taps,
      transformLength: FastConvolver.bestLength(taps: taps))
  }

  /// Consumes `input` and appends what is ready to the two planes of `output`.
  func process(_ input: AudioBuffer, into output: AudioBuffer) {
    var sources = planes.compactMap { plane in
      input.channel(plane).baseAddress.map { UnsafePointer($0) }
    }
    for (first, rotator) in rotators {
      let range = first..<first + rotator.planes.channels
      rotator.process(Array(sources[range]), frames: input.frames)
      sources.replaceSubrange(
        range,
        with: range.compactMap { place in
          rotator.planes.channel(place - first).baseAddress.map { UnsafePointer($0) }
        })
    }
    convolver.process(sources, frames: input.frames, into: output)
  }
}
