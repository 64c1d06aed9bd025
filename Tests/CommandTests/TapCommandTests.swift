// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Taps on the command line.
@Suite(.tags(.system)) struct TapCommandTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 1, level: 0.3).write(to: folder.url("in.wav"))
    try Data("Preamp: -3 dB\nFilter 1: ON PK Fc 1000 Hz Gain 3 dB Q 1\n".utf8)
      .write(to: folder.url("hp.txt"))
    return folder
  }

  private func render(
    _ folder: TemporaryFolder, _ arguments: [String]
  ) throws -> (status: Int32, errors: String) {
    let result = try Product.run(
      ["render", folder.file("in.wav"), "-o", folder.file("out.wav"), "-y"] + arguments)
    return (result.status, result.errors)
  }

  private func refusal(_ arguments: [String]) async throws -> (status: Int32, errors: String) {
    let result = try await InProcess.run(arguments)
    return (result.status, result.errors)
  }

  @Test("an equaliser stands in the summary with its peak")
  func anEqualiserStandsInTheSummary() throws {
    let folder = try folder()
    for arguments in [
      ["--eq", folder.file("hp.txt")], ["--tap", "post:eq=" + folder.file("hp.txt")],
    ] {
      let (status, errors) = try render(folder, arguments)
      #expect(status == 0, "\(errors)")
      #expect(errors.contains("tap       post:eq hp.txt, peak "))
    }
  }

  @Test("a tap's program can write in its own folder only")
  func aProgramCanOnlyWriteInItsOwnFolder() throws {
    let folder = try folder()
    let mark = folder.file("mark")
    let (status, errors) = try render(
      folder, ["--tap-exec", "post", "--", "sh", "-c", "echo x > inside && cat"])
    #expect(status == 0, "\(errors)")
    let other = try render(
      folder, ["--tap-exec", "post", "--", "sh", "-c", "cat; echo x > \(mark)"])
    // Without Landlock the kernel lets it, which the report says.
    if other.status == 0 {
      let told = try Product.run([
        "render", folder.file("in.wav"), "-o", folder.file("out.wav"), "-y", "--json",
        "--tap-exec", "post", "--", "cat",
      ])
      #expect(String(decoding: told.output, as: UTF8.self).contains("no Landlock"))
    } else {
      #expect(other.status == 5)
      #expect(!FileManager.default.fileExists(atPath: mark))
    }
    #expect(!folder.contents.contains("inside"))
  }

  @Test(
    "a wrong --tap or --tap-exec is refused and writes nothing",
    arguments: [
      (["--tap", "post"], "give POINT:KIND=ARGUMENTS"),
      (["--tap", "here:eq=x"], "item, programme or post"),
      (["--tap", "output:eq=x"], "item, programme or post"),
      (["--tap", "post:reverb=x"], "there is no tap reverb"),
      (["--tap", "post:eq="], "give KIND=ARGUMENTS"),
      (["--tap", "post:fir=x.wav,align=end"], "give peak or start"),
      (["--tap-exec", "post"], "give the program after --"),
      (["--tap-exec", "post,tail", "--", "cat"], "neither tail=TIME nor latency=SAMPLES"),
      (["--tap-exec", "post,latency=x", "--", "cat"], "a number of samples"),
      (["-f", "fmp4", "-c:a", "copy", "--eq", "x"], "leaves as it is"),
    ]) func wrongWordsAreRefused(arguments: [String], words: String) async throws
  {
    let folder = try folder()
    let (status, errors) = try await refusal(
      ["render", folder.file("in.wav"), "-o", folder.file("out.wav"), "-y"] + arguments)
    #expect(status == 2)
    #expect(errors.contains(words), "\(errors)")
    #expect(folder.contents == ["hp.txt", "in.wav"])
  }

  @Test("an input after -- is rendered; no input is refused")
  func inputsMayStandBehindTheDashes() async throws {
    let folder = try folder()
    let result = try Product.run([
      "render", "-o", folder.file("out.wav"), "--", folder.file("in.wav"),
    ])
    #expect(result.status == 0)
    let none = try await InProcess.run(["render", "-o", folder.file("other.wav")])
    #expect(none.status == 2)
    #expect(none.errors.contains("no input"))
  }

  @Test("taps check measures a tap's delay, and ends with 5 or 7 when the tap fails")
  func aCheckShowsWhatATapDoes() async throws {
    let folder = try folder()
    let text = try Product.run(["taps", "check", "post:eq=" + folder.file("hp.txt")])
    #expect(text.status == 0)
    let lines = String(decoding: text.output, as: UTF8.self)
    #expect(lines.contains("delay     0 samples, measured 0\n"))
    let json = try Product.run([
      "taps", "check", "--json", "--rate", "44100", "--tap-exec", "post", "--", "sh", "-c",
      "(head -c 800 /dev/zero; cat) | head -c -800",
    ])
    let report = try JSONSerialization.jsonObject(with: json.output) as? [String: Any]
    let latency = report?["latency"] as? [String: Any]
    #expect(latency?["measured"] as? Int == 100)
    #expect(report?["rate"] as? Int == 44_100)
    #expect(try await InProcess.run(["taps", "check"]).status == 2)
    #expect(try Product.run(["taps", "check", "--tap-exec", "post", "--", "false"]).status == 5)
    #expect(
      try Product.run(["taps", "check", "--tap-exec", "post", "--", "head", "-c", "80"]).status == 7
    )
    #expect(try await InProcess.run(["taps", "list"]).output.count > 200)
  }

  /// A batch gives each file the same taps as render, and says what it doesn't do.
  @Test(
    "a batch with taps writes the bytes of render; --tap-exec is refused", .fullRunOnly)
  func aBatchHasThemToo() async throws {
    let folder = try folder()
    try Data("Preamp: -6 dB\n".utf8).write(to: folder.url("low.txt"))
    let taps = [
      "--eq", folder.file("hp.txt"), "--eq", folder.file("low.txt"), "--tap",
      "programme:eq=" + folder.file("hp.txt"),
    ]
    let plain = ["-e", "none", "-l", "off"]
    #expect(try render(folder, taps + plain).status == 0)
    try Data(
      """
      schema: pinna.manifest/1
      jobs:
        - {input: in.wav, name: listed.wav, eq: [hp.txt, low.txt], tap: 'programme:eq=hp.txt'}
      """.utf8
    ).write(to: folder.url("jobs.yaml"))
    let list = folder.file("list.txt")
    try Data("\(folder.file("in.wav"))\n".utf8).write(to: URL(fileURLWithPath: list))
    let batches = [
      [folder.file("jobs.yaml")] + plain,
      ["--input-list", list, "--name", "given.wav"] + plain + taps,
    ]
    for arguments in batches {
      let result = try Product.run(["batch", "-O", folder.file("made")] + arguments)
      #expect(result.status == 0, "\(result.errors)")
    }
    let wanted = try Data(contentsOf: folder.url("out.wav"))
    #expect(try Data(contentsOf: folder.url("made/listed.wav")) == wanted)
    #expect(try Data(contentsOf: folder.url("made/given.wav")) == wanted)
    for refused in [["--tap-exec", "post", "--", "cat"], ["--", "x.wav"]] {
      let result = try await InProcess.run(
        ["batch", folder.path, "-O", folder.file("no")] + refused)
      #expect(result.status == 2)
      #expect(result.errors.contains("batch"))
    }
  }
}
