import Foundation
import TestSupport
import Testing

/// `pinna validate` and the files that `render` writes.
@Suite(.tags(.system), .fullRunOnly) struct ValidateTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 5).write(to: folder.url("in.wav"))
  }

  private func render(_ name: String, _ extra: [String]) throws -> Data {
    let result = try Product.run(
      ["render", folder.file("in.wav"), "-o", folder.file(name), "-q", "-e", "none"] + extra)
    #expect(result.status == 0, "\(result.errors)")
    return try Data(contentsOf: folder.url(name))
  }

  private func validate(_ name: String) throws -> (status: Int32, report: [String: Any]) {
    let result = try Product.run(["validate", folder.file(name), "--json"])
    let report = try? JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    return (result.status, report ?? [:])
  }

  @Test(
    "validate finds nothing wrong with what render wrote",
    arguments: [
      ("a.wav", [String]()), ("b.mp4", []), ("c.mp4", ["-c:a", "flac"]),
      ("d.m4a", ["-c:a", "alac"]),
      ("e.mp4", ["-c:a", "opus", "--fragment-duration", "0.5s"]),
    ])
  func whatWasRenderedIsValid(name: String, extra: [String]) throws {
    _ = try render(name, extra)
    let (status, report) = try validate(name)
    #expect(status == 0)
    #expect((report["findings"] as? [Any])?.isEmpty == true)
    #expect(report["samples"] as? Int == 240_000)
    // 312 start-up samples come on top of ten halves of a second.
    if name == "e.mp4" { #expect(report["fragments"] as? Int == 11) }
    let text = try Product.run(["validate", folder.file(name)])
    #expect(String(decoding: text.output, as: UTF8.self).contains("nothing wrong"))
  }

  @Test("validate finds missing fragments, cut files and wrong times")
  func damageIsFound() throws {
    let movie = try render("b.mp4", ["-c:a", "flac"])
    // A fragment goes missing, the end goes missing, a time is changed.
    let moofs = movie.ranges(of: Data("moof".utf8))
    #expect(moofs.count == 3)
    var without = movie
    without.removeSubrange(moofs[1].lowerBound - 4..<moofs[2].lowerBound - 4)
    try without.write(to: folder.url("gap.mp4"))
    try movie.prefix(movie.count * 2 / 3).write(to: folder.url("cut.mp4"))
    let time = try #require(movie.ranges(of: Data("tfdt".utf8)).last)
    var late = movie
    late[time.upperBound + 11] ^= 1
    try late.write(to: folder.url("late.mp4"))
    for name in ["gap.mp4", "cut.mp4", "late.mp4"] {
      let (status, report) = try validate(name)
      #expect(status == 7, "\(name)")
      #expect((report["findings"] as? [Any])?.isEmpty == false, "\(name)")
    }
    let sound = try render("a.wav", [])
    try sound.prefix(sound.count - 5000).write(to: folder.url("cut.wav"))
    #expect(try validate("cut.wav").status == 7)
  }

  @Test("validate refuses text, a plain MP4 file and a missing file")
  func otherFilesAreRefused() async throws {
    try Data("hello".utf8).write(to: folder.url("text"))
    try FixtureStore.ffmpeg(["-i", folder.file("in.wav"), "-c:a", "aac", folder.file("plain.m4a")])
    for (name, code) in [("text", 5), ("plain.m4a", 5), ("none", 3)] as [(String, Int32)] {
      let result = try await InProcess.run(["validate", folder.file(name)])
      #expect(result.status == code, "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }
}
