// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import MediaIn
import Rendering
import TestSupport
import Testing

/// Chained Ogg files, whose links each have headers, start-up and end of their own (RFC 3533, 4).
@Suite(.tags(.system)) struct OggChainTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes one second of noise.
  private func link(_ name: String, seed: Int, _ arguments: [String]) throws -> Data {
    let noise = "anoisesrc=d=1:a=0.3:seed=\(seed):r=48000"
    try FixtureStore.ffmpeg(["-f", "lavfi", "-i", noise] + arguments + [folder.file(name)])
    return try Data(contentsOf: folder.url(name))
  }

  /// All samples of a file, its kinds of degradations, and the length that its headers promise.
  private func decode(
    _ bytes: Data, as name: String
  ) throws -> (planes: [[Float]], kinds: [String], promise: Int64?) {
    try bytes.write(to: folder.url(name))
    let log = DiagnosticLog()
    let source = try TrackSource(
      input: MediaInput(path: folder.file(name), log: log), decoding: InputOptions(), log: log)
    let block = ProgrammeBlock(source.programme)
    while try source.read(into: block) {}
    let planes = (0..<source.programme.planes).map { Array(block.audio.channel($0)) }
    return (planes, log.degradations.map(\.code.rawValue), source.declaredSamples)
  }

  static let codecs = [["libvorbis", "ogg"], ["libopus", "opus"], ["flac", "oga"]]

  /// The judges are the links as files of their own.
  @Test(
    "a chain of links gives the samples of each link, one after the other", arguments: codecs,
    [false, true])
  func aChainGivesEachLink(codec: [String], isSameTwice: Bool) throws {
    let arguments = ["-c:a", codec[0], "-ac", "1"]
    let first = try link("a.\(codec[1])", seed: 3, arguments)
    let second =
      isSameTwice ? first : try link("b.\(codec[1])", seed: 5, arguments + ["-serial_offset", "9"])
    let one = try decode(first, as: "1.\(codec[1])")
    let two = try decode(second, as: "2.\(codec[1])")
    let chain = try decode(first + second, as: "c.\(codec[1])")
    #expect(one.planes[0].count == 48_000 && one.promise == 48_000)
    #expect(chain.planes[0] == one.planes[0] + two.planes[0])
    #expect(chain.kinds.isEmpty && chain.promise == nil)
  }

  @Test("a link with another number of channels is converted to those of the first, and reported")
  func aLinkOfOtherChannelsIsConverted() throws {
    let first = try link("a.ogg", seed: 3, ["-c:a", "libvorbis", "-ac", "1"])
    let second = try link("b.ogg", seed: 5, ["-c:a", "libvorbis", "-ac", "2"])
    let chain = try decode(first + second, as: "c.ogg")
    #expect(chain.planes.map(\.count) == [96_000])
    #expect(chain.kinds == ["format-change"])
  }

  @Test(
    "a chain whose recording stopped within the headers of a link ends with the link before, as truncated"
  )
  func headersAloneAreNoLink() throws {
    let first = try link("a.ogg", seed: 3, ["-c:a", "libvorbis", "-ac", "1"])
    let whole = try decode(first, as: "1.ogg")
    let chain = try decode(first + first.prefix(2000), as: "c.ogg")
    #expect(chain.planes == whole.planes)
    #expect(chain.kinds == ["truncated"])
  }

  /// Streams side by side begin together: they are no chain.
  @Test("two streams of sound side by side are one file, of which the first is read")
  func streamsSideBySideAreNoChain() throws {
    let first = try link("a.ogg", seed: 3, ["-c:a", "libvorbis", "-ac", "1"])
    _ = try link("b.ogg", seed: 5, ["-c:a", "libvorbis", "-ac", "2"])
    try FixtureStore.ffmpeg([
      "-i", folder.file("a.ogg"), "-i", folder.file("b.ogg"), "-map", "0", "-map", "1", "-c",
      "copy",
      folder.file("both.ogg"),
    ])
    let both = try decode(Data(contentsOf: folder.url("both.ogg")), as: "c.ogg")
    #expect(try both.planes == decode(first, as: "1.ogg").planes)
    #expect(both.kinds.isEmpty && both.promise == 48_000)
  }
}
