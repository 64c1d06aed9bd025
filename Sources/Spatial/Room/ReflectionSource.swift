import LibAV

/// A voice as its reflections hear it: what it played lately, and where its images are.
final class ReflectionSource {
  private let hop: Int
  /// The longest delay's samples, then the hop.
  private let history: AlignedFloats
  private var old: ReflectionTaps
  private var new: ReflectionTaps
  private var last: Image
  /// Whether taps are the same at both ends of the hop.
  private var isResting = true
  /// What plays its reflections as long as it stays where it began.
  private var beginning: (reflections: RestingReflections, lane: Int)?
  /// Samples of silence at the end of ``history``.
  private var silence: Int
  /// Whether it has its samples of the hop that is played.
  var hasHop = false

  /// What the images of a voice depend on.
  struct Image: Equatable {
    /// Where it is in the room.
    var place: SIMD3<Double>
    /// Amplitude of the reflections relative to those of a loudspeaker.
    var gain: Double
  }

  /// A source that was silent until now.
  init(_ images: RoomImages, hop: Int, _ image: Image) {
    self.hop = hop
    last = image
    history = AlignedFloats(count: images.longest + hop)
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
