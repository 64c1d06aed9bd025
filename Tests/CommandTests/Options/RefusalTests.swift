// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Bad input gets the right exit code, one sentence, and nothing is left behind.
@Suite(.tags(.system), .fullRunOnly) struct RefusalTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    let code: Int32
    let words: [String]
    var testDescription: String { name }
  }

  static let media: [Refusal] = [
    Refusal(name: "ChannelCheck.mp4", code: 3, words: ["no audio"]),
    Refusal(name: "sample_ac4_protected.mp4", code: 3, words: ["encrypted"]),
  ]

  @Test(
    "a film without sound or with encrypted sound is refused with exit code 3",
    .tags(.media), .enabled(if: SharedMedia.isPresent, "../shared is missing"), arguments: media)
  func realFilesThatCannotBeDecoded(refusal: Refusal) async throws {
    try await expect(SharedMedia.path(refusal.name), refusal.code, refusal.words)
  }

  @Test("an unreadable input is refused in one sentence, and nothing is left behind")
  func brokenFiles() async throws {
    let folder = try TemporaryFolder()
    let wav = TestProgramme.wav(channels: 2, seconds: 1)
    let playlist = "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nfile:good.wav\n#EXT-X-ENDLIST\n"
    var noise = SeededNoise(seed: 9)
    let garbage = Data((0..<65_536).map { _ in UInt8.random(in: 0...255, using: &noise) })
    let files: [(String, Data, [String])] = [
      ("empty.wav", Data(), ["empty"]), ("one.wav", Data("R".utf8), []),
      ("header.wav", wav.prefix(44), []), ("text.wav", Data("not audio\n".utf8), []),
      ("garbage.mkv", garbage, []), ("zeros.mp3", Data(count: 262_144), []),
      ("playlist.wav", Data(playlist.utf8), []), ("list.m3u8", Data(playlist.utf8), []),
      ("concat.ffconcat", Data("ffconcat version 1.0\nfile 'good.wav'\n".utf8), []),
    ]
    try wav.write(to: folder.url("good.wav"))
    for (name, data, words) in files {
      try data.write(to: folder.url(name))
      try await expect(folder.file(name), 3, words)
    }
    try await expect(folder.file("missing.wav"), 3, ["no such file"])
    try await expect(folder.path, 3, ["is a folder; pinna batch"])
    try await expect("ftp://example.org/a.wav", 5, ["URL"])
  }

  @Test("a WAV file named .mp3 is read as WAV")
  func aRenamedFileIsReadByItsBytes() throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("really-wav.mp3"))
    let result = try Product.run([
      "render", folder.file("really-wav.mp3"), "-o", folder.file("out.wav"),
    ])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("a truncated file is rendered and reported; with --strict the exit code is 9")
  func aTruncatedFileIsRenderedAndSaid() throws {
    let folder = try TemporaryFolder()
    let wav = TestProgramme.wav(channels: 2, seconds: 2)
    try wav.prefix(wav.count / 2).write(to: folder.url("half.wav"))
    let arguments = ["render", folder.file("half.wav"), "-o", folder.file("out.wav"), "--json"]
    let result = try Product.run(arguments)
    #expect(result.status == 0)
    #expect(String(decoding: result.output, as: UTF8.self).contains("\"code\" : \"truncated\""))
    let strict = try Product.run(arguments + ["--strict", "-y"])
    #expect(strict.status == 9)
  }

  @Test("a damaged frame fails with exit code 4, or is concealed with --on-damage conceal")
  func damageFailsUnlessConcealed() async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 4).write(to: folder.url("s.wav"))
    try FixtureStore.ffmpeg(["-i", folder.file("s.wav"), "-c:a", "eac3", folder.file("s.eac3")])
    var bytes = try Data(contentsOf: folder.url("s.eac3"))
    // Only payload is damaged, so the frame's header still states the right length.
    let frame = 768 * 50 + 300
    for offset in frame..<(frame + 60) { bytes[offset] ^= 0xFF }
    try bytes.write(to: folder.url("damaged.eac3"))
    let render = ["render", folder.file("damaged.eac3"), "-o", folder.file("out.wav"), "--json"]
    let failed = try await InProcess.run(render)
    #expect(failed.status == 4)
    #expect(failed.errors.contains("--on-damage conceal"))
    #expect(!folder.contents.contains("out.wav"))
    let concealed = try Product.run(render + ["--on-damage", "conceal"])
    #expect(concealed.status == 0)
    #expect(String(decoding: concealed.output, as: UTF8.self).contains("decode-errors"))
  }

  private func expect(_ path: String, _ code: Int32, _ words: [String]) async throws {
    let folder = try TemporaryFolder()
    let result = try await InProcess.run(["render", path, "-o", folder.file("out.wav")])
    #expect(result.status == code, "\(path): \(result.errors)")
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].hasPrefix("pinna: "), "one sentence: \(result.errors)")
    for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
    #expect(folder.contents.isEmpty, "left behind: \(folder.contents)")
    #expect(result.output.isEmpty)
  }
}
