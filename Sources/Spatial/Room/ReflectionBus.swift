// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CKernels
import Platform
import Signal

/// Plays the reflections of voices, which may move, for a head that may turn.
///
/// Each of a voice's 24 image sources has a place in the room, a delay and a gain, none of which depends
/// on the head. All images together make a sound field of the third order, which turns against the head
/// and goes through its filters: its cost doesn't depend on the number of voices. Images behind the same
/// surfaces are summed before they pass these surfaces' shelves.
///
/// Delays are rounded to whole samples, the same at both ears. When a voice moves, each image fades within
/// a hop from its old place, delay and gain to the new ones, so that nothing changes pitch. The reflections
/// come from where the voice is when they are heard; soon after it falls silent, what still rings stays where it is.
/// Under a head at rest, a voice has exact reflections as long as it stays where it was at sample 0.
final class ReflectionBus {
  /// Taps of the field's filters, which have the lead of ``HRIRDesigner``.
  let taps: Int
  /// Samples that the longest delay and the shelves add.
  let length: Int

  private let images: RoomImages
  private let hop: Int
  private let shelves: [[SurfaceShelf]]
  private let convolver: SceneConvolver
  /// The images of one class.
  private let sums: ReflectionSums
  /// All classes.
  private let total: Buffer<Float>
  private let field = AudioBuffer(channels: RoomImages.planes)
  private var sources: [ReflectionSource] = []
  private var resting: RestingReflections?

  /// A bus for reflections in `shoebox` as the head of `hrtf` hears them.
  /// - Throws: what ``SceneConvolver`` throws.
  init(_ shoebox: Shoebox, _ hrtf: HRTFSet, rate: Int, hop: Int, _ options: SceneOptions) throws {
    images = RoomImages(shoebox, rate: rate)
    self.hop = hop
    convolver = try SceneConvolver(
      order: RoomImages.order, hrtf: hrtf, rate: rate, pose: options.pose,
      trajectory: options.trajectory)
    taps = convolver.taps
    length = images.longest + Reflection.ring(rate: rate)
    shelves = images.classes.map { kind in
      kind.surfaces.map { SurfaceShelf($0, lanes: RoomImages.planes, rate: rate) }
    }
    sums = ReflectionSums(hop: hop)
    total = Buffer(aligned: hop * RoomImages.planes)
    field.grow(by: hop)
  }

  /// Gives voices that rest at sample 0 the exact filters of a bed, `filters`, until they move.
  func begin(_ voices: [ObjectVoice], _ filters: RoomFilters) {
    let held = voices.filter { voice in
      let image = ReflectionBus.image(of: voice, at: 0)
      return image.gain > 0 && image == ReflectionBus.image(of: voice, at: hop)
    }
    resting = RestingReflections(filters, held.map { $0.course.place(at: 0) }, hop: hop)
    guard let resting else { return }
    for voice in held {
      let source = ReflectionSource(images, hop: hop, ReflectionBus.image(of: voice, at: 0))
      source.begin(in: resting)
      voice.reflections = source
    }
  }

  /// Plays a step of `frames` samples, some hops, that begins at sample `start`, in which `voices` are heard,
  /// and appends what is ready to the two planes of `output`, and of `still` for those that have never moved.
  func play(
    _ voices: [ObjectVoice], start: Int, frames: Int, into output: AudioBuffer,
    still: AudioBuffer
  ) {
    for offset in stride(from: 0, to: frames, by: hop) {
      take(voices, start: start, offset: offset)
      playHop(into: output, still: still)
    }
  }

  /// Plays the hop that all sources have taken.
  private func playHop(into output: AudioBuffer, still: AudioBuffer) {
    if let resting { resting.play(into: still) } else { still.appendSilence(hop) }
    total.base.update(repeating: 0, count: total.count)
    for (kind, shelves) in zip(images.classes, shelves) {
      for source in sources { source.list(kind.images, in: sums) }
      sums.sum()
      for shelf in shelves { shelf.process(sums.lanes.base, count: hop) }
      let (from, to) = (sums.lanes.base, total.base)
      for index in 0..<total.count { to[index] += from[index] }
    }
    let planes = (0..<RoomImages.planes).compactMap { plane -> UnsafePointer<Float>? in
      guard let target = field.channel(plane).baseAddress else { return nil }
      for index in 0..<hop { target[index] = total.base[index * RoomImages.planes + plane] }
      return UnsafePointer(target)
    }
    convolver.process(planes, frames: hop, into: output)
  }

