// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CKernels
import Platform
import Signal

/// A voice as its reflections hear it: what it played lately, and where its images are.
final class ReflectionSource {
  private let hop: Int
  /// The longest delay's samples, then the hop.
  private let history: Buffer<Float>
  private var old: ReflectionTaps
  private var new: ReflectionTaps
  private var last: Image
  /// Whether taps are the same at both ends of the hop.
  private var isResting = true
  /// Player of its reflections as long as it stays where it began, and its lane there.
  private var beginning: (reflections: RestingReflections, lane: Int)?
  /// Samples of silence at the end of ``history``.
  private var silence: Int
  /// Whether it has its samples of the hop that is played.
  var hasHop = false

  /// The state of a voice that its images depend on.
  struct Image: Equatable {
    /// Place of the voice in the room.
    var place: SIMD3<Double>
    /// Amplitude of the reflections relative to those of a loudspeaker.
    var gain: Double
  }

  /// A source that was silent until now.
  init(_ images: RoomImages, hop: Int, _ image: Image) {
    self.hop = hop
    last = image
    history = Buffer(aligned: images.longest + hop)
    old = ReflectionTaps(images: images.cells.count)
    new = ReflectionTaps(images: images.cells.count)
    silence = history.count
    images.write(new, image)
  }

  deinit { beginning?.reflections.leave() }

  /// Leaves its reflections to `reflections` until it moves.
  func begin(in reflections: RestingReflections) {
    beginning = reflections.enter(at: last.place).map { (reflections, $0) }
  }

  /// Whether nothing of it is heard any more.
  var isSilent: Bool { silence >= history.count }

  /// Takes the next hop, over which the voice goes from one state to another.
  func take(_ samples: UnsafePointer<Float>, _ images: RoomImages, from first: Image, to end: Image)
  {
    // A voice that moved while it was silent begins where it is now.
    if first != last, isSilent { stopResting() }
    if isSilent { turn(to: first, images) }
    isResting = end == last
    turn(to: end, images)
    moveOn()
    let target = history.base + history.count - hop
    target.update(from: samples, count: hop)
    shareWithBeginning(target)
    let isSilent = (0..<hop).allSatisfy { target[$0] == 0 }
    silence = isSilent ? min(history.count, silence + hop) : 0
  }

  /// Gives the hop in `target` to what plays the reflections of a voice that stays where it began; where the
  /// voice leaves, the part by which it fades.
  private func shareWithBeginning(_ target: UnsafeMutablePointer<Float>) {
    guard let (reflections, lane) = beginning else { return }
    let feed = reflections.feed(lane)
    let step = isResting ? 0 : 1 / Float(hop)
    let gain = Float(last.gain)
    for index in 0..<hop {
      let rest = target[index] * (1 - Float(index) * step)
      feed[index] += gain * rest
      target[index] -= rest
    }
    if !isResting { stopResting() }
  }

  private func stopResting() {
    beginning?.reflections.leave()
    beginning = nil
  }

  /// Takes a silent hop.
  func takeSilence() {
    isResting = true
    moveOn()
    (history.base + history.count - hop).update(repeating: 0, count: hop)
    silence = min(history.count, silence + hop)
  }

  /// Appends the hop of these images to the lists of what is summed.
  func list(_ images: Range<Int>, in sums: ReflectionSums) {
    let now = UnsafePointer(history.base + history.count - hop)
    if isResting {
      new.list(images, of: now, in: &sums.resting)
    } else {
      old.list(images, of: now, in: &sums.old)
      new.list(images, of: now, in: &sums.new)
    }
  }

  private func turn(to image: Image, _ images: RoomImages) {
    guard image != last else { return }
    swap(&old, &new)
    images.write(new, image)
    last = image
  }

  private func moveOn() {
    hasHop = true
    history.base.update(from: history.base + hop, count: history.count - hop)
  }
}

/// The image sources of a room, in classes of those whose sound meets the same surfaces.
struct RoomImages {
  /// Images behind the same surfaces, in any order.
  struct Class {
    var surfaces: [Surface]
    /// Their places in ``cells``.
    var images: Range<Int>
  }

  /// The lattice's cells, class by class.
  let cells: [SIMD3<Int>]
  let classes: [Class]
  /// Most samples by which a reflection lags the direct sound.
  let longest: Int

  private let shoebox: Shoebox
  private let samplesPerMetre: Double
  private let harmonics: SphericalHarmonics

  /// Order of the sound field that carries reflections.
  static let order = 3
  /// Planes of that field.
  static let planes = SphericalHarmonics.count(order: order)

