import AudioCore
import Platform
import Samples

/// Reads a WAV, RF64 or BW64 file back, block by block, with the digest of its data.
package final class WAVFileReader {
  /// What the header says.
  package let header: WAVHeader
  /// SHA-256 of the data read so far.
  package private(set) var digest = PCMDigest()

  private let descriptor: Int32
  private let name: String
  private var position: Int64
  private var bytes: UnsafeMutableRawBufferPointer
  /// Samples per channel read at a time.
  private static let blockFrames = 16384

  /// Reads the file that `descriptor` refers to; it stays open and keeps its position.
  /// - Throws: ``MediaError`` of kind `verificationFailed` for anything that isn't whole WAV of `channels`
  ///   channels.
  package init(descriptor: Int32, name: String, channels: Int) throws {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw OutputFailure.readingBack(errno, name) }
    self.descriptor = descriptor
    self.name = name
    header = try WAVHeader(size: Int64(facts.st_size), name: name) { offset, count in
      try WAVFileReader.fetch(descriptor, name, offset, count)
    }
    guard header.channels == channels else {
      throw WAVHeader.failure(name, "it has \(header.channels) channels, not \(channels)")
    }
    guard [16, 24].contains(header.bits) && !header.isFloat || header.bits == 32 && header.isFloat
    else {
      throw WAVHeader.failure(name, "it has \(header.bits) bits a sample in an unknown encoding")
    }
    position = header.dataOffset
    bytes = .allocate(byteCount: WAVFileReader.blockFrames * header.frameBytes, alignment: 16)
  }

  deinit { bytes.deallocate() }

  /// Appends the next block; `false` at the end of the data.
  /// - Throws: ``MediaError`` of kind `verificationFailed` when the data can't be read.
  package func read(into buffer: AudioBuffer) throws -> Bool {
    guard let block = try readBytes(), let base = block.baseAddress else { return false }
    let count = block.count / header.frameBytes
    buffer.unpack(base, count: count, as: sampleFormat, at: buffer.grow(by: count))
    return true
  }

  /// The next bytes of the data, whole frames, valid until the next call; `nil` at the end.
  /// - Throws: as ``read(into:)``.
  package func readBytes() throws -> UnsafeRawBufferPointer? {
    let end = header.dataOffset + header.frames * Int64(header.frameBytes)
    let wanted = Int(min(Int64(bytes.count), end - position))
    guard wanted > 0 else { return nil }
    if let base = bytes.baseAddress {
      let got = Descriptor.readAll(descriptor, into: base, count: wanted, at: position)
      guard got >= 0 else { throw OutputFailure.readingBack(Int32(-got), name) }
      guard got == wanted else {
        throw WAVHeader.failure(name, "its data can't be read to the end")
      }
    }
    position += Int64(wanted)
    let block = UnsafeRawBufferPointer(rebasing: bytes[0..<wanted])
    digest.update(block)
    return block
  }

  private var sampleFormat: SampleFormat {
    if header.isFloat { return .float32 }
    return header.bits == 16 ? .integer16 : .integer24
  }

  private static func fetch(
    _ descriptor: Int32, _ name: String, _ offset: Int64, _ count: Int
  ) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { target, filled in
      guard let base = target.baseAddress else { return }
      let got = Descriptor.readAll(descriptor, into: base, count: count, at: offset)
      guard got >= 0 else { throw OutputFailure.readingBack(Int32(-got), name) }
      filled = got
    }
  }
}
