// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import MediaIn
import MediaOut
import Report
import TestSupport
import Testing

@testable import Rendering

/// Sound fields that stay sound fields in containers without metadata for them.
@Suite struct FieldOutputTests {
  /// Samples that 16 bits hold, another row for each channel.
  private func rows(_ channels: Int) -> [[Float]] {
    (0..<channels).map { channel in
      (0..<30_000).map { (index: Int) -> Float in
        Float(index * (2 * channel + 3) % 1999 - 999) / 32_768
      }
    }
  }

  /// A render of `planes` as the sound field called `name`, to no endpoint and at its own level.
  private func scene(_ planes: [[Float]], _ name: String) throws -> RenderCase {
    var scene = try RenderCase(WAVBytes.float32(planes, rate: 48_000))
    let field: FieldInput = try #require(FieldInput(name: name))
    scene.job.decoding.field = field
    scene.job.outputs[0].endpoint = .none
    scene.job.loudness = nil
    scene.job.encoding = .float32
    return scene
  }

  @Test("a field in WAV has the input's samples and no mask", arguments: [0, 1, 2, 3])
  func wavHasTheSamples(order: Int) async throws {
    let planes = rows((order + 1) * (order + 1))
    let scene = try scene(planes, "ambix\(order)")
    let report = try await scene.run()
    let output = try scene.decoded()
    #expect(output.planes == planes)
    let decision = report.decisions.first { $0.code == .endpoint }
    #expect(decision?.chose == "none")
    #expect(decision?.why.contains("AmbiX (ACN, SN3D)") == true)
    #expect(report.degradations.isEmpty)
    #expect(report.outputs[0].samples == 30_000)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scene.outputPath)))
    // The fields of `fmt `: WAVE_FORMAT_EXTENSIBLE, and a channel mask of 0.
    #expect(Array(bytes[12..<16]) == Array("fmt ".utf8))
    #expect(Array(bytes[20..<22]) == [0xFE, 0xFF])
    #expect(Array(bytes[40..<44]) == [0, 0, 0, 0])
  }

  @Test("a field in WAV of 16 and 24 bits is read back", arguments: [SampleEncoding.pcm16, .pcm24])
  func integersAreReadBack(encoding: SampleEncoding) async throws {
    let planes = rows(4)
    var scene = try scene(planes, "ambix1")
    scene.job.encoding = encoding
    _ = try await scene.run()
    // Dither is off unless it is asked for, and all samples are multiples of 2^-15.
    #expect(try scene.decoded().planes == planes)
  }

  @Test("a field in FuMa order comes out in ACN order and SN3D")
  func otherOrdersBecomeAmbiX() async throws {
    let planes = rows(4)
    let scene = try scene(planes, "fuma1")
    _ = try await scene.run()
    let output = try scene.decoded().planes
    let louder = planes[0].map { $0 * Float(2.squareRoot()) }
    #expect(output.dropFirst().map { $0 } == [planes[2], planes[3], planes[1]])
    #expect(zip(output[0], louder).allSatisfy { ($0 - $1).magnitude < 1e-6 })
  }

  @Test("a field of order 0 or 1 in FLAC has the input's samples", arguments: [0, 1])
  func flacHasTheSamples(order: Int) async throws {
    let planes = rows((order + 1) * (order + 1))
    var scene = try scene(planes, "ambix\(order)")
    scene.job.form = .flac
    scene.job.encoding = .pcm24
    let path = scene.folder.file("out.flac")
    scene.job.outputs[0].location = .file(path)
    let report = try await scene.run()
    #expect(try Decoded(path).planes == planes)
    #expect(report.degradations.isEmpty)
    #expect(report.decisions.contains { $0.code == .endpoint && $0.why.contains("ambix\(order)") })
  }

  @Test("a field of more channels than FLAC holds is refused, with the containers that hold it")
  func flacRefusesLargerFields() async throws {
    var scene = try scene(rows(9), "ambix2")
    scene.job.form = .flac
    scene.job.encoding = .pcm24
    scene.job.outputs[0].location = .file(scene.folder.file("out.flac"))
    let failure = await #expect(throws: RenderFailure.self) { try await scene.run() }
    let error = failure?.error
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("at most 8 channels") == true)
    #expect(error?.message.contains("wav or bw64") == true)
  }

  @Test("a field that is kept isn't converted to another rate")
  func theRateStays() async throws {
    var scene = try scene(rows(4), "ambix1")
    scene.job.rendition.sampleRate = 44_100
    let failure = await #expect(throws: RenderFailure.self) { try await scene.run() }
    let error = failure?.error
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("stored as it is in WAV") == true)
  }
}
