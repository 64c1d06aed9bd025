import AudioCore
import Crypto

/// MD5 of samples as FLAC's STREAMINFO states it: interleaved little-endian integers (RFC 9639, 8.2).
package struct SampleMD5 {
  private let bits: Int
  private var hash = Insecure.MD5()
  private var bytes: [UInt8] = []

  /// An empty digest, for samples of `bits` bits, 1…24.
  package init(bits: Int) { self.bits = bits }

  /// Adds a block whose samples are exact in that many bits.
  package mutating func update(_ block: AudioBuffer) {
    let width = (bits + 7) / 8
    let channels = block.channels
    let scale = Double(1 << (bits - 1))
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: repeatElement(0, count: block.frames * channels * width))
    for channel in 0..<channels {
      let plane = UnsafeBufferPointer(block.channel(channel))
      for index in 0..<plane.count {
        let value = Int32(clamping: Int64((Double(plane[index]) * scale).rounded()))
        let place = (index * channels + channel) * width
        for byte in 0..<width {
          bytes[place + byte] = UInt8(truncatingIfNeeded: value >> Int32(8 * byte))
        }
      }
    }
    hash.update(data: bytes)
  }

  /// The 16 bytes of the digest so far.
  package var finalized: [UInt8] { Array(hash.finalize()) }
}
