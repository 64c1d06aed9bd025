// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `--hrtf-symmetry` leaves a set as it was measured, and says so.
@Suite(.tags(.system), .fullRunOnly) struct HRTFSymmetryTests {
  private let folder: TemporaryFolder
  private static let hasSadie = SharedMedia.hrtf != nil

  init() throws {
    folder = try TemporaryFolder()
    let planes = TestProgramme.planes(channels: 2, seconds: 1)
    try WAVBytes.float32(planes, rate: 48000).write(to: folder.url("in.wav"))
    try WAVBytes.float32(planes.reversed(), rate: 48000).write(to: folder.url("turned.wav"))
  }

  /// Renders the SADIE set without changing levels; both ears' samples, and the report's decisions.
  private func render(
    _ name: String, _ symmetry: [String], cache: String = "off"
  ) throws -> (ears: [[Double]], decisions: [[String: Any]]) {
    let arguments = [
      "render", folder.file(name), "-o", folder.file("out.wav"), "-y", "-q", "--json", "-l", "off",
      "--true-peak", "0", "-b", "32f", "--hrtf", try #require(SharedMedia.hrtf),
    ]
    let result = try Tool.run(
      Product.path, arguments + symmetry,
      environment: ["XDG_CACHE_HOME": folder.file("cache"), "PINNA_CACHE": cache])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let report = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    return (
      try ears(of: Data(contentsOf: folder.url("out.wav"))),
      report?["decisions"] as? [[String: Any]] ?? []
    )
  }

  /// Samples of a stereo WAV file of 32-bit floats.
  private func ears(of file: Data) throws -> [[Double]] {
    let data = try #require(file.range(of: Data("data".utf8)))
    let bytes = [UInt8](file[(data.upperBound + 4)...])
    let values = bytes.withUnsafeBytes { raw in
      (0..<2 * 48000).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    return (0..<2).map { ear in (0..<48000).map { Double(values[2 * $0 + ear]) } }
  }

  /// Power in dB of the difference between `one` and `other`.
  private func gap(_ one: [[Double]], _ other: [[Double]]) -> Double {
    var error = 0.0
    var power = 0.0
    for (a, b) in zip(one, other) {
      for (x, y) in zip(a, b) {
        error += (x - y) * (x - y)
        power += y * y
      }
    }
    return 10 * log10(max(error, 1e-300) / power)
  }

  @Test(
    "with --hrtf-symmetry off, exchanged channels don't give exchanged ears", .tags(.media),
    .enabled(if: hasSadie, "the SADIE test set is not beside the package"))
  func anUnevenSetStaysUneven() throws {
    let even = try render("in.wav", [])
    let uneven = try render("in.wav", ["--hrtf-symmetry", "off"])
    #expect((-50..<0).contains(gap(uneven.ears, even.ears)))
    // With a symmetric set, exchanged channels give exchanged ears; with the set as measured they don't.
    let evenTurned = try render("turned.wav", ["--hrtf-symmetry", "on"])
    #expect(gap(evenTurned.ears.reversed(), even.ears) <= -120)
    let unevenTurned = try render("turned.wav", ["--hrtf-symmetry", "off"])
    #expect(gap(unevenTurned.ears.reversed(), uneven.ears) > -50)
    let noted = uneven.decisions.first { $0["code"] as? String == "hrtf-symmetry" }
    #expect(noted?["chose"] as? String == "off")
    #expect((noted?["why"] as? String)?.contains("--hrtf-symmetry off") == true)
    #expect(!even.decisions.contains { $0["code"] as? String == "hrtf-symmetry" })
  }

  /// One cached file serves both settings.
  @Test(
    "one cached SOFA file serves both settings of --hrtf-symmetry", .tags(.media),
    .enabled(if: hasSadie, "the SADIE test set is not beside the package"))
  func theCacheKeepsThemApart() throws {
    let off = ["--hrtf-symmetry", "off"]
    let (even, uneven) = (try render("in.wav", []).ears, try render("in.wav", off).ears)
    #expect(even != uneven)
    // Read from the file first, then from the cache.
    #expect(try render("in.wav", off, cache: "on").ears == uneven)
    #expect(try render("in.wav", [], cache: "on").ears == even)
    #expect(try render("in.wav", off, cache: "on").ears == uneven)
    #expect(FileManager.default.fileExists(atPath: folder.file("cache/pinna/hrtf")))
  }

  @Test(
    "hrtf inspect shows whether the set is made symmetric", .tags(.media),
    .enabled(if: hasSadie, "the SADIE test set is not beside the package"))
  func inspectFollowsIt() throws {
    let set = try #require(SharedMedia.hrtf)
    for (symmetry, isApplied) in [("on", true), ("off", false)] {
      let result = try Product.run(
        ["hrtf", "inspect", set, "--json", "--hrtf-symmetry", symmetry])
      let report = try #require(
        JSONSerialization.jsonObject(with: result.output) as? [String: Any])
      let steps = try #require(report["steps"] as? [[String: Any]])
      let step = steps.first { $0["name"] as? String == "symmetrise" }
      #expect(step?["applied"] as? Bool == isApplied)
    }
  }

  @Test("a wrong --hrtf-symmetry, or one without a SOFA file, is refused")
  func mistakesAreNamed() async throws {
    let render = ["render", folder.file("in.wav"), "-o", folder.file("out.wav"), "-q"]
    let cases: [([String], String)] = [
      (render + ["--hrtf-symmetry", "maybe"], "on, off"),
      (render + ["--hrtf-symmetry", "off"], "give a SOFA file"),
      (render + ["--hrtf", "set.sofa", "-e", "none", "--hrtf-symmetry", "off"], "headphones"),
      (
        render + ["--hrtf", "set.sofa", "--virtualizer", "off", "--hrtf-symmetry", "off"],
        "headphones"
      ), (["hrtf", "inspect", "kemar", "--hrtf-symmetry", "off"], "give a SOFA file"),
    ]
    for (arguments, words) in cases {
      let result = try await InProcess.run(arguments)
      #expect(result.status == 2, "\(arguments): \(result.errors)")
      #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
      #expect(!folder.contents.contains("out.wav"))
    }
  }
}
