/// Something that takes audio in order, once, and is then closed or dropped.
public protocol AudioSink: AnyObject {
  /// Takes all samples of `buffer`.
  /// - Throws: ``MediaError`` when they can't be stored.
  func write(_ buffer: AudioBuffer) throws
  /// Completes the output; nothing may be written after it.
  func close() throws
}