  /// Gives all sources their hop, `offset` samples into the step that begins at sample `start`, those whose
  /// voices are silent by now a silent one, and forgets those that aren't heard any more.
  private func take(_ voices: [ObjectVoice], start: Int, offset: Int) {
    for voice in voices { take(voice, start: start, offset: offset) }
    for source in sources {
      if !source.hasHop { source.takeSilence() }
      source.hasHop = false
    }
    sources.removeAll { $0.isSilent }
  }

  private func take(_ voice: ObjectVoice, start: Int, offset: Int) {
    let time = start + offset
    let first = ReflectionBus.image(of: voice, at: time)
    let end = ReflectionBus.image(of: voice, at: time + hop)
    guard voice.reflections != nil || first.gain > 0 || end.gain > 0 else { return }
    let source = voice.reflections ?? ReflectionSource(images, hop: hop, first)
    voice.reflections = source
    if source.isSilent { sources.append(source) }
    source.take(UnsafePointer(voice.newest + offset), images, from: first, to: end)
  }

  /// Place of `voice` in the room at sample `time`, and its gain there.
  static func image(of voice: ObjectVoice, at time: Int) -> ReflectionSource.Image {
    let time = Double(time)
    return ReflectionSource.Image(
      place: voice.course.place(at: time), gain: voice.course.shape(at: time).reflections)
  }
}

/// Plays the reflections of objects that have stayed where they were at the programme's start, for a head at
/// rest: through the filters of a bed's channels in the same places.
///
/// An object that moves for the first time leaves for good: reflections of its sound until then still ring here,
/// and those of its later sound are played by ``ReflectionBus``. Once all have left, playing costs nothing.
final class RestingReflections {
  private let hop: Int
  private let lanes: [SIMD3<Double>: Int]
  private let feeds: Buffer<Float>
  private var convolver: FastConvolver?
  /// Voices that may play.
  private var users = 0
  /// Samples since the last voice left.
  private var quiet = 0
  /// Samples that the convolver has, and those of them that it has delivered.
  private var fed = 0
  private var delivered = 0
  /// Samples of silence after which only silence comes out.
  private let ringing: Int

  /// Most places that get filters; designing those of one takes 7 ms.
  private static let limit = 128

  /// Reflections of sources at `places` of the room; `nil` for none.
  init?(_ filters: RoomFilters, _ places: [SIMD3<Double>], hop: Int) {
    var lanes: [SIMD3<Double>: Int] = [:]
    for place in places where lanes[place] == nil && lanes.count < RestingReflections.limit {
      lanes[place] = lanes.count
    }
    guard !lanes.isEmpty else { return nil }
    let pairs = lanes.sorted { $0.value < $1.value }.map { place, _ in
      filters.adding(to: .init(left: [], right: []), UnitVector.direction(of: place))
    }
    let taps = pairs.reduce(0) { max($0, $1.left.count, $1.right.count) }
    let padded = { (filter: [Double]) in
      filter + [Double](repeating: 0, count: taps - filter.count)
    }
    let length = FastConvolver.bestLength(taps: taps)
    convolver = FastConvolver(
      left: pairs.map { padded($0.left) }, right: pairs.map { padded($0.right) }, taps: taps,
      transformLength: length)
    feeds = Buffer(aligned: lanes.count * hop)
    // Two segments of a transform come out together.
    ringing = taps + 2 * length
    self.lanes = lanes
    self.hop = hop
  }

  /// Takes in a voice at `place` and answers its lane; `nil` where there are no filters.
  func enter(at place: SIMD3<Double>) -> Int? {
    guard let lane = lanes[place] else { return nil }
    users += 1
    return lane
  }

  /// Lets a voice go.
  func leave() { users -= 1 }

  /// Samples of the hop that is filled, to which voices add theirs.
  func feed(_ lane: Int) -> UnsafeMutablePointer<Float> { feeds.base + lane * hop }

