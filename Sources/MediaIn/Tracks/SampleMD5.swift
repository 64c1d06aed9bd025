import AudioCore
import Platform
import Samples

/// Holds the samples of a whole decode against the MD5 that FLAC's STREAMINFO states of them: interleaved little-endian
/// integers of whole bytes (RFC 9639, 8.2).
struct SampleMD5 {
  private let stated: [UInt8]
  /// Bytes of a sample.
  private let size: Int
  /// Factor that brings samples of `bits` bits to the low bits of those that are packed.
  private let scale: Float
  private var digest = Digest(.md5)
  private var scaled: AudioBuffer?
  private var bytes: [UInt8] = []

  /// A check of a stream; `nil` where it states no MD5, or its samples have more bits than a float holds.
  init?(_ info: FLACStreamInfo) {
    guard let md5 = info.md5, (4...24).contains(info.bits) else { return nil }
    stated = md5
    size = (info.bits + 7) / 8
    // Single bytes are packed as the low halves of 16 bits.
    scale = 1 / Float(1 << (max(16, size * 8) - info.bits))
  }

  /// Adds the frames of `buffer` from `start` on.
  mutating func update(_ buffer: AudioBuffer, from start: Int) {
    guard scale != 1 else { return add(buffer, start..<buffer.frames) }
    let low = scaled ?? AudioBuffer(channels: buffer.channels)
    scaled = low
    low.removeAll()
    low.append(buffer, range: start..<buffer.frames)
    for channel in 0..<low.channels {
      let plane = low.channel(channel)
      for index in plane.indices { plane[index] *= scale }
    }
    add(low, 0..<low.frames)
  }

  private mutating func add(_ buffer: AudioBuffer, _ range: Range<Int>) {
    let format = size == 3 ? SampleFormat.integer24 : .integer16
    let count = range.count * buffer.channels * format.bytes
    if bytes.count < count { bytes = [UInt8](repeating: 0, count: count) }
    bytes.withUnsafeMutableBytes { target in
      guard let base = target.baseAddress, count > 0 else { return }
      buffer.pack(range, as: format, into: base)
    }
    if size == 1 {
      digest.update(stride(from: 0, to: count, by: 2).map { bytes[$0] })
    } else {
      bytes.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// Reports samples that aren't those that were encoded; all of the track have been added.
  func close(_ log: DiagnosticLog) {
    guard digest.bytes != stated else { return }
    log.degrade(
      .checksumMismatch,
      "the samples aren't those that the header has the MD5 of: the file was damaged or edited after encoding"
    )
  }
}
