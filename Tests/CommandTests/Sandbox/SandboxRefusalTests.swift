// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import TestSupport
import Testing

/// The limits of a render in the sandbox, and how it reports them.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: Sandbox.possible.landlock > 0, "this kernel has no Landlock"))
struct SandboxRefusalTests {
  private func report(_ result: Tool.Result) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
  }

  @Test("a playlist's file outside of the sandbox is refused with --sandbox-read as the remedy")
  func aFileOutsideIsNamedTogetherWithTheSandbox() throws {
    let job = try SandboxedJob()
    try TestProgramme.wav(channels: 2, seconds: 0.3).write(to: job.folder.url("side/far.wav"))
    try FileManager.default.createSymbolicLink(
      atPath: job.folder.file("in/far.wav"), withDestinationPath: job.folder.file("side/far.wav"))
    try Data("in.wav\nfar.wav\n".utf8).write(to: job.folder.url("in/list.m3u"))
    let list = job.folder.file("in/list.m3u")
    let refused = try job.run("kept", "o.wav", of: list, ["--sandbox"])
    #expect(refused.status == 3)
    #expect(refused.errors.contains("in/far.wav"))
    #expect(refused.errors.contains("the sandbox doesn't let it be read"))
    #expect(refused.errors.contains("--sandbox-read"))
    #expect(try job.content("kept").isEmpty)
    #expect(job.leftFolders.isEmpty)
    let more = ["--sandbox", "--sandbox-read", job.folder.file("side")]
    #expect(try job.run("kept", "o.wav", of: list, more).status == 0)
    #expect(try job.run("plain", "o.wav", of: list).status == 0)
    #expect(try job.content("kept") == job.content("plain"))
  }

  /// The program of a tap stands for an attacker: it fails where it gets at what it mustn't.
  @Test(
    "a tap's program in the sandbox reads, writes and reaches nothing outside",
    arguments: [
      "cat SECRET", "ls SIDE", "echo x > SIDE/new", "rm SECRET", "chmod 777 SECRET",
      "python3 -c 'import socket; socket.socket()'", "cat /etc/passwd", "kill -0 PARENT",
      "cat /proc/PARENT/environ", "head -c 1 /proc/kcore",
    ]) func aProgramOfTheUsersCanNotGetOut(attack: String) throws
  {
    var job = try SandboxedJob()
    try Data("secret".utf8).write(to: job.folder.url("side/secret"))
    let words = attack.replacing("SECRET", with: job.folder.file("side/secret"))
      .replacing("SIDE", with: job.folder.file("side"))
      .replacing("PARENT", with: "\(getpid())")
    job.arguments = [
      "--tap-exec", "post", "--", "sh", "-c", "if \(words) >/dev/null 2>&1; then exit 9; fi; cat",
    ]
    let kept = try job.run("kept", "o.wav", ["--sandbox"])
    #expect(kept.status == 0, "\(kept.errors)")
    #expect(try String(contentsOf: job.folder.url("side/secret"), encoding: .utf8) == "secret")
    // Reading, at least, is what the program can do without the sandbox.
    let isOpen = ["cat", "ls", "kill"].contains { attack.hasPrefix($0) }
    // The confinement of taps closes it as well.
    guard isOpen, !attack.contains("environ") else { return }
    #expect(try job.run("plain", "o.wav").status == 5)
  }

  @Test(
    "a tap's script outside runs in the sandbox; a program that the script calls elsewhere doesn't")
  func aProgramElsewhereRunsAndItsInterpreterIsTheSystems() throws {
    var job = try SandboxedJob()
    let script = job.folder.file("side/tap.sh")
    try Data("#!/bin/sh\nexec cat\n".utf8).write(to: URL(fileURLWithPath: script))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    job.arguments = ["--tap-exec", "post", "--", script]
    #expect(try job.differences("o.wav") == [])
    // The program that it calls lies outside.
    try FileManager.default.copyItem(atPath: "/bin/cat", toPath: job.folder.file("in/own-cat"))
    try Data("#!/bin/sh\nexec \(job.folder.file("in/own-cat"))\n".utf8)
      .write(to: URL(fileURLWithPath: script))
    let refused = try job.run("kept", "refused.wav", ["--sandbox"])
    #expect(refused.status == 5)
    #expect(refused.errors.contains("Permission denied"))
  }

  @Test(
    "only an input that is a URL opens the sandbox's network",
    .enabled(if: LoopbackServer.isPresent, "python3 is not here"))
  func onlyAWebAddressOpensTheNetwork() throws {
    let job = try SandboxedJob()
    let server = try LoopbackServer(folder: job.folder.file("in"))
    let given = try job.run("kept", "o.wav", of: server.base + "in.wav", ["--sandbox", "--json"])
    #expect(given.status == 0, "\(given.errors)")
    let sandbox = try report(given)["sandbox"] as? [String: Any]
    #expect(sandbox?["network"] as? Bool == true)
    let count = server.requests.count
    #expect(count > 0)
    try Data(
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(server.base)in.ts\n#EXT-X-ENDLIST\n".utf8
    ).write(to: job.folder.url("in/list.m3u8"))
    let listed = try job.run("kept", "l.wav", of: job.folder.file("in/list.m3u8"), ["--sandbox"])
    #expect(listed.status == 3)
    #expect(listed.errors.contains("the sandbox has no network"))
    #expect(server.requests.count == count)
  }

  @Test("the report of a render in the sandbox names what the kernel held")
  func theReportSaysWhatWasHeld() throws {
    let job = try SandboxedJob()
    let kept = try report(try job.run("kept", "o.wav", ["--sandbox", "--json"]))
    let sandbox = try #require(kept["sandbox"] as? [String: Any])
    #expect(sandbox["landlock"] as? Int == Sandbox.possible.landlock)
    #expect(sandbox["held"] as? [String] == Sandbox.possible.held)
    #expect(sandbox["network"] as? Bool == false)
    #expect(try report(try job.run("plain", "o.wav", ["--json"]))["sandbox"] == nil)
  }

  /// A failure is told by the report, too, and leaves nothing.
  @Test("a broken or missing input in the sandbox ends with 3 and leaves nothing")
  func anInputThatFailsLeavesNothing() throws {
    let job = try SandboxedJob()
    try Data("rubbish".utf8).write(to: job.folder.url("in/bad.wav"))
    for name in ["bad.wav", "missing.wav"] {
      let result = try job.run("kept", "o.wav", of: job.folder.file("in/\(name)"), ["--sandbox"])
      #expect(result.status == 3)
      #expect(try job.content("kept").isEmpty)
      #expect(job.leftFolders.isEmpty)
    }
  }

  @Test("PINNA_SANDBOX of another process doesn't switch the sandbox off")
  func theMarkOfAnotherProcessDoesNotCount() throws {
    var job = try SandboxedJob()
    job.environment = ["PINNA_SANDBOX": "1 7 1 0 -1"]
    let result = try job.run("kept", "o.wav", ["--sandbox", "--json"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try report(result)["sandbox"] != nil)
    #expect(try report(try job.run("plain", "o.wav", ["--json"]))["sandbox"] == nil)
  }

  /// A filter of system calls stands for a kernel without Landlock.
  @Test("a kernel without Landlock is reported in one line, and the job runs")
  func aKernelWithoutLandlockIsToldOnce() throws {
    let job = try SandboxedJob()
    let script = """
      import ctypes, os, struct, sys
      libc = ctypes.CDLL(None)
      lines = [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x50000 | 38), (0x06, 0, 0, 0x7fff0000)]
      code = b"".join(struct.pack("HBBI", *line) for line in lines)
      room = ctypes.create_string_buffer(code)
      class Program(ctypes.Structure): _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
      program = Program(len(lines), ctypes.addressof(room))
      assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.byref(program)) == 0
      os.execv(sys.argv[1], sys.argv[1:])
      """
    let result = try Tool.run(
      "python3",
      [
        "-c", script, Product.path, "render", job.folder.file("in/in.wav"), "-o",
        job.folder.file("kept/o.wav"), "--sandbox", "--json",
      ], environment: ["TMPDIR": job.folder.file("tmp")])
    #expect(result.status == 0, "\(result.errors)")
    let told = result.errors.split(separator: "\n").filter { $0.contains("no Landlock") }
    #expect(told.count == 1, "\(result.errors)")
    let sandbox = try report(result)["sandbox"] as? [String: Any]
    #expect(sandbox?["landlock"] as? Int == 0)
    #expect(sandbox?["held"] as? [String] == ["calls"])
  }

  @Test("pinna doctor names the version of Landlock")
  func doctorSaysWhatHolds() throws {
    let text = String(decoding: try Product.run(["doctor"]).output, as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.contains("  sandbox ") }
    #expect(line?.contains("Landlock \(Sandbox.possible.landlock)") == true, "\(text)")
  }
}
