// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import IAMF

/// Configuration for decoders of single substreams.
@Suite struct CodecConfigTests {
  private func config(_ codec: String, _ samples: Int, _ decoder: String) throws -> CodecConfig {
    let front = [7] + Array(codec.utf8) + SyntheticUnit.leb128(samples) + [0xFF, 0xFC]
    let bytes = front + SyntheticUnit.bytes(hex: decoder)
    return try bytes.reading { bits throws(IAMFError) in try CodecConfig(&bits) }
  }

  private static let flac =
    "80000022040004000000000000000bb802f0" + String(repeating: "0", count: 40)

  @Test(
    "a pre-skip of 312 is 0 in the OpusHead, and roll distance -4 is standard for 960 samples, not 120"
  )
  func headersOfOpus() throws {
    let config = try config("Opus", 960, "010201380000bb80000000")
    #expect(config.rollDistance == -4 && config.sampleRate == 48_000)
    #expect(config.hasStandardRollDistance)
    let short = try self.config("Opus", 120, "010201380000bb80000000")
    #expect(!short.hasStandardRollDistance)
    guard case .opus(let opus) = config.decoder else { throw IAMFError.unreadable }
    let wanted = Array("OpusHead".utf8) + SyntheticUnit.bytes(hex: "0101000080bb0000000000")
    // The pre-skip of the file isn't passed on: trimming would be done twice.
    #expect(opus.identificationHeader(channels: 1) == wanted && opus.preSkip == 312)
  }

  @Test(
    "an AAC configuration is written for one or two channels, also with an explicit rate of 48 kHz")
  func configurationsOfAAC() throws {
    let config = try config("mp4a", 1024, "041140150000000000000000000000050211" + "90")
    guard case .aac(let aac) = config.decoder else { throw IAMFError.unreadable }
    #expect(aac.specificConfig(channels: 2) == [0x11, 0x90])
    #expect(aac.specificConfig(channels: 1) == [0x11, 0x88])
    // A size in four bytes, and a rate that stands in the configuration itself.
    let long = "0480808017" + "4015" + String(repeating: "0", count: 22) + "0505" + "17805dc010"
    guard case .aac(let other) = try self.config("mp4a", 1024, long).decoder else {
      throw IAMFError.unreadable
    }
    #expect(other.sampleRate == 48_000 && other.channelConfiguration == 2)
    #expect(SyntheticUnit.bytes(hex: "17805dc008") == other.specificConfig(channels: 1))
  }

  @Test("a FLAC stream info for one channel differs from that for two in byte 12 only")
  func streamInfoOfFLAC() throws {
    let config = try config("fLaC", 1024, CodecConfigTests.flac)
    guard case .flac(let flac) = config.decoder else { throw IAMFError.unreadable }
    #expect(flac.sampleRate == 48_000 && flac.channels == 2 && flac.bitDepth == 16)
    #expect(flac.streamInfo(channels: 2) == flac.streamInfo)
    let differing = zip(flac.streamInfo(channels: 1), flac.streamInfo).enumerated()
      .filter { $0.element.0 != $0.element.1 }.map(\.offset)
    #expect(
      differing == [12] && flac.streamInfo(channels: 1)[12] == 0 && flac.streamInfo[12] == 2)
  }

  /// Settings that no decoder can use, and numbers of samples that no frame has.
  @Test(
    "cut or unsupported codec settings, and frames of 0 or too many samples, are refused",
    arguments: [
      ("Opus", 960, "0102"), ("Opus", 0, "010201380000bb80000000"),
      ("Opus", 65_537, "010201380000bb80000000"), ("mp4a", 1024, "05021190"),
      ("mp4a", 1024, "041140150000000000000000000000050911" + "90"),
      ("mp4a", 1024, "04116b150000000000000000000000050211" + "90"), ("fLaC", 1024, "04000022"),
      ("fLaC", 1024, "80000021" + "00"), ("ipcm", 16, "01080000bb80"), ("ipcm", 16, "011000000001"),
      ("ipcm", 524_289, "01100000bb80"), ("ipcm", 16, "0110"),
    ])
  func settingsThatDontWork(codec: String, samples: Int, decoder: String) {
    #expect(throws: IAMFError.self) { try config(codec, samples, decoder) }
  }

  @Test(
    "LPCM with flags 0 and 24 bits at 44.1 kHz is big-endian in 3 bytes, and codec wxyz is unknown")
  func settingsOfLPCM() throws {
    guard case .lpcm(let plain) = try config("ipcm", 0, "00180000ac44").decoder else {
      throw IAMFError.unreadable
    }
    #expect(!plain.isLittleEndian && plain.sampleBytes == 3 && plain.hasNamedRate)
    #expect(try config("wxyz", 0, "").decoder == .unknown)
  }
}
