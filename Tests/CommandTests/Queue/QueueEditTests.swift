// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `pinna queue edit`, `convert` and `pin` write what they mean, or nothing.
@Suite(.tags(.system), .fullRunOnly) struct QueueEditTests {
  private let place: QueueFolder
  private let queue: String

  init() throws {
    place = try QueueFolder()
    queue = try place.queue("q.yaml", ["file: a.wav, title: One", "file: b.wav", "silence: 1s"])
  }

  private func edit(_ arguments: [String]) async throws -> Tool.Result {
    let result = try await InProcess.run(["queue", "edit", queue] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    return result
  }

  private var sources: [String] {
    get throws {
      try place.text("q.yaml").split(separator: "\n").compactMap { line in
        let text = line.drop { " -".contains($0) }
        return text.hasPrefix("file:") || text.hasPrefix("silence:") ? String(text) : nil
      }
    }
  }

  @Test("edits of a queue are made in the order of the command line")
  func editsAreMadeInTheOrderGiven() async throws {
    let new = place.folder.file("c.wav")
    #expect(
      try await edit([
        "--remove", "1", "--insert", "1=\(new)", "--move", "3:1", "--set", "2.gain=-2dB",
        "--insert", "1=silence:0.5s",
      ]).errors.isEmpty)
    #expect(
      try sources == ["silence: 0.5s", "silence: 1s", "file: \"c.wav\"", "file: \"b.wav\""])
    #expect(try place.text("q.yaml").contains("gain: -2.0 dB"))
    // The other way round, the item that is removed is the one inserted.
    _ = try await edit(["--insert", "1=\(new)", "--remove", "1"])
    #expect(try sources.first == "silence: 0.5s")
  }

  @Test("--set N.tap sets a tap, and a wrong tap is refused")
  func tapsAreSetAndChecked() async throws {
    try Data("Preamp: -3 dB\n".utf8).write(to: place.folder.url("e.txt"))
    _ = try await edit(["--set", "2.tap=item:eq=\(place.folder.file("e.txt"))"])
    #expect(try place.text("q.yaml").contains("      - \"item:eq=e.txt\""))
    for (text, words) in [
      ("foo", "POINT:KIND"), ("post:eq=\(place.folder.file("e.txt"))", "at the point item only"),
      ("item:eq=\(place.folder.file("no.txt"))", "doesn't exist"),
    ] {
      let result = try await InProcess.run(["queue", "edit", queue, "--set", "1.tap=\(text)"])
      #expect(result.status != 0 && result.errors.contains(words), "\(result.errors)")
    }
    _ = try await edit(["--set", "2.tap="])
    #expect(try !place.text("q.yaml").contains("tap"))
  }

  @Test("--replace keeps the item's title and takes the new part")
  func aReplacedSourceKeepsWhatIsSaidOfTheItem() async throws {
    _ = try await edit(["--replace", "1=\(place.folder.file("c.wav"))#t=0.5s,1s"])
    let text = try place.text("q.yaml")
    #expect(text.contains("title: \"One\"") && text.contains("start: 0.5s"))
    #expect(try await place.items(queue, ["--rate", "44100"])[0]["samples"] as? Int == 22_050)
  }

  @Test("an edit that loses comments of the file reports the loss once")
  func lostCommentsAreTold() async throws {
    try Data("# mine\nschema: pinna.queue/1\nitems:\n  - file: a.wav\n".utf8)
      .write(to: place.folder.url("q.yaml"))
    let errors = try await edit(["--set", "1.title=New # 1"]).errors
    #expect(errors.contains("comments") && errors.split(separator: "\n").count == 1)
    #expect(try await edit(["--set", "1.title=Don't"]).errors.isEmpty)
    #expect(try await edit(["--set", "1.title=Newer"]).errors.isEmpty)
  }

  @Test("a wrong edit is refused and changes no file")
  func refusedEditsLeaveTheFileAlone() async throws {
    let before = try place.text("q.yaml")
    let files = place.folder.contents
    let outside = try QueueFolder().folder.file("a.wav")
    for (arguments, status, words) in [
      ([], 2, "nothing to do"), (["--remove", "4"], 2, "the queue has 3"),
      (["--remove", "one"], 2, "--remove one"), (["--move", "1"], 2, "--move 4:1"),
      (["--insert", "2"], 2, "--insert 2"), (["--set", "1.volume=2"], 2, "volume"),
      (["--insert", "1=\(place.folder.file("no.wav"))"], 3, "no.wav"),
      (["--insert", "1=\(outside)"], 3, "a.wav"),
      (["--set", "1.gain=-2dB", "--remove", "0"], 2, "0"),
      (["--remove", "1", "-o", place.folder.file("x.cue")], 2, ".yaml"),
      (["--remove", "1", "-o", place.folder.file("a.wav")], 2, ".yaml"),
    ] as [([String], Int32, String)] {
      let refusal = try await place.refusal(["edit", queue] + arguments, status: status)
      #expect(refusal.contains(words), "\(refusal)")
    }
    #expect(try place.text("q.yaml") == before && place.folder.contents == files)
  }

  @Test("a playlist or a JSON queue isn't edited; a converted one is")
  func onlyQueueFilesAreEdited() async throws {
    try Data("a.wav\nb.wav\n".utf8).write(to: place.folder.url("l.m3u"))
    let list = place.folder.file("l.m3u")
    let refusal = try await place.refusal(["edit", list, "--remove", "1"], status: 2)
    #expect(refusal.contains("pinna queue convert"))
    let json = "{\"schema\": \"pinna.queue/1\", \"items\": [{\"file\": \"a.wav\"}]}"
    try Data(json.utf8).write(to: place.folder.url("q.json"))
    let own = place.folder.file("q.json")
    #expect(
      try await place.refusal(["edit", own, "--set", "1.gain=1"], status: 2).contains("JSON"))
    let other = place.folder.file("other.yaml")
    #expect(try await InProcess.run(["queue", "convert", list, "-o", other]).status == 0)
    #expect(try await InProcess.run(["queue", "edit", other, "--remove", "1"]).status == 0)
    #expect(try await place.items(other).count == 1)
  }

  @Test(
    "a queue that is converted to another format shows the same items",
    arguments: ["yaml", "otio", "cue", "m3u8", "m3u", "xspf", "pls"])
  func convertedQueuesHaveTheSameItems(_ suffix: String) async throws {
    let plain = try place.queue("plain.yaml", ["file: a.wav", "file: b.wav", "file: c.wav"])
    let output = place.folder.file("out." + suffix)
    let result = try await InProcess.run(["queue", "convert", plain, "-o", output])
    #expect(result.status == 0 && result.output.isEmpty, "\(result.errors)")
    let rows = try await place.rows(plain)
    let converted = try await place.rows(output)
    #expect(rows.count == 3 && converted == rows)
    let again = try await place.refusal(["convert", plain, "-o", output], status: 6)
    #expect(again.contains("-y"))
    #expect(try await InProcess.run(["queue", "convert", plain, "-o", output, "-y"]).status == 0)
  }

  @Test("a conversion that would lose a fade or a path is refused")
  func whatAFormatCantHoldIsRefused() async throws {
    let faded = try place.queue("f.yaml", ["file: a.wav", "file: b.wav, fade-in: 1s"])
    let files = place.folder.contents
    let refusal = try await place.refusal(
      ["convert", faded, "-o", place.folder.file("f.m3u8")], status: 2)
    #expect(refusal.contains("item 2") && refusal.contains("fade-in"))
    let inner = place.folder.url("inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let outside = try await place.refusal(
      ["convert", faded, "-o", inner.path + "/f.yaml"], status: 2)
    #expect(outside.contains("a.wav") && outside.contains("outside"))
    #expect(
      try await place.refusal(["convert", faded, "-o", place.folder.file("f.txt")], status: 2)
        .contains(".yaml"))
    #expect(
      try await place.refusal(["convert", faded, "-o", faded, "-y"], status: 6).contains("input"))
    #expect(place.folder.contents == (files + ["inner"]).sorted())
  }

  @Test("paths in a converted queue are relative to the new file's folder")
  func pathsFollowTheOutputsFolder() async throws {
    let inner = place.folder.url("inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: place.folder.url("a.wav"), to: inner.appendingPathComponent("a.wav"))
    try place.queue("inner/q.yaml", ["file: a.wav"])
    let output = place.folder.file("outer.yaml")
    #expect(
      try await InProcess.run(["queue", "convert", inner.path + "/q.yaml", "-o", output]).status
        == 0)
    #expect(try place.text("outer.yaml").contains("file: \"inner/a.wav\""))
  }
}