  /// Plays a hop and appends what is ready to the two planes of `output`.
  func play(into output: AudioBuffer) {
    quiet = users > 0 ? 0 : quiet + hop
    if let convolver {
      let before = output.frames
      convolver.process(
        (0..<lanes.count).map { UnsafePointer(feed($0)) }, frames: hop, into: output)
      fed += hop
      delivered += output.frames - before
      feeds.base.update(repeating: 0, count: feeds.count)
      if quiet > ringing {
        output.appendSilence(fed - delivered)
        self.convolver = nil
      }
    } else {
      output.appendSilence(hop)
    }
  }
}

/// Renders a scene for headphones: (order + 1)² planes, ACN, SN3D, to two ears.
///
/// Output sample n is the convolution at n, so a wave from the front has its onset (mean of both ears)
/// ``lead`` samples later, as in a bed. `process` and `finish` append input + ``taps`` − 1 samples in all.
/// The output doesn't depend on how the input is cut.
final class SceneConvolver {
  /// Samples by which output lags input.
  let lead: Int
  /// Taps of the filters.
  let taps: Int
  /// Planes that ``process(_:frames:into:)`` takes.
  let planes: Int

  private let convolver: FastConvolver
  private let rotator: SceneRotator?

  /// A convolver for scenes of `order` at `rate` Hz.
  /// - Parameters:
  ///   - pose: how the head is held all the time.
  ///   - trajectory: how it moves; `pose` doesn't count beside it.
  /// - Throws: ``MediaError``: `unsupportedFeature` for orders outside 0…7, `usage` for angles of the
  ///   head out of range.
  convenience init(
    order: Int, hrtf: HRTFSet, rate: Int, pose: HeadPose = .ahead,
    trajectory: HeadTrajectory? = nil
  ) throws {
    let most = SphericalHarmonics.highestOrder
    guard (0...most).contains(order) else {
      throw MediaError(
        .unsupportedFeature,
        "sound fields can have orders 0…\(most), but this one has the order \(order)")
    }
    try self.init(
      SceneFilters.designed(for: hrtf, order: order, rate: rate), rate: rate, pose: pose,
      trajectory: trajectory)
  }

  /// A convolver with filters that were made for `rate`; see ``init(order:hrtf:rate:pose:trajectory:)``.
  init(
    _ filters: SceneFilters, rate: Int, pose: HeadPose = .ahead,
    trajectory: HeadTrajectory? = nil
  ) throws {
    try pose.check()
    let maker = SceneRotationMaker(order: filters.order)
    let isTurned = trajectory == nil && pose != .ahead
    let filters = isTurned ? filters.turned(by: maker.rotation(HeadRotation(pose))) : filters
    rotator = trajectory.map { SceneRotator(order: filters.order, rate: rate, trajectory: $0) }
    lead = filters.lead
    taps = filters.taps
    planes = filters.left.count
    convolver = FastConvolver(
      left: filters.left, right: filters.right, taps: filters.taps,
      transformLength: FastConvolver.bestLength(taps: filters.taps))
  }

  /// Consumes `frames` samples of each plane and appends what is ready to the two planes of `output`.
  func process(_ sources: [UnsafePointer<Float>], frames: Int, into output: AudioBuffer) {
    guard let rotator else {
      convolver.process(sources, frames: frames, into: output)
      return
    }
    rotator.process(sources, frames: frames)
    let turned = (0..<planes).compactMap { plane in
      rotator.planes.channel(plane).baseAddress.map { UnsafePointer($0) }
    }
    convolver.process(turned, frames: frames, into: output)
  }

  /// Appends what is left.
  func finish(into output: AudioBuffer) { convolver.finish(into: output) }
}

/// The filter of a surface on the sixteen lanes of a sound field that lie side by side.
final class SurfaceShelf {
  private let shelf: Surface.Shelf
  private let states: Buffer<Float>

  /// States below this are taken for silence: smaller numbers would slow the processor down.
  private static let least: Float = 1e-20

  /// The shelf of `surface` for `lanes` lanes at `rate` Hz, silent until now.
  init(_ surface: Surface, lanes: Int, rate: Int) {
    shelf = surface.shelf(rate: rate)
    states = Buffer(aligned: lanes)
  }

  /// Passes `count` samples of each lane through the shelf.
  func process(_ lanes: UnsafeMutablePointer<Float>, count: Int) {
    cc_shelve_lanes(
      count, Float(shelf.pole), Float(shelf.low), Float(shelf.high), states.base, lanes)
    for index in 0..<states.count where states.base[index].magnitude < SurfaceShelf.least {
      states.base[index] = 0
    }
  }
}
