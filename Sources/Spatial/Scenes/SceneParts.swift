// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The filters and convolvers of one rendering for two ears, made before its first block.
final class SceneParts {
  /// Delays that align the onsets of all paths to the ears.
  let timing: SceneTiming
  /// Crosstalk canceller after the ears' signals; `nil` for headphones, and where the filters of ``channels`` contain it.
  let canceller: CrosstalkCanceller?
  /// Channels and sound fields at rest; `nil` without any.
  let channels: RestingChannels?
  /// The late part of a room; `nil` without one.
  let late: LateFeed?
  /// The low-pass of LFE channels; `nil` without one.
  let bass: MonoConvolver?
  /// Objects, and channels under a moving head; `nil` when all rest.
  let voices: VoiceParts?

  /// Parts for `elements` at `rate`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for sound fields above order 7.
  init(_ hrtf: HRTFSet, _ elements: SceneElements, rate: Int, _ options: SceneOptions) throws {
    let plain = HRIRDesigner(hrtf, rate: rate)
    let canceller = options.span.map { span in
      CrosstalkCanceller(
        plain, span: span, rate: rate, bandwidth: Double(hrtf.sourceRate) / 2)
    }
    // Filters hold a room for a head at rest only; under a moving one, its reflections are a sound field (ReflectionBus).
    let room =
      options.trajectory == nil
      ? options.room.map { RoomFilters($0.shoebox, plain, rate: rate, pose: options.pose) } : nil
    voices = try VoiceParts(hrtf, elements, plain, room, rate: rate, options)
    // Beds at rest are played by longer filters, which costs less than a canceller after the sum; fields have too many planes for that.
    let cancellerIsInFilters = voices == nil && elements.fields.isEmpty
    channels = try RestingChannels(
      elements, hrtf, plain, room, cancellerIsInFilters ? canceller : nil, rate: rate, options)
    late =
      options.roomTail ? options.room.map { LateFeed($0, plain, elements, options, rate) } : nil
    let longest = max(
      channels?.taps ?? 0, voices?.room.map { $0.taps + $0.length } ?? 0, late?.taps ?? 0)
    let lfeGainDB = elements.hasBass ? options.lfeGainDB : nil
    timing = SceneTiming(
      lead: plain.lead, tail: plain.tail, longest: longest - plain.lead - 1,
      cancellerDelay: canceller?.delay ?? 0,
      bassHalf: lfeGainDB.map { _ in LFEFilter.half(rate: rate) },
      hasObjects: !elements.objects.isEmpty)
    bass = lfeGainDB.map { decibels in
      // The LFE gain is relative to a main channel, so it includes the frontal response's bass, taken an octave below the low-pass's
      // edge of 120 Hz.
      let factor = pow(10, decibels / 20) * plain.frontalGain(at: 60) * (canceller?.bassGain ?? 1)
      return MonoConvolver(taps: LFEFilter.taps(rate: rate).map { $0 * factor })
    }
    self.canceller = cancellerIsInFilters ? nil : canceller
  }
}

/// A programme's planes, sorted by how they are rendered.
struct SceneElements {
  /// A channel that doesn't move.
  struct Channel {
    var plane: Int
    var direction: Direction
  }

  /// Channels of beds.
  private(set) var channels: [Channel] = []
  /// LFE channels of beds.
  private(set) var bass: [Int] = []
  private(set) var objects: [Int] = []
  /// Start states of ``objects``.
  private(set) var starts: [ObjectState] = []
  /// Sound fields.
  private(set) var fields: [(first: Int, order: Int)] = []

  /// Most planes that a programme may have, which bounds memory; masters have at most 128 tracks.
  static let limit = 1024

  /// The planes of `programme`; channels of beds where `positions` puts them.
  /// - Throws: ``MediaError``: `unsupportedFeature` for more than 1,024 planes, `layoutUnknown` for
  ///   none, `usage` for positions of channels that a layout lacks.
  init(_ programme: Programme, _ positions: SpeakerPositions) throws {
    let planes = programme.planes
    guard planes <= SceneElements.limit else {
      throw MediaError(
        .unsupportedFeature,
        "at most \(SceneElements.limit) tracks can be rendered together, not \(planes)")
    }
    guard planes > 0 else {
      throw MediaError(.layoutUnknown, "binaural rendering needs at least one channel or object")
    }
    var plane = 0
    for element in programme.elements {
      switch element {
      case .bed(let layout): try add(layout, at: plane, positions)
      case .object(_, let start):
        objects.append(plane)
        starts.append(start)
      case .scene(let order): fields.append((plane, order))
      }
      plane += element.planes
    }
  }

  /// Whether something may go to the low-pass of LFE channels. An object may become an LFE channel by an
  /// update, but no supported format does so.
  var hasBass: Bool {
    !bass.isEmpty
      || starts.contains { state in
        if case .speaker(let channel) = state.rules.role { return channel.isLFE }
        return false
      }
  }

  private mutating func add(
    _ layout: ChannelLayout, at plane: Int, _ positions: SpeakerPositions
  ) throws {
    let directions = try positions.directions(in: layout)
    for (index, speaker) in layout.speakers.enumerated() {
      if speaker.isLFE {
        bass.append(plane + index)
      } else {
        channels.append(Channel(plane: plane + index, direction: directions[index]))
      }
    }
  }
}

