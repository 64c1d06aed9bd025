// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform
import Testing

@Suite struct TemporaryFileTests {
  @Test("a sealed temporary file has what was appended and kept by truncation")
  func whatIsAppendedCanBeReadOnceItIsSealed() throws {
    let file = try TemporaryFile()
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for start in stride(from: 0, to: bytes.count, by: 70_001) {
      try bytes[start..<min(start + 70_001, bytes.count)].withUnsafeBytes { try file.append($0) }
    }
    #expect(file.size == 200_000)
    try file.truncate(to: 150_000)
    try [7].withUnsafeBytes { (raw: UnsafeRawBufferPointer) in
      try file.append(UnsafeRawBufferPointer(rebasing: raw[..<1]))
    }
    let sealed = try file.sealed(name: "the name")
    #expect(sealed.path == "the name")
    #expect(sealed.size == 150_001)
    #expect(sealed.bytes(at: 0, count: 200_000) == bytes[..<150_000] + [7])
  }

  @Test("a byte appended to a sealed temporary file is refused")
  func nothingIsAppendedToASealedFile() throws {
    let file = try TemporaryFile()
    let sealed = try file.sealed(name: "x")
    let error = #expect(throws: MediaError.self) {
      try [1].withUnsafeBytes { try file.append($0) }
    }
    #expect(error?.kind == .outputUnwritable)
    #expect(sealed.size == 0)
  }
}
