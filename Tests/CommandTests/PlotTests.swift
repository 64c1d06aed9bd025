// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `measure --plot` writes the named file and no other.
@Suite(.tags(.system), .fullRunOnly) struct PlotTests {
  private let folder: TemporaryFolder
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("in.wav")
    try TestProgramme.wav(channels: 2, seconds: 4).write(to: folder.url("in.wav"))
  }

  @Test("measure --plot draws the measurement with target and gate")
  func drawsWhatItMeasures() throws {
    let result = try Product.run(["measure", source, "--plot", folder.file("plot.svg")])
    #expect(result.status == 0, "\(result.errors)")
    let plot = try String(contentsOf: folder.url("plot.svg"), encoding: .utf8)
    #expect(plot.contains("<svg") && plot.contains("in.wav") && plot.contains("target"))
    #expect(plot.contains("relative gate"))
  }

  @Test("--series adds the momentary loudness to the JSON; without --json the option is refused")
  func seriesIsInTheJSONWhenAskedFor() async throws {
    func object(_ extra: [String]) throws -> [String: Any] {
      let result = try Product.run(["measure", source, "--json"] + extra)
      return try #require(
        JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    }
    let series = try #require(try object(["--series"])["series"] as? [String: Any])
    #expect((series["momentary"] as? [Any])?.count == 40)
    #expect(try object([])["series"] == nil)
    #expect(try await InProcess.run(["measure", source, "--series"]).status == 2)
  }

  @Test("a plot at the place of an input is refused, even with -y")
  func anInputIsNeverReplaced() async throws {
    let before = try Data(contentsOf: folder.url("in.wav"))
    try FileManager.default.linkItem(atPath: source, toPath: folder.file("hard.svg"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("soft.svg"), withDestinationPath: source)
    for name in ["in.wav", "hard.svg", "soft.svg"] {
      let result = try await InProcess.run(["measure", source, "--plot", folder.file(name), "-y"])
      #expect(result.status == 6, "\(name): \(result.errors)")
      #expect(result.errors.contains("is an input") && result.output.isEmpty)
    }
    #expect(try Data(contentsOf: folder.url("in.wav")) == before)
  }

  @Test("a plot replaces a file only with -y")
  func existingFilesNeedY() async throws {
    try Data("precious".utf8).write(to: folder.url("plot.svg"))
    let result = try await InProcess.run(["measure", source, "--plot", folder.file("plot.svg")])
    #expect(result.status == 6)
    #expect(result.errors.contains("-y") && result.output.isEmpty)
    #expect(try Data(contentsOf: folder.url("plot.svg")) == Data("precious".utf8))
    let missing = try await InProcess.run([
      "measure", source, "--plot", folder.file("no/there/plot.svg"),
    ])
    #expect(missing.status == 6)
  }

  @Test("plots of several inputs need a folder and different names")
  func severalInputsNeedAFolder() async throws {
    try FileManager.default.copyItem(atPath: source, toPath: folder.file("two.wav"))
    let inputs = [source, folder.file("two.wav")]
    let one = try await InProcess.run(["measure"] + inputs + ["--plot", folder.file("plot.svg")])
    #expect(one.status == 2)
    #expect(one.errors.contains("several inputs need a folder"))
    let same = try await InProcess.run(["measure", source, source, "--plot", folder.path])
    #expect(same.status == 2)
    #expect(same.errors.contains("same name"))
  }

  @Test("a wrong --target, or one without a plot, is refused")
  func badValuesAreNamed() async throws {
    for (extra, words) in [
      (["--target", "loud"], "--target loud"), (["--target", "3"], "−70 to 0 LUFS, or off"),
    ] {
      let result = try await InProcess.run(
        ["measure", source, "--plot", folder.file("plot.svg")] + extra)
      #expect(result.status == 2)
      #expect(result.errors.contains(words), "\(result.errors)")
    }
    #expect(try Product.run(["measure", source, "--plot", "-"]).status == 2)
    #expect(try await InProcess.run(["measure", source, "--target", "-16"]).status == 2)
    #expect(folder.contents == ["in.wav"])
  }
}
