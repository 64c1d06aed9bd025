// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Reads a WAV, RF64 or BW64 file back, block by block.
package final class WAVFileReader {
  /// Header of the file.
  package let header: WAVHeader

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
    do {
      header = try WAVHeader(size: Int64(facts.st_size)) { offset, count in
        try WAVFileReader.fetch(descriptor, name, offset, count)
      }
    } catch let fault as WAVHeader.Fault {
      throw WAVHeader.failure(name, fault.words)
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
    return UnsafeRawBufferPointer(rebasing: bytes[0..<wanted])
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

/// The properties that a written WAV file must have.
package struct WAVExpectation: Sendable {
  /// Samples per second.
  package var sampleRate: Int
  /// Number of channels.
  package var channels: Int
  /// Samples per channel.
  package var frames: Int64
  /// Bits a sample.
  package var bits: Int
  /// Whether samples are floats.
  package var isFloat: Bool
  /// The channel mask; `nil` where none is expected or it doesn't matter.
  package var mask: UInt32?
  /// Positions and titles of named samples.
  package var markers: [(position: UInt32, title: String)] = []

  package init(
    sampleRate: Int, channels: Int, frames: Int64, bits: Int, isFloat: Bool, mask: UInt32? = nil
  ) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.frames = frames
    self.bits = bits
    self.isFloat = isFloat
    self.mask = mask
  }

  /// Compares a header with the expectation.
  /// - Throws: ``MediaError`` of kind `verificationFailed` that names the first difference.
  package func check(_ header: WAVHeader, name: String) throws {
    let checks: [(String, Int64, Int64)] = [
      ("sample rate", Int64(header.sampleRate), Int64(sampleRate)),
      ("channel count", Int64(header.channels), Int64(channels)),
      ("bits a sample", Int64(header.bits), Int64(bits)),
      ("float flag", header.isFloat ? 1 : 0, isFloat ? 1 : 0),
      ("sample count", header.frames, frames),
      ("channel mask", mask == nil ? 0 : Int64(header.channelMask ?? 0), Int64(mask ?? 0)),
    ]
    for (what, got, wanted) in checks where got != wanted {
      throw WAVHeader.failure(name, "its \(what) is \(got), not \(wanted)")
    }
    try checkMarkers(header, name: name)
  }

  /// Markers lie behind the samples, so the size of the whole must count them.
  private func checkMarkers(_ header: WAVHeader, name: String) throws {
    guard header.cuePoints.count == markers.count else {
      throw WAVHeader.failure(
        name, "it has \(header.cuePoints.count) markers, not \(markers.count)")
    }
    for (index, (got, wanted)) in zip(header.cuePoints, markers).enumerated() {
      guard got.position == wanted.position, got.title == wanted.title else {
        throw WAVHeader.failure(
          name,
          "its marker \(index + 1) is \"\(got.title)\" at sample \(got.position), not "
            + "\"\(wanted.title)\" at \(wanted.position)")
      }
    }
    guard markers.isEmpty || header.statedBytes == header.fileBytes - 8 else {
      throw WAVHeader.failure(
        name, "it states \(header.statedBytes) bytes, not \(header.fileBytes - 8)")
    }
  }
}
