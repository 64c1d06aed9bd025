// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import IAMF

/// Written units read back as they were.
@Suite struct RoundTripTests {
  /// The value that `read` finds in what `write` writes; everything must be read.
  private func copy<Value>(
    _ write: (inout BitWriter) -> Void, _ read: (inout BitReader) throws(IAMFError) -> Value
  ) throws -> Value {
    try [UInt8].written(write).reading { bits throws(IAMFError) in
      let value = try read(&bits)
      if bits.remaining > 0 { throw .malformed("bytes that aren't read") }
      return value
    }
  }

  @Test("400 random elements, mixes and headers read back as they were written")
  func randomDescriptors() throws {
    var random = RandomDescriptors(noise: SeededNoise(seed: 51))
    for _ in 0..<400 {
      let element = random.element()
      let read = try copy(element.write(to:)) { bits throws(IAMFError) in try AudioElement(&bits) }
      #expect(read == element)
      let mix = random.mix()
      let readMix = try copy(mix.write(to:)) { bits throws(IAMFError) in
        try MixPresentation(&bits)
      }
      #expect(readMix == mix)
      let header = SequenceHeader(
        primaryProfile: random.number(0...255), additionalProfile: random.number(0...255))
      let readHeader = try copy(header.write(to:)) { bits throws(IAMFError) in
        try SequenceHeader(&bits)
      }
      #expect(readHeader == header)
    }
  }

  @Test("1000 random parameter blocks read back as they were written")
  func randomBlocks() throws {
    var random = RandomDescriptors(noise: SeededNoise(seed: 52))
    for _ in 0..<1000 {
      let (block, rule) = random.block()
      let read = try copy(block.write(to:)) { bits throws(IAMFError) in
        _ = try ParameterBlock.readID(&bits)
        return try ParameterBlock(&bits, rule)
      }
      #expect(read == block)
    }
  }

  @Test(
    "LEB128 numbers, gains and strings are written as the expected bytes, limited to their ranges")
  func basicTypes() throws {
    for (value, hex) in [(0, "00"), (127, "7f"), (128, "8001"), (0xFFFF_FFFF, "ffffffff0f")] {
      #expect([UInt8].written { $0.leb128(value) } == SyntheticUnit.bytes(hex: hex))
    }
    let gains: [(Double, String)] = [
      (0, "0000"), (-1, "ff00"), (0.5 / 256, "0001"), (0.4 / 256, "0000"), (200, "7fff"),
      (-200, "8000"), (127.999, "7fff"),
    ]
    for (gain, hex) in gains {
      #expect([UInt8].written { $0.fixed(gain) } == SyntheticUnit.bytes(hex: hex), "\(gain)")
    }
    // Whole characters of 127 bytes at most, none of which is 0.
    let texts: [(String, String)] = [
      ("a\u{0}b", "a"), (String(repeating: "x", count: 200), String(repeating: "x", count: 127)),
      (String(repeating: "語", count: 60), String(repeating: "語", count: 42)),
    ]
    for (text, wanted) in texts {
      #expect([UInt8].written { $0.string(text) } == Array(wanted.utf8) + [0])
    }
  }

  @Test(
    "OBUs in files of other encoders are written again with the same payload bytes",
    .enabled(if: IAMFOracle.isPresent, "needs ../shared/iamf"), arguments: IAMFOracle.files)
  func filesOfOthers(name: String) throws {
    let bytes = try IAMFOracle.bytes(name)
    let file = try MediaFile(name)
    let (parts, description) = (try parts(bytes, file, name), file.description)
    var same = 0
    for part in parts {
      try bytes.withUnsafeBufferPointer { buffer in
        var bits = BitReader(buffer)
        try bits.move(to: 8 * part.lowerBound)
        try bits.limit(to: 8 * part.upperBound)
        while bits.remaining > 0 {
          let obu = try OBU(&bits)
          let payload = try copy(obu, buffer, description)
          #expect(payload == Array(buffer[obu.payload]), "\(obu.kind) at \(obu.offset)")
          let whole = OBU.bytes(obu.type, trim: obu.trim, payload)
          // Sizes may have more bytes than they need, and trimming may be stated where there is none.
          guard whole.count == obu.size, !obu.isRedundant else { continue }
          #expect(whole == Array(buffer[obu.offset..<obu.offset + obu.size]))
          same += 1
        }
      }
    }
    #expect(same > 0)
  }

  /// Ranges of the bitstream in a file.
  private func parts(_ bytes: [UInt8], _ file: MediaFile, _ name: String) throws -> [Range<Int>] {
    guard name.hasSuffix(".mp4") else { return [0..<bytes.count] }
    let description = file.description
    let count =
      1 + description.codecConfigs.count + description.elements.count + description.mixes.count
    let end = try bytes.reading { bits throws(IAMFError) in
      try bits.move(to: 8 * file.descriptorOffset)
      for _ in 0..<count { _ = try OBU(&bits) }
      return bits.position / 8
    }
    let units = try MediaFile.oracleUnits(name).compactMap { unit -> Range<Int>? in
      guard let offset = unit["offset"] as? Int, let size = unit["size"] as? Int else { return nil }
      return offset..<offset + size
    }
    return [file.descriptorOffset..<end] + units
  }

  /// The payload of a unit as it is written again.
  private func copy(
    _ obu: OBU, _ bytes: UnsafeBufferPointer<UInt8>, _ description: SequenceDescription
  ) throws -> [UInt8] {
    var bits = try obu.payloadReader(bytes)
    switch obu.kind {
    case .sequenceHeader: return .written(try SequenceHeader(&bits).write(to:))
    case .codecConfig: return .written(try CodecConfig(&bits).write(to:))
    case .audioElement: return .written(try AudioElement(&bits).write(to:))
    case .mixPresentation: return .written(try MixPresentation(&bits).write(to:))
    case .parameterBlock:
      let id = try ParameterBlock.readID(&bits)
      guard let rule = description.parameters[id] else { return Array(bytes[obu.payload]) }
      return .written(try ParameterBlock(&bits, rule).write(to:))
    case .temporalDelimiter, .audioFrame, .reserved: return try bits.rest()
    }
  }

  @Test("configuration boxes of 3 to 300 bytes read back as they were written")
  func configurationBoxes() throws {
    for count in [3, 127, 128, 300] {
      let descriptors = (0..<count).map { UInt8($0 & 255) }
      let box = ConfigurationBox(configOBUs: descriptors)
      #expect(try ConfigurationBox(box.content) == box)
    }
  }
}
