// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import TestSupport
import Testing

/// No output is lost, overwritten by mistake or left incomplete.
@Suite(.tags(.system), .fullRunOnly) struct OutputSafetyTests {
  private let folder: TemporaryFolder
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("in.wav")
    try TestProgramme.wav(channels: 2, seconds: 3).write(to: folder.url("in.wav"))
  }

  @Test(
    "a missing last folder of an output is made, two missing levels aren't, and a failure takes it away again"
  )
  func aMissingFolderIsMade() throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("in.wav"))
    let input = folder.file("in.wav")
    let made = try Product.run(["render", input, "-o", folder.file("new/a.wav"), "-q"])
    #expect(made.status == 0, "\(made.errors)")
    let slash = try Product.run(
      ["render", input, input, "-o", folder.file("two") + "/", "-f", "flac", "-q"])
    // Two inputs of one name clash, and nothing is left of the folder.
    #expect(slash.status == 2 && !folder.contents.contains("two"))
    try FileManager.default.copyItem(at: folder.url("in.wav"), to: folder.url("b.wav"))
    let both = try Product.run(
      ["render", input, folder.file("b.wav"), "-o", folder.file("two") + "/", "-f", "flac", "-q"])
    #expect(both.status == 0, "\(both.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("two")).sorted() == [
        "b.flac", "in.flac",
      ])
    let stream = try Product.run(
      ["render", input, "-o", folder.file("hls/film.m3u8"), "--segment-files", "-q"])
    #expect(stream.status == 0, "\(stream.errors)")
    let deep = try Product.run(["render", input, "-o", folder.file("x/y/a.wav"), "-q"])
    #expect(deep.status == 6 && deep.errors.contains("nor the one above"), "\(deep.errors)")
    let failed = try Product.run(
      ["render", input, "-o", folder.file("z/a.wav"), "-l", "-1", "--peak-policy", "fail", "-q"])
    #expect(failed.status == 8, "\(failed.errors)")
    #expect(folder.contents.allSatisfy { !["x", "z"].contains($0) }, "\(folder.contents)")
  }

  @Test("an existing output is replaced only with -y")
  func existingOutputsAreRefusedWithoutY() async throws {
    let output = folder.url("out.wav")
    try Data("precious".utf8).write(to: output)
    let result = try await InProcess.run(["render", source, "-o", output.path])
    #expect(result.status == 6)
    #expect(result.errors.contains("-y"))
    #expect(try Data(contentsOf: output) == Data("precious".utf8))
    #expect(try Product.run(["render", source, "-o", output.path, "-y"]).status == 0)
    #expect(try Data(contentsOf: output).count > 100_000)
  }

  @Test("a failed render with -y keeps the old output")
  func aFailedJobKeepsTheOldOutput() async throws {
    let output = folder.url("out.wav")
    try Data("precious".utf8).write(to: output)
    try Data("garbage".utf8).write(to: folder.url("bad.wav"))
    let result = try await InProcess.run([
      "render", folder.file("bad.wav"), "-o", output.path, "-y",
    ])
    #expect(result.status == 3)
    #expect(try Data(contentsOf: output) == Data("precious".utf8))
    #expect(folder.contents == ["bad.wav", "in.wav", "out.wav"])
  }

  @Test("an output that is the input, or a link to it, is refused")
  func theInputIsNeverTheOutput() async throws {
    let before = try Data(contentsOf: folder.url("in.wav"))
    let manager = FileManager.default
    try manager.linkItem(atPath: source, toPath: folder.file("hard.wav"))
    try manager.createSymbolicLink(atPath: folder.file("soft.wav"), withDestinationPath: source)
    for name in ["in.wav", "hard.wav", "soft.wav"] {
      let result = try await InProcess.run(["render", source, "-o", folder.file(name), "-y"])
      #expect(result.status == 6, "\(name): \(result.errors)")
      #expect(result.errors.contains("is the input itself"))
    }
    #expect(try Data(contentsOf: folder.url("in.wav")) == before)
  }

  @Test("an output in a folder that can't be written is refused")
  func unwritableFoldersFailBeforeAnyWork() async throws {
    for target in [folder.file("no/such/folder/out.wav"), "/proc/out.wav", source + "/out.wav"] {
      let result = try await InProcess.run(["render", source, "-o", target])
      #expect(result.status == 6, "\(target): \(result.errors)")
    }
    #expect(folder.contents == ["in.wav"])
  }

  @Test("a limit on the file size ends with 75 and leaves nothing")
  func aFullDiskIsTransientAndLeavesNothing() throws {
    // The file size limit stands for the full disk: the same path, without needing a mount.
    let script = "ulimit -f 64; exec \"$0\" render \"$1\" -o \"$2\""
    let result = try Tool.run(
      "bash", ["-c", script, Product.path, source, folder.file("out.wav")])
    #expect(result.status == 75, "\(result.errors)")
    #expect(result.errors.contains("no space left"))
    #expect(folder.contents == ["in.wav"])
  }

  /// Command lines that write text to OUT; IN is a sound, REPORT the report of its render, FOLDER theirs.
  static let textOutputs = [
    "render IN -o FOLDER/again.wav --report OUT -q", "measure IN --plot OUT.svg",
    "report REPORT -o OUT", "report REPORT --junit OUT", "report REPORT --markdown OUT",
    "hrtf inspect kemar --plot OUT.svg", "hrtf inspect kemar --plot-delays OUT.svg",
    "audition IN -o OUT --at 0.1s --length 1s -q",
  ]

  @Test(
    "a file that a killed run left beside a text is removed by the next run", arguments: textOutputs
  )
  func leftoversOfKilledRunsAreRemoved(command: String) throws {
    let (report, output) = (folder.file("report.json"), folder.file("page"))
    let first = try Product.run(["render", source, "-o", folder.file("r.wav"), "--report", report])
    #expect(first.status == 0, "\(first.errors)")
    let words = command.split(separator: " ").map {
      String($0).replacing("REPORT", with: report).replacing("FOLDER", with: folder.path)
        .replacing("OUT", with: output).replacing("IN", with: source)
    }
    let target = try #require(words.first { $0.hasPrefix(output) })
    let left = try temporaryName(of: target)
    try Data("half done".utf8).write(to: folder.url(left))
    let result = try Product.run(words)
    #expect(result.status == 0, "\(result.errors)")
    #expect(!folder.contents.contains(left))
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)).count > 100)
  }

  /// A name that the product gives to a file which isn't complete yet, and under which nothing lies.
  private func temporaryName(of target: String) throws -> String {
    let before = Set(folder.contents)
    let file = try AtomicFile(target: target, overwrite: true)
    return try withExtendedLifetime(file) {
      try #require(folder.contents.first { !before.contains($0) })
    }
  }

  /// Mounting needs root and, in a container, a permission. If it isn't possible, the file size limit
  /// of the test above stands for a full disk.
  static let canMount: Bool = {
    guard let place = try? TemporaryFolder(),
      let result = try? Tool.run("mount", ["-t", "tmpfs", "tmpfs", place.path])
    else { return false }
    _ = try? Tool.run("umount", [place.path])
    return result.status == 0
  }()

  @Test(
    "a full disk ends with 75 and leaves nothing",
    .enabled(if: canMount, "this process can't mount a small disk"))
  func aReallyFullDiskToo() throws {
    let mount = folder.file("full")
    try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: false)
    let mounted = try Tool.run("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", mount])
    try #require(mounted.status == 0, "\(mounted.errors)")
    defer { _ = try? Tool.run("umount", [mount]) }
    let result = try Product.run(["render", source, "-o", mount + "/out.wav"])
    #expect(result.status == 75, "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: mount).isEmpty)
  }

  @Test(
    "a render with -y that a signal stops keeps the old output",
    arguments: [(SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int32)])
  func signalsKeepTheOldOutput(signal: Int32, code: Int32) throws {
    try LongProgramme.make(folder.file("long.wav"))
    try Data("precious".utf8).write(to: folder.url("out.wav"))
    let run = try RunningProduct([
      "render", folder.file("long.wav"), "-o", folder.file("out.wav"), "-y", "--progress", "ndjson",
    ])
    try run.progress()
    run.send(signal)
    let result = run.finish()
    #expect(result.status == code, "\(result.errors)")
    #expect(try Data(contentsOf: folder.url("out.wav")) == Data("precious".utf8))
    #expect(folder.contents == ["in.wav", "long.wav", "out.wav"])
  }

  @Test("inputs whose names look like options, URLs or patterns are rendered")
  func strangeNamesAreJustNames() throws {
    let names = [
      "-i.wav", "pipe:0.wav", "a%03d.wav", "new\nline \u{202e}'\"$(id).wav",
      String(repeating: "n", count: 240) + ".wav",
    ]
    for name in names {
      try FileManager.default.copyItem(atPath: source, toPath: folder.file(name))
      let output = folder.file("out-" + String(name.prefix(200)) + ".wav")
      let result = try Product.run(["render", folder.file(name), "-o", output])
      #expect(result.status == 0, "\(name): \(result.errors)")
      #expect(FileManager.default.fileExists(atPath: output))
    }
  }

  @Test("a render from standard input to standard output has the bytes of files")
  func standardStreamsWork() throws {
    let bytes = try Data(contentsOf: folder.url("in.wav"))
    let result = try Product.run(["render", "-", "-o", "-"], input: bytes)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try Product.run(["render", source, "-o", folder.file("out.wav")]).status == 0)
    #expect(result.output == (try Data(contentsOf: folder.url("out.wav"))))
  }

  @Test("a dry run shows the plan and writes nothing")
  func dryRunWritesNothing() async throws {
    let result = try await InProcess.run([
      "render", source, "-o", folder.file("out.wav"), "-n", "--json",
    ])
    #expect(result.status == 0)
    #expect(String(decoding: result.output, as: UTF8.self).contains("\"endpoint\""))
    #expect(folder.contents == ["in.wav"])
  }
}
