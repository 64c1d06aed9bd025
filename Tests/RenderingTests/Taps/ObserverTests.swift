// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import Rendering
import Synchronization
import TestSupport
import Testing
import Verify

/// Observers see exactly the samples that are written, once.
struct ObserverTests {
  /// Keeps what it sees.
  private final class Seen: Sendable {
    let planes = Mutex<[[Float]]>([])
    let positions = Mutex<[Int64]>([])
    let made = Mutex(0)
  }

  private final class Keeper: AudioObserver {
    private let seen: Seen

    init(_ seen: Seen) {
      self.seen = seen
      seen.made.withLock { $0 += 1 }
    }

    func prepare(_ format: AudioFormat) {
      seen.planes.withLock { $0 = (0..<format.channels).map { _ in [] } }
    }

    func observe(_ block: AudioBuffer, at position: Int64) {
      seen.positions.withLock { $0.append(position) }
      seen.planes.withLock { planes in
        for channel in planes.indices { planes[channel] += block.channel(channel) }
      }
    }

    func finish() {}
    func close(_ end: TapEnd) {}
  }

  @Test(
    "an observer sees the samples of the output file in each format",
    arguments: [
      "wav", "wav16", "wav32", "bw64", "flac", "opus", "mp4", "aac", "hls", "iamf", "iamfmp4",
    ])
  func theyAreThoseOfTheFile(form: String) async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 70_001))
    let seen = Seen()
    var job = test.job(.file(path), to: form == "hls" ? "out.m3u8" : "out.file")
    job.loudness = .standard
    job.encoding = form == "wav16" ? .pcm16 : form == "wav32" ? .float32 : .pcm24
    switch form {
    case "flac": job.form = .flac
    case "bw64": job.form = .bw64
    case "iamf": job.form = .iamf(.flac)
    case "iamfmp4": job.form = .iamf(.opus, in: .fmp4)
    case "opus": job.form = .fragmentedMP4(.opus, bitRate: 128_000)
    case "mp4": job.form = .fragmentedMP4(.flac, bitRate: nil)
    case "aac": job.form = .fragmentedMP4(.aac, bitRate: 128_000)
    case "hls": job.form = .hls(.aac, bitRate: 128_000)
    default: break
    }
    job.rendition.taps = [.observing("keeper") { _ in Keeper(seen) }]
    let report = try await RenderPipeline().render(job)
    let output = report.outputs[0]
    #expect(seen.made.withLock { $0 } == 1)
    let planes = seen.planes.withLock { $0 }
    #expect(Int64(planes[0].count) == output.samples)
    let positions = seen.positions.withLock { $0 }
    #expect(positions.first == 0 && positions == positions.sorted())
    #expect(output.taps?.first?.point == .output)
    if ["aac", "hls", "opus", "iamfmp4"].contains(form) {
      // Other programs decode a lossy encoding in their own way; the proof's samples are what counts.
      #expect(output.pcmSHA256 == Self.digest(planes))
    } else if form != "iamf" {
      #expect(try Decoded(test.folder.file("out.file")).planes == planes)
    }
  }

  /// SHA-256 of samples as interleaved 32-bit floats.
  private static func digest(_ planes: [[Float]]) -> String {
    var bytes: [UInt8] = []
    for index in planes[0].indices {
      for plane in planes {
        withUnsafeBytes(of: plane[index].bitPattern.littleEndian) { bytes += $0 }
      }
    }
    return Digest.sha256(bytes)
  }

  @Test("an observer that fails makes the run fail") func oneThatFailsFailsTheRun() async throws {
    final class Failing: AudioObserver {
      func prepare(_ format: AudioFormat) throws {}
      func observe(_ block: AudioBuffer, at position: Int64) throws {
        throw MediaError(.outputUnwritable, "the picture can't be written")
      }
      func finish() {}
      func close(_ end: TapEnd) {}
    }
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 5000))
    let error = try await test.failure(.file(path)) { job in
      job.rendition.taps = [.observing("failing") { _ in Failing() }]
    }
    #expect(error.kind == .outputUnwritable)
  }
}
