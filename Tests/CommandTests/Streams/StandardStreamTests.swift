// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A write to standard output that fails is a failure of the run.
@Suite(.tags(.system), .fullRunOnly) struct StandardStreamTests {
  private let folder: TemporaryFolder
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("in.wav")
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("in.wav"))
  }

  private func bash(_ script: String) throws -> Tool.Result {
    try Tool.run("bash", ["-c", script, Product.path, source, folder.file("out.wav")])
  }

  @Test(
    "JSON for a full or closed standard output ends with exit code 6",
    arguments: [">/dev/full", ">&-"])
  func lostJSONIsAFailure(redirection: String) throws {
    for command in ["render \"$1\" -o \"$2\" -y --json", "measure --json \"$1\"", "probe \"$1\""] {
      let result = try bash("\"$0\" \(command) \(redirection)")
      #expect(result.status == 6, "\(command): \(result.errors)")
      #expect(result.errors.contains("standard output"))
    }
  }

  @Test("a render with closed standard streams writes no text into its output")
  func closedStreamsDontReachTheOutput() throws {
    let result = try bash("\"$0\" render \"$1\" -o \"$2\" --json <&- >&- 2>&-")
    #expect(result.status == 6)
    #expect(try Product.run(["render", source, "-o", folder.file("whole.wav")]).status == 0)
    let files = try ["out.wav", "whole.wav"].map { try Data(contentsOf: folder.url($0)) }
    #expect(files[0] == files[1])
  }

  @Test("an empty TMPDIR lets standard input be kept in /var/tmp")
  func anEmptyTMPDIRIsNone() throws {
    var setting = RunningProduct.Setting()
    setting.isFed = true
    setting.environment["TMPDIR"] = ""
    let run = try RunningProduct(["render", "-", "-o", folder.file("out.wav")], setting)
    // More than a pipe holds: once it is taken, there is somewhere that it is kept.
    try run.feed(TestProgramme.wav(channels: 2, seconds: 5).prefix(1 << 20))
    let folder = "/proc/\(run.identifier)/fd"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let opened = names.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0)
    }
    let nameless = opened.filter { $0.hasSuffix(" (deleted)") }
    #expect(!nameless.isEmpty && nameless.allSatisfy { $0.hasPrefix("/var/tmp/") }, "\(opened)")
    run.send(SIGKILL)
    #expect(run.finish().status == 137)
  }
}
