import AudioCore

/// Channels and sound fields whose filters don't change, convolved together.
final class StaticChannels {
  /// Taps of the filters.
  let taps: Int
  private let planes: [Int]
  private let convolver: FastConvolver

  /// The planes of `elements` that rest; `nil` when there are none. With a moving head, channels move.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for sound fields.
  init?(
    _ elements: SceneElements, _ designer: HRIRDesigner, rate: Int, _ options: SceneOptions
  ) throws {
    var planes: [Int] = []
    var pairs: [HRIRDesigner.Pair] = []
    if options.trajectory == nil {
      let room = options.room.map {
        RoomFilters($0.shoebox, designer, rate: rate, pose: options.pose)
      }
      for channel in elements.channels {
        let pair = designer.pair(at: options.pose.place(of: channel.direction))
        planes.append(channel.plane)
        pairs.append(room?.adding(to: pair, channel.direction) ?? pair)
      }
    }
    for field in elements.fields {
      let filters = try FieldFilters.pairs(order: field.order, designer, pose: options.pose)
      planes += field.first..<field.first + filters.count
      pairs += filters
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
    let sources = planes.compactMap { plane in
      input.channel(plane).baseAddress.map { UnsafePointer($0) }
    }
    convolver.process(sources, frames: input.frames, into: output)
  }
}
