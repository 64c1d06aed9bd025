// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Loudness
import MediaOut
import Platform
import TestSupport
import Testing

@testable import Rendering

/// The proof of a WAV file compares every sample with what was written.
@Suite struct WAVProofTests {
  private let folder: TemporaryFolder
  private let format = AudioFormat(sampleRate: 48_000, layout: .stereo)

  init() throws { folder = try TemporaryFolder() }

  /// Writes two seconds of noise, lets `damage` change the file, and proves it.
  private func proof(
    _ encoding: SampleEncoding, threads: Int, hasDigest: Bool = true,
    _ damage: (Int32) -> Void = { _ in }
  ) throws -> WrittenFile {
    let target = try OutputTarget(
      OutputRequest(.file(folder.file("a.wav"))),
      input: try ClipOpener(log: DiagnosticLog(), isCancelled: { false })
        .input(of: Clip(.silence(Silence(.seconds(1))))), overwrite: true)
    let settings = SoundSettings(
      format: format, coding: OutputCoding(.pcm, encoding: encoding), frames: 96_000)
    let writer = try WAVWriter(
      descriptor: target.descriptor, name: target.name, settings: settings)
    let direct = try DirectAccount(
      format: format, isDualMono: false, stored: encoding.format)
    let account: any SoundAccount =
      threads > 1 ? ThreadedAccount(direct, channels: 2, StageTimes()) : direct
    var noise = SeededNoise(seed: 12)
    for _ in 0..<20 {
      let block = AudioBuffer(channels: 2)
      block.grow(by: 4800)
      for channel in 0..<2 {
        for (index, value) in noise.samples(4800).enumerated() {
          block.channel(channel)[index] = value * 0.4
        }
      }
      try writer.write(block)
      if let stored = writer.stored { try account.add(stored) }
    }
    try writer.close()
    let written = try account.close()
    damage(target.descriptor)
    return try WAVProof(
      encoding: encoding, target: target, format: format, frames: 96_000,
      hasDigest: hasDigest
    ).read(written) { _ in }
  }

  @Test(
    "an intact WAV file has the figures of what was written", arguments: SampleEncoding.allCases,
    [1, 2])
  func anIntactFileHasTheFiguresOfTheAccount(encoding: SampleEncoding, threads: Int) throws {
    var bytes = Data()
    let file = try proof(encoding, threads: threads) { descriptor in
      bytes = content(of: descriptor)
    }
    #expect(file.samples == 96_000)
    #expect(file.statistics.measurement.integrated != nil)
    #expect(file.digest == (try dataDigest(bytes)))
    #expect(!file.spectrum.isEmpty)
  }

  /// The whole file behind a descriptor.
  private func content(of descriptor: Int32) -> Data {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { return Data() }
    var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
    let got = pread(descriptor, &bytes, bytes.count, 0)
    return Data(bytes.prefix(max(0, got)))
  }

  /// SHA-256 of the data chunk of a WAV file by coreutils.
  private func dataDigest(_ bytes: Data) throws -> String {
    let marker = try #require(bytes.range(of: Data("data".utf8)))
    let size = bytes[marker.upperBound..<marker.upperBound + 4].enumerated().reduce(0) {
      $0 | Int($1.element) << (8 * $1.offset)
    }
    let body = bytes[(marker.upperBound + 4)..<(marker.upperBound + 4 + size)]
    #expect(body.count > 96_000)
    let result = try Tool.run("sha256sum", ["-"], input: Data(body))
    return String(decoding: result.output.prefix(64), as: UTF8.self)
  }

  @Test("a digest that no report states isn't made")
  func aDigestThatNobodyReadsIsNotMade() throws {
    let file = try proof(.pcm24, threads: 1, hasDigest: false)
    #expect(file.digest == nil && file.samples == 96_000)
  }

  @Test(
    "one flipped bit of a WAV file fails the proof, with a digest and without",
    arguments: SampleEncoding.allCases, [true, false])
  func oneBitIsEnough(encoding: SampleEncoding, hasDigest: Bool) throws {
    let error = #expect(throws: MediaError.self) {
      try proof(encoding, threads: 1, hasDigest: hasDigest) { descriptor in
        var byte: UInt8 = 0
        let place = off_t(4096 + 96_000)
        guard pread(descriptor, &byte, 1, place) == 1 else { return }
        byte ^= 1
        _ = pwrite(descriptor, &byte, 1, place)
      }
    }
    #expect(error?.kind == .verificationFailed)
    #expect(error?.message.contains("aren't those that were written") == true)
  }
}
