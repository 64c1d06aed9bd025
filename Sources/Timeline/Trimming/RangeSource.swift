import AudioCore

/// Cuts a source to `[start, end)` samples, exact to the sample, and may put silence before it.
///
/// The samples are those of the whole decode: the source is read from its beginning, because
/// codecs with noise substitution or dither give other bits when entered elsewhere.
public final class RangeSource: AudioSource {
  /// Format of every block.
  public var format: AudioFormat { source.format }

  private let source: AudioSource
  private let start: Int64
  private let end: Int64?
  private var lead: Int64
  private let scratch: AudioBuffer
  private var position: Int64 = 0

  /// Keeps samples `start ..< end` of `lead` samples of silence followed by `source`; a negative
  /// `lead` drops samples instead.
  public init(source: AudioSource, start: Int64 = 0, end: Int64? = nil, lead: Int64 = 0) {
    self.source = source
    self.start = start - min(0, lead)
    self.end = end.map { $0 - min(0, lead) }
    self.lead = max(0, lead)
    scratch = AudioBuffer(channels: source.format.channels)
  }

  /// Appends the next samples of the range; `false` at its end.
  /// - Throws: what the source throws.
  public func read(into buffer: AudioBuffer) throws -> Bool {
    while end.map({ position < $0 }) ?? true {
      scratch.removeAll()
      var more = true
      if lead > 0 {
        let count = Int(min(lead, 65536))
        scratch.appendSilence(count)
        lead -= Int64(count)
      } else {
        more = try source.read(into: scratch)
      }
      let from = max(0, min(Int64(scratch.frames), start - position))
      let limit = end.map { max(from, min(Int64(scratch.frames), $0 - position)) }
      let to = limit ?? Int64(scratch.frames)
      position += Int64(scratch.frames)
      buffer.append(scratch, range: Int(from)..<Int(to))
      guard more else { return false }
      if to > from { return true }
    }
    return false
  }
}
