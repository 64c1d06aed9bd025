// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Verify

@Suite struct WAVHeaderTests {
  private func header(_ data: Data) throws -> WAVHeader {
    let bytes = Array(data)
    return try WAVHeader(size: Int64(bytes.count)) { offset, count in
      guard offset >= 0, offset < bytes.count, count > 0 else { return [] }
      return Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
  }

  private func fault(_ data: Data) -> String? {
    do {
      _ = try header(data)
      return nil
    } catch { return (error as? WAVHeader.Fault)?.words }
  }

  private let stereo = WAVBytes.pcm16([[1, 2, 3], [4, 5, 6]], rate: 44_100)

  private func little<Value: FixedWidthInteger>(_ value: Value) -> Data {
    withUnsafeBytes(of: value.littleEndian) { Data($0) }
  }

  @Test("a plain WAV header is read with channels, rate, bits, frames and offset")
  func plainHeadersAreRead() throws {
    let header = try self.header(stereo)
    #expect(header.channels == 2)
    #expect(header.sampleRate == 44_100)
    #expect(header.bits == 16)
    #expect(!header.isFloat)
    #expect(header.channelMask == nil)
    #expect(header.frames == 3)
    #expect(header.dataOffset == 44)
  }

  @Test("an extensible WAV header is read with its mask and float format")
  func extensibleHeadersAreRead() throws {
    let header = try self.header(WAVBytes.float32([[0], [0]], rate: 96_000, mask: 0x3))
    #expect(header.channelMask == 3)
    #expect(header.isFloat)
    #expect(header.bits == 32)
    #expect(header.frames == 1)
  }

  @Test("a WAV cut at any byte fails verification")
  func everyTruncationIsRefused() {
    for length in 0..<stereo.count {
      #expect(fault(stereo.prefix(length)) != nil, "cut at \(length)")
    }
  }

  @Test("a data chunk of 11 bytes, which ends within a sample, fails verification")
  func dataThatEndWithinASampleAreRefused() {
    var bytes = stereo
    bytes[40] = 11
    #expect(fault(bytes) == "its data end within a sample")
  }

  @Test("a WAV of format 2 or of 0 channels fails verification")
  func strangeEncodingsAreRefused() {
    var bytes = stereo
    bytes[20] = 2
    #expect(fault(bytes) == "its format tag 2 is neither PCM nor float")
    var silent = stereo
    silent[22] = 0
    #expect(fault(silent) == "it lacks a fmt or data chunk")
  }

  @Test("texts and an AVI file fail verification")
  func otherFilesAreRefused() {
    for text in ["", "RIFF", "not a WAV file at all", "RIFF0000AVI LIST"] {
      #expect(fault(Data(text.utf8)) == "it is no WAV file")
    }
  }

  private func rf64(data: UInt64, body: Int) -> Data {
    var bytes = Data("RF64".utf8) + little(UInt32.max) + Data("WAVEds64".utf8) + little(UInt32(28))
    bytes += little(UInt64(0)) + little(data) + little(UInt64(0)) + little(UInt32(0))
    bytes += stereo[12..<36] + Data("data".utf8) + little(UInt32.max)
    return bytes + Data(count: body)
  }

  @Test("the number of frames of an RF64 file is read from its ds64 chunk")
  func rf64SizesAreRead() throws {
    let header = try self.header(rf64(data: 400, body: 400))
    #expect(header.form == "RF64")
    #expect(header.frames == 100)
  }

  @Test(
    "an RF64 size beyond the file's end fails verification",
    arguments: [404, UInt64(Int64.max), .max])
  func rf64SizesMustFit(size: UInt64) {
    #expect(
      fault(rf64(data: size, body: 400)) == "its data chunk reaches beyond the end of the file")
  }

  @Test("a WAV header with four other bytes is read or refused")
  func damagedHeadersAreReadOrRefused() {
    var noise = SeededNoise(seed: 5)
    let seeds = [stereo, rf64(data: 400, body: 400), WAVBytes.float32([[0]], rate: 1, mask: 4)]
    for round in 0..<Soak.rounds(500, soak: 200_000) {
      var bytes = seeds[round % 3]
      for _ in 0..<4 {
        let place = Int.random(in: 0..<bytes.count, using: &noise)
        bytes[place] = [0, 1, 0x7F, 0xFF][Int.random(in: 0..<4, using: &noise)]
      }
      _ = fault(bytes)
    }
  }

  @Test(
    "a chunk that states 2 GiB in a small file causes no larger read than the file",
    arguments: ["LIST", "cue ", "bext", "fmt "])
  func noMoreIsReadThanTheFileHas(chunk: String) {
    var bytes = Array(stereo)
    bytes.replaceSubrange(12..<12, with: Array(chunk.utf8) + [0xFF, 0xFF, 0xFF, 0x7F])
    var most = 0
    _ = try? WAVHeader(size: Int64(bytes.count)) { offset, count in
      most = max(most, count)
      return Array(bytes[min(bytes.count, Int(offset))...].prefix(count))
    }
    #expect(most <= bytes.count)
  }

  @Test("a WAV header that differs from its expectation fails, and the error names the property")
  func expectationsNameTheFirstDifference() throws {
    let header = try self.header(WAVBytes.pcm16([[1, 2], [3, 4]], rate: 48_000, mask: 3))
    let good = WAVExpectation(
      sampleRate: 48_000, channels: 2, frames: 2, bits: 16, isFloat: false, mask: 3)
    try good.check(header, name: "x")
    let changes: [(String, (inout WAVExpectation) -> Void)] = [
      ("sample rate", { $0.sampleRate = 44_100 }),
      ("channel count", { $0.channels = 1 }),
      ("sample count", { $0.frames = 3 }), ("bits a sample", { $0.bits = 24 }),
      ("float flag", { $0.isFloat = true }),
      ("channel mask", { $0.mask = 0x30 }),
    ]
    for (what, change) in changes {
      var wrong = good
      change(&wrong)
      let error = #expect(throws: MediaError.self) { try wrong.check(header, name: "x") }
      #expect(error?.kind == .verificationFailed)
      #expect(error?.message.contains(what) == true)
    }
    var unmasked = good
    unmasked.mask = nil
    try unmasked.check(header, name: "x")
  }
}
