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

  /// Whether nothing of it is heard any more.
  var isSilent: Bool { silence >= history.count }

  /// Takes the next hop, over which the voice goes from one state to another.
  func take(_ samples: UnsafePointer<Float>, _ images: RoomImages, from first: Image, to end: Image)
  {
    if isSilent { turn(to: first, images) }
    isResting = end == last
    turn(to: end, images)
    moveOn()
    let target = history.base + history.count - hop
    var isSilent = true
    for index in 0..<hop {
      target[index] = samples[index]
      if samples[index] != 0 { isSilent = false }
    }
    silence = isSilent ? min(history.count, silence + hop) : 0
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