/// Channels and sound fields whose filters don't change, convolved together.
final class RestingChannels {
  /// Taps of the responses to the ears.
  let taps: Int
  private let planes: [Int]
  /// Fields that turn with the head, by their first place in ``planes``.
  private var rotators: [(first: Int, rotator: SceneRotator)] = []
  private let convolver: FastConvolver

  /// The planes of `elements` that rest; `nil` when there are none. With a moving head, channels move. The filters lead to
  /// the ears, or through `canceller` to two loudspeakers.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for sound fields above order 7.
  init?(
    _ elements: SceneElements, _ hrtf: HRTFSet, _ designer: HRIRDesigner,
    _ room: RoomFilters?, _ canceller: CrosstalkCanceller?, rate: Int, _ options: SceneOptions
  ) throws {
    var planes: [Int] = []
    var pairs: [HRIRDesigner.Pair] = []
    if options.trajectory == nil {
      for channel in elements.channels {
        let pair = designer.sharedPair(at: options.pose.place(of: channel.direction))
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
    taps = pairs.reduce(0) { max($0, $1.left.count, $1.right.count) }
    if let canceller {
      let combiner = FilterCombiner(canceller, pairLength: taps)
      pairs = pairs.map(combiner.speakers(for:))
    }
    self.planes = planes
    convolver = RestingChannels.convolver(pairs)
  }

  private static func convolver(_ pairs: [HRIRDesigner.Pair]) -> FastConvolver {
    let taps = pairs.reduce(0) { max($0, $1.left.count, $1.right.count) }
    let padded = { (filter: [Double]) in
      filter + [Double](repeating: 0, count: taps - filter.count)
    }
    return FastConvolver(
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

  /// Appends what is left: the filters' whole response to the last samples.
  func finish(into output: AudioBuffer) { convolver.finish(into: output) }
}

/// The filters of a sound field.
struct FieldFilters {
  /// A pair of filters for each plane (ACN, SN3D), with the frontal onset at ``HRIRDesigner/lead``.
  let pairs: [HRIRDesigner.Pair]
  /// Turns the planes with a head that moves; `nil` where the head is held.
  let rotator: SceneRotator?

  /// Filters of a field of `order` at `rate` Hz, as the head that `options` describe hears it.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for orders above 7.
  init(_ hrtf: HRTFSet, order: Int, rate: Int, _ options: SceneOptions) throws {
    let most = SphericalHarmonics.highestOrder
    guard (0...most).contains(order) else {
      throw MediaError(
        .unsupportedFeature,
        "sound fields can have orders 0…\(most), but this one has the order \(order)")
    }
    var filters = SceneFilters.designed(for: hrtf, order: order, rate: rate)
    if options.trajectory == nil, options.pose != .ahead {
      filters = filters.turned(
        by: SceneRotationMaker(order: order).rotation(HeadRotation(options.pose)))
    }
    rotator = options.trajectory.map {
      SceneRotator(order: order, rate: rate, trajectory: $0)
    }
    pairs = zip(filters.left, filters.right).map { HRIRDesigner.Pair(left: $0, right: $1) }
  }
}

/// Plays diffuse sound from all around: each of ``DiffuseDirections`` through a decorrelator and the
/// responses of its direction. This sound turns with the head, because it is the same from everywhere.
///
/// The bus costs nothing until something is diffuse.
final class DiffuseBus {
  private let designer: HRIRDesigner
  private var convolver: FastConvolver?

  /// A bus of `designer`'s responses.
  init(_ designer: HRIRDesigner) { self.designer = designer }

  /// Delay of the decorrelators in samples, added to that of the responses.
  static let delay = DecorrelationFilter.delay
  /// Samples by which its filters are longer than the responses.
  static let length = DecorrelationFilter.length - 1

  /// Plays the `frames` samples of `lanes` and appends what is ready to the two planes of `output`.
  func play(_ lanes: StepLanes, frames: Int, into output: AudioBuffer) {
    guard lanes.hasDiffuse || convolver != nil else {
      output.appendSilence(frames)
      return
    }
    let sources = DiffuseDirections.all.indices.map { UnsafePointer(lanes.diffuse($0)) }
    made().process(sources, frames: frames, into: output)
  }

  private func made() -> FastConvolver {
    if let convolver { return convolver }
    let pairs = DiffuseDirections.all.enumerated().map { index, direction in
      let taps = DecorrelationFilter.taps(index)
      let pair = designer.pair(for: direction)
      return HRIRDesigner.Pair(
        left: Convolution.full(taps, pair.left), right: Convolution.full(taps, pair.right))
    }
    let count = pairs[0].left.count
    let made = FastConvolver(
      left: pairs.map(\.left), right: pairs.map(\.right), taps: count,
      transformLength: FastConvolver.bestLength(taps: count))
    convolver = made
    return made
  }
}

/// The directions from which diffuse sound comes: 24, nearly even, the right half mirroring the left.
enum DiffuseDirections {
  /// Twelve on the left, then their mirror images.
  static let all: [Direction] = {
    let left = [
      (22.5, 0.0), (67.5, 0), (112.5, 0), (157.5, 0), (45, 35), (90, 30), (135, 35), (45, -35),
      (90, -30), (135, -35), (60, 72), (120, -72),
    ].map { Direction(azimuth: $0.0, elevation: $0.1) }
    return left + left.map { Direction(azimuth: -$0.azimuth, elevation: $0.elevation) }
  }()
}
