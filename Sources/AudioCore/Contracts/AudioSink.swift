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
