// SPDX-License-Identifier: Apache-2.0
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
      ("a.wav", [String](), "wav"), ("b.mp4", [], "mp4"), ("c.mp4", ["-c:a", "flac"], "mp4"),
      ("d.m4a", ["-c:a", "alac"], "mp4"), ("b.m4b", ["-c:a", "pcm"], "mp4"),
      ("e.mp4", ["-c:a", "opus", "--fragment-duration", "0.5s"], "fmp4"),
      ("f.m4a", ["-f", "fmp4"], "fmp4"), ("g.m4a", ["-c:a", "opus"], "fmp4"),
      ("h.mp4", ["--fragment-duration", "1s"], "fmp4"),
    ])
  func whatWasRenderedIsValid(name: String, extra: [String], format: String) throws {
    _ = try render(name, extra)
    let (status, report) = try validate(name)
    #expect(status == 0)
    #expect((report["findings"] as? [Any])?.isEmpty == true)
    #expect(report["samples"] as? Int == 240_000)
    #expect(report["format"] as? String == format)
    #expect((report["fragments"] as? Int ?? 0 > 0) == (format == "fmp4"))
    // 312 start-up samples come on top of ten halves of a second.
    if name == "e.mp4" { #expect(report["fragments"] as? Int == 11) }
    let text = try Product.run(["validate", folder.file(name)])
    #expect(String(decoding: text.output, as: UTF8.self).contains("nothing wrong"))
  }

  /// Formats whose readers check sums and counts; `isSummed` says whether a byte changed in the middle breaks a sum.
  @Test(
    "validate finds cut files and changed bytes in every format that render writes",
    arguments: [
      ("a.wav", "wav", false), ("a.bw64", "wav", false), ("a.flac", "flac", true),
      ("a.opus", "ogg", true), ("a.mp3", "mp3", false), ("a.ac3", "ac3", true),
      ("a.eac3", "eac3", true), ("a.iamf", "iamf", false), ("a.mka", "matroska", false),
      ("a.weba", "webm", false),
    ])
  func everyFormatIsValidated(name: String, format: String, isSummed: Bool) throws {
    let whole = try render(name, [])
    let (status, report) = try validate(name)
    #expect(status == 0, "\(report)")
    #expect(report["format"] as? String == format)
    // AC-3 has no place for the length.
    if !format.hasSuffix("ac3") { #expect(report["samples"] as? Int == 240_000) }
    try whole.prefix(whole.count * 2 / 3).write(to: folder.url("cut-" + name))
    let cut = try validate("cut-" + name)
    let findings = try #require(cut.report["findings"] as? [[String: Any]])
    #expect(cut.status == 7 && !findings.isEmpty)
    // A proof's words are wrong here: nothing was written.
    #expect(
      !findings.contains { ($0["message"] as? String)?.contains("nothing was kept") != false })
    guard isSummed else { return }
    var changed = whole
    changed[whole.count / 2] ^= 0x10
    try changed.write(to: folder.url("changed-" + name))
    let damaged = try validate("changed-" + name)
    #expect(damaged.status == 7, "\(damaged.report)")
  }

  @Test("several files and a folder are validated, and a playlist stands for the files it names")
  func severalFilesAreValidated() throws {
    _ = try render("a.flac", [])
    _ = try render("film.m3u8", ["--segment-files"])
    try Data("x".utf8).write(to: folder.url("notes.txt"))
    let result = try Product.run(["validate", folder.path])
    #expect(result.status == 0, "\(result.errors)")
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 4 && lines.allSatisfy { $0.hasSuffix("nothing wrong") })
    #expect(lines.last == "3 files, nothing wrong")
    #expect(lines[1].contains("film.m3u8: hls"))
    let json = try Product.run(["validate", folder.file("a.flac"), folder.file("in.wav"), "--json"])
    #expect((try JSONSerialization.jsonObject(with: json.output) as? [Any])?.count == 2)
    let absent = try Product.run(["validate", folder.file("absent.wav"), folder.file("a.flac")])
    #expect(absent.status == 3)
    #expect(String(decoding: absent.output, as: UTF8.self).contains("a.flac: flac, 240000 samples"))
  }

  @Test(
    "files of kinds that render doesn't write are refused", arguments: ["a.avi", "a.aiff", "a.au"])
  func otherKindsAreRefused(name: String) throws {
    _ = try Tool.ffmpeg(["-i", folder.file("in.wav"), folder.file(name)])
    let result = try Product.run(["validate", folder.file(name)])
    #expect(result.status == 5)
    let words = "\(folder.file(name)): validate reads what Pinna writes, and "
    #expect(result.errors.hasPrefix("pinna: " + words), "\(result.errors)")
    #expect(result.errors.hasSuffix(" isn't among that\n"))
  }

  @Test("a segment that is cut is named, and its consequences aren't findings of their own")
  func aCutSegmentIsNamed() throws {
    _ = try render("film.m3u8", ["--segment-files", "--segment-duration", "1s"])
    let segments = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    let name = try #require(segments?.filter { $0.hasSuffix(".m4s") }.sorted().dropFirst(2).first)
    let bytes = try Data(contentsOf: folder.url(name))
    try bytes.prefix(bytes.count / 2).write(to: folder.url(name))
    let (status, report) = try validate("film.m3u8")
    let findings = try #require(report["findings"] as? [[String: Any]])
    #expect(status == 7)
    #expect(findings.first?["code"] as? String == "cut")
    #expect(findings.first?["path"] as? String == name.split(separator: "/").last.map(String.init))
    // The rest is what reading it to its end finds, in time.
    #expect(findings.dropFirst().allSatisfy { $0["path"] as? String == "samples" }, "\(findings)")
  }

  @Test("validate finds missing fragments, cut files and wrong times")
  func damageIsFound() throws {
    let movie = try render("b.mp4", ["-c:a", "flac", "-f", "fmp4"])
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

  @Test("validate finds a cut end, a wrong size and a wrong length of a progressive file")
  func damageOfProgressiveFilesIsFound() throws {
    let movie = try render("b.m4a", [])
    try movie.prefix(movie.count * 2 / 3).write(to: folder.url("cut.m4a"))
    for (box, byte) in [("stsz", 15), ("stts", 15), ("stco", 11), ("mdhd", 31), ("elst", 14)] {
      let place = try #require(movie.firstRange(of: Data(box.utf8)))
      var wrong = movie
      wrong[place.upperBound + byte] ^= 1
      try wrong.write(to: folder.url("\(box).m4a"))
    }
    for name in ["cut", "stsz", "stts", "stco", "mdhd", "elst"] {
      let (status, report) = try validate("\(name).m4a")
      #expect(status == 7, "\(name)")
      #expect((report["findings"] as? [Any])?.isEmpty == false, "\(name)")
    }
  }

  @Test("validate reads a plain MP4 file of another program")
  func filesOfOthersAreRead() throws {
    try FixtureStore.ffmpeg(["-i", folder.file("in.wav"), "-c:a", "aac", folder.file("plain.m4a")])
    let (status, report) = try validate("plain.m4a")
    #expect([0, 7].contains(status))
    #expect(report["format"] as? String == "mp4")
  }

  @Test("validate refuses text and a missing file")
  func otherFilesAreRefused() async throws {
    try Data("hello".utf8).write(to: folder.url("text"))
    for (name, code) in [("text", 3), ("none", 3)] as [(String, Int32)] {
      let result = try await InProcess.run(["validate", folder.file(name)])
      #expect(result.status == code, "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }
}
