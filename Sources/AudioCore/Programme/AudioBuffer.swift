/// A growable block of planar Float32 audio: `channels` planes of `frames` samples.
///
/// Full scale is ±1.0. The planes lie in one allocation, so hot loops take pointers from
/// ``channel(_:)`` and never index a stored array. Not thread-safe; one owner at a time. An index, count
/// or range that doesn't fit traps.
public final class AudioBuffer {
  /// Number of planes.
  public let channels: Int
  /// Valid samples in each plane.
  public private(set) var frames: Int = 0
  /// Samples each plane can hold without growing.
  public private(set) var capacity: Int
  private var storage: UnsafeMutablePointer<Float>

  /// An empty buffer of `channels` planes, at least one, with room for `capacity` samples in each, at
  /// least 16.
  public init(channels: Int, capacity: Int = 0) {
    self.channels = max(1, channels)
    self.capacity = max(16, capacity)
    storage = .allocate(capacity: self.channels * self.capacity)
    storage.initialize(repeating: 0, count: self.channels * self.capacity)
  }

  deinit { storage.deallocate() }

  /// The samples of plane `index`, `frames` long; valid until the buffer next grows.
  public func channel(_ index: Int) -> UnsafeMutableBufferPointer<Float> {
    precondition(index >= 0 && index < channels, "channel out of range")
    return UnsafeMutableBufferPointer(start: storage + index * capacity, count: frames)
  }

  /// Drops all samples and keeps the allocation.
  public func removeAll() { frames = 0 }

  /// Appends `count` frames of unspecified content; the caller fills them.
  /// - Returns: index of the first new frame.
  @discardableResult
  public func grow(by count: Int) -> Int {
    precondition(count >= 0, "negative growth")
    let start = frames
    reserve(frames + count)
    frames += count
    return start
  }

  /// Appends `count` frames of silence.
  public func appendSilence(_ count: Int) {
    let start = grow(by: count)
    for plane in 0..<channels {
      (storage + plane * capacity + start).update(repeating: 0, count: count)
    }
  }

  /// Appends the frames in `range`, or all for `nil`, of another buffer with the same number of channels.
  public func append(_ other: AudioBuffer, range: Range<Int>? = nil) {
    precondition(other.channels == channels, "channel counts differ")
    let range = range ?? 0..<other.frames
    precondition(range.lowerBound >= 0 && range.upperBound <= other.frames, "range out of bounds")
    let start = grow(by: range.count)
    for plane in 0..<channels {
      let source = other.storage + plane * other.capacity + range.lowerBound
      (storage + plane * capacity + start).update(from: source, count: range.count)
    }
  }

  /// Drops the first `count` frames.
  public func removeFirst(_ count: Int) {
    precondition(count >= 0 && count <= frames, "range out of bounds")
    guard count > 0 else { return }
    for plane in 0..<channels {
      let base = storage + plane * capacity
      base.update(from: base + count, count: frames - count)
    }
    frames -= count
  }

  /// Keeps only the first `count` frames; does nothing when there are fewer.
  public func truncate(to count: Int) { frames = min(frames, max(0, count)) }

  /// Makes room for `wanted` frames in each plane.
  public func reserve(_ wanted: Int) {
    guard wanted > capacity else { return }
    let larger = max(wanted, capacity * 2)
    let fresh = UnsafeMutablePointer<Float>.allocate(capacity: channels * larger)
    fresh.initialize(repeating: 0, count: channels * larger)
    for plane in 0..<channels {
      (fresh + plane * larger).update(from: storage + plane * capacity, count: frames)
    }
    storage.deallocate()
    storage = fresh
    capacity = larger
  }
}
