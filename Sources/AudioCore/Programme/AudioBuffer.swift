// SPDX-License-Identifier: Apache-2.0

/// A growable block of planar Float32 audio: `channels` planes of `frames` samples.
///
/// Full scale is ±1.0. The planes lie in one allocation, so hot loops take pointers from
/// ``channel(_:)`` and never index a stored array. Not thread-safe; one owner at a time. An index, count
/// or range that doesn't fit traps.
public final class AudioBuffer {
  /// The state that changes in a buffer's life, behind a pointer, because Swift guards each access to a
  /// variable of an object, which small blocks would feel.
  private struct State {
    var frames = 0
    var capacity: Int
    var storage: UnsafeMutablePointer<Float>
  }

  /// Number of planes.
  public let channels: Int
  private let state: UnsafeMutablePointer<State>

  /// An empty buffer of `channels` planes, at least one, with room for `capacity` samples in each, at
  /// least 16.
  public init(channels: Int, capacity: Int = 0) {
    self.channels = max(1, channels)
    let capacity = max(16, capacity)
    let storage = AudioBuffer.silence(self.channels * capacity)
    state = .allocate(capacity: 1)
    state.initialize(to: State(capacity: capacity, storage: storage))
  }

  deinit {
    state.pointee.storage.deallocate()
    state.deallocate()
  }

  /// Valid samples in each plane.
  public var frames: Int { state.pointee.frames }

  /// Samples each plane can hold without growing.
  public var capacity: Int { state.pointee.capacity }

  /// The samples of plane `index`, `frames` long; valid until the buffer next grows.
  public func channel(_ index: Int) -> UnsafeMutableBufferPointer<Float> {
    precondition(index >= 0 && index < channels, "channel out of range")
    return UnsafeMutableBufferPointer(start: plane(index), count: frames)
  }

  /// Drops all samples and keeps the allocation.
  public func removeAll() { state.pointee.frames = 0 }

  /// Appends `count` frames of unspecified content; the caller fills them.
  /// - Returns: index of the first new frame.
  @discardableResult
  public func grow(by count: Int) -> Int {
    precondition(count >= 0, "negative growth")
    let start = frames
    reserve(start + count)
    state.pointee.frames = start + count
    return start
  }

  /// Appends `count` frames of silence.
  public func appendSilence(_ count: Int) {
    let start = grow(by: count)
    for index in 0..<channels { (plane(index) + start).update(repeating: 0, count: count) }
  }

  /// Appends the frames in `range`, or all for `nil`, of another buffer with the same number of channels.
  public func append(_ other: AudioBuffer, range: Range<Int>? = nil) {
    precondition(other.channels == channels, "channel counts differ")
    let range = range ?? 0..<other.frames
    precondition(range.lowerBound >= 0 && range.upperBound <= other.frames, "range out of bounds")
    let start = grow(by: range.count)
    for index in 0..<channels {
      (plane(index) + start).update(from: other.plane(index) + range.lowerBound, count: range.count)
    }
  }

  /// Trades all frames with another buffer of as many channels, without copying them.
  package func exchange(with other: AudioBuffer) {
    precondition(other.channels == channels, "channel counts differ")
    swap(&state.pointee, &other.state.pointee)
  }

  /// Drops the first `count` frames.
  public func removeFirst(_ count: Int) {
    precondition(count >= 0 && count <= frames, "range out of bounds")
    guard count > 0 else { return }
    let rest = frames - count
    if rest > 0 {
      for index in 0..<channels { plane(index).update(from: plane(index) + count, count: rest) }
    }
    state.pointee.frames = rest
  }

  /// Keeps only the first `count` frames; does nothing when there are fewer.
  public func truncate(to count: Int) { state.pointee.frames = min(frames, max(0, count)) }

  /// Makes room for `wanted` frames in each plane.
  public func reserve(_ wanted: Int) {
    guard wanted > capacity else { return }
    let larger = max(wanted, capacity * 2)
    let fresh = AudioBuffer.silence(channels * larger)
    for index in 0..<channels {
      (fresh + index * larger).update(from: plane(index), count: frames)
    }
    state.pointee.storage.deallocate()
    state.pointee.storage = fresh
    state.pointee.capacity = larger
  }

  private func plane(_ index: Int) -> UnsafeMutablePointer<Float> {
    state.pointee.storage + index * capacity
  }

  private static func silence(_ count: Int) -> UnsafeMutablePointer<Float> {
    let storage = UnsafeMutablePointer<Float>.allocate(capacity: count)
    storage.initialize(repeating: 0, count: count)
    return storage
  }
}

/// Rate and layout of planar Float32 audio between stages.
public struct AudioFormat: Sendable, Hashable {
  /// Sample rates in Hz for which the filters of the loudness meter are valid; nothing else is rendered.
  package static let sampleRates = 8_000...384_000

  /// Samples per second and channel.
  public var sampleRate: Int
  /// Speakers in channel order.
  public var layout: ChannelLayout

  /// A format from its rate (Hz) and layout.
  public init(sampleRate: Int, layout: ChannelLayout) {
    self.sampleRate = sampleRate
    self.layout = layout
  }

  /// Number of channels.
  public var channels: Int { layout.count }
}

/// Something that takes audio in order, once, and is then closed or dropped.
package protocol AudioSink: AnyObject {
  /// Takes all samples of `buffer`.
  /// - Throws: ``MediaError`` when they can't be stored.
  func write(_ buffer: AudioBuffer) throws
  /// Samples that had to be clamped to full scale so far.
  var clippedSamples: Int64 { get }
  /// The samples of the last block as every reader of the output gets them, valid until the next
  /// block; `nil` where the encoding is lossy.
  var stored: AudioBuffer? { get }
  /// Completes the output; nothing may be written after it.
  func close() throws
}
