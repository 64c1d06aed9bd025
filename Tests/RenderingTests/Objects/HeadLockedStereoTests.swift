// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Rendering

/// Stereo beside a sound field that doesn't turn with the head (`SA3D`).
@Suite(.tags(.system)) struct HeadLockedStereoTests {
  private let left = (0..<24_000).map { (index: Int) -> Float in
    Float(index * 7 % 1999 - 999) / 32_768
  }
  private let right = (0..<24_000).map { (index: Int) -> Float in
    Float(index * 5 % 1777 - 888) / 32_768
  }

  /// A render of a movie whose field is silent.
  private func scene() throws -> RenderCase {
    let silence = [Float](repeating: 0, count: left.count)
    let folder = try TemporaryFolder()
    let planes = [silence, silence, silence, silence, left, right]
    try WAVBytes.float32(planes, rate: 48_000).write(to: folder.url("in.wav"))
    let movie = try SpatialAudioMovie.bytes(
      ["-i", folder.file("in.wav"), "-c:a", "pcm_s16le"],
      SpatialAudioMovie.payload(type: 0x80, map: [0, 1, 2, 3, 4, 5]))
    var scene = try RenderCase(movie, name: "in.mov")
    scene.job.loudness = nil
    scene.job.encoding = .float32
    return scene
  }

  private func difference(_ one: [Float], _ other: [Float]) -> Float {
    #expect(one.count == other.count)
    return zip(one, other).reduce(0) { max($0, ($1.0 - $1.1).magnitude) }
  }

  @Test("headphones get its channels at their ears as they are")
  func headphonesGetThemAsTheyAre() async throws {
    let scene = try scene()
    _ = try await scene.run()
    let output = try scene.decoded().planes
    #expect(output.count == 2)
    #expect(difference(output[0], left) < 1e-6)
    #expect(difference(output[1], right) < 1e-6)
  }

  @Test("loudspeakers get it as a pair in front", arguments: ["stereo", "5.1", "7.1.4"])
  func loudspeakersGetAPairInFront(layout: String) async throws {
    var scene = try scene()
    scene.job.outputs[0].endpoint = .none
    scene.job.layout = ChannelLayout(name: layout)
    _ = try await scene.run()
    let output = try scene.decoded().planes
    #expect(difference(output[0], left) < 1e-6)
    #expect(difference(output[1], right) < 1e-6)
    #expect(output.dropFirst(2).allSatisfy { $0.allSatisfy { $0.magnitude < 1e-6 } })
  }
}