  /// The images in `shoebox`, their delays in samples at `rate` Hz.
  init(_ shoebox: Shoebox, rate: Int) {
    var sorted: [(surfaces: [Surface], cells: [SIMD3<Int>])] = []
    for cell in Shoebox.cells {
      let surfaces = Shoebox.surfaces(before: cell)
      let index = sorted.firstIndex { RoomImages.isSame($0.surfaces, surfaces) }
      if let index { sorted[index].cells.append(cell) } else { sorted.append((surfaces, [cell])) }
    }
    var first = 0
    classes = sorted.map { entry in
      defer { first += entry.cells.count }
      return Class(surfaces: entry.surfaces, images: first..<first + entry.cells.count)
    }
    cells = sorted.flatMap(\.cells)
    samplesPerMetre = Double(rate) / Reflection.speed
    longest = Int((shoebox.longestWay * samplesPerMetre).rounded(.up))
    harmonics = SphericalHarmonics(order: RoomImages.order, normalization: .sn3d)
    self.shoebox = shoebox
  }

  /// Writes the reflections of a source to `taps`.
  func write(_ taps: ReflectionTaps, _ source: ReflectionSource.Image) {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: RoomImages.planes) { values in
      for (image, cell) in cells.enumerated() {
        let path = shoebox.path(from: source.place, by: cell)
        harmonics.write(at: path.place, to: values)
        let target = taps.gains(of: image)
        for plane in values.indices {
          target[plane] = Float(source.gain * path.gain * values[plane])
        }
        taps.setDelay(Int((path.extraWay * samplesPerMetre).rounded()), of: image)
      }
    }
  }

  private static func isSame(_ one: [Surface], _ other: [Surface]) -> Bool {
    one == other || one == other.reversed()
  }
}

/// When each image of a source is heard, and how loud in each plane of the field.
final class ReflectionTaps {
  private let delays: Buffer<Int>
  private let floats: Buffer<Float>

  /// Taps of `images` images.
  init(images: Int) {
    delays = Buffer(0, count: images)
    floats = Buffer(aligned: images * RoomImages.planes)
  }

  /// Sets the whole samples by which an image lags the direct sound.
  func setDelay(_ delay: Int, of image: Int) { delays.base[image] = delay }

  /// Gains of an image in the planes of the field.
  func gains(of image: Int) -> UnsafeMutablePointer<Float> {
    floats.base + image * RoomImages.planes
  }

  /// Appends images of a signal whose newest samples begin at `now` to `list`.
  func list(_ images: Range<Int>, of now: UnsafePointer<Float>, in list: inout ReflectionList) {
    let delays = delays.base
    for image in images { list.append(now - delays[image], UnsafePointer(gains(of: image))) }
  }
}

/// Signals, each with its gains in the planes of a field, that are to be summed.
struct ReflectionList {
  private var sources: [UnsafePointer<Float>?] = []
  private var gains: [UnsafePointer<Float>?] = []

  /// Whether there is nothing to be summed.
  var isEmpty: Bool { sources.isEmpty }

  /// Appends a signal.
  mutating func append(_ source: UnsafePointer<Float>, _ gains: UnsafePointer<Float>) {
    sources.append(source)
    self.gains.append(gains)
  }

  /// Adds `frames` samples of all signals to `lanes`, and forgets the signals.
  mutating func add(to lanes: Buffer<Float>, frames: Int) {
    cc_add_lanes(sources.count, frames, sources, gains, lanes.base)
    sources.removeAll(keepingCapacity: true)
    gains.removeAll(keepingCapacity: true)
  }
}

/// Sums a hop of images: those of voices that rest, and those of voices that move, which fade from where
/// they were at the hop's start to where they are at its end.
final class ReflectionSums {
  /// Images of voices that rest.
  var resting = ReflectionList()
  /// Images of voices that move, at the hop's start.
  var old = ReflectionList()
  /// Images of voices that move, at the hop's end.
  var new = ReflectionList()

  /// The sum, the planes of each sample side by side.
  let lanes: Buffer<Float>
  private let ends: [Buffer<Float>]
  private let hop: Int

  /// Sums of hops of `hop` samples.
  init(hop: Int) {
    self.hop = hop
    lanes = Buffer(aligned: hop * RoomImages.planes)
    ends = (0..<2).map { _ in Buffer(aligned: hop * RoomImages.planes) }
  }

  /// Makes ``lanes`` the sum of all that is listed, and empties the lists.
  func sum() {
    lanes.base.update(repeating: 0, count: lanes.count)
    resting.add(to: lanes, frames: hop)
    guard !new.isEmpty else { return }
    for end in ends { end.base.update(repeating: 0, count: end.count) }
    old.add(to: ends[0], frames: hop)
    new.add(to: ends[1], frames: hop)
    cc_fade_lanes(hop, ends[0].base, ends[1].base, lanes.base)
  }
}
