/// Frames of control data that wait until the signal has passed the decoder's delays
/// (`d_ctrl`, TS 103 190-1, 5.6.2).
struct ControlQueue<Frame: AnyObject> {
  /// Memory of the waiting frames, which is used in turn.
  private let frames: [Frame]
  /// Frames that were put in since the start.
  private var count = 0

  /// A queue in which each frame waits for `delay` more; `make` makes the memory of one.
  init(delay: Int, _ make: () -> Frame) {
    frames = (0...delay).map { _ in make() }
  }

  /// The frame that is read next: it overwrites the oldest.
  var next: Frame { frames[count % frames.count] }

  /// Puts ``next`` into the queue.
  mutating func advance() { count += 1 }

  /// The frame whose time has come; `nil` in the first frames of a stream.
  ///
  /// It is the oldest one, which ``next`` overwrites.
  var due: Frame? { count < frames.count ? nil : frames[count % frames.count] }

  /// Forgets all frames.
  mutating func reset() { count = 0 }
}
