// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A second run of a batch renders only items that are missing or changed.
@Suite(.tags(.system), .fullRunOnly) struct BatchResumeTests {
  private let place: BatchFolder

  init() throws {
    place = try BatchFolder()
    for name in ["a.wav", "b.wav", "c.wav"] { try place.programme(name) }
  }

  @Test("a second run of a finished batch does nothing and changes no byte")
  func nothingIsDoneTwice() throws {
    #expect(try place.report().worked == ["a.wav", "b.wav", "c.wav"])
    let before = try place.content()
    let again = try place.report()
    #expect(again.status == 0 && again.worked.isEmpty && again.counts["cached"] == 3)
    #expect(try place.content() == before)
  }

  @Test("an input with a new name and the same bytes isn't rendered again")
  func anotherNameOfTheInputIsTakenOver() throws {
    let jobs = ["jobs:", "  - {id: one, input: in/a.wav, name: one.wav}"]
    let manifest = try place.manifest(jobs)
    #expect(try place.report(manifest).status == 0)
    try FileManager.default.moveItem(
      atPath: place.folder.file("in/a.wav"), toPath: place.folder.file("in/z.wav"))
    _ = try place.manifest(jobs.map { $0.replacing("a.wav", with: "z.wav") })
    #expect(try place.report(manifest).worked.isEmpty)
    let merged = try Product.run(["merge", manifest, "-O", place.folder.file("out")])
    #expect(merged.status == 0, "\(merged.errors)")
    let result = try #require(try place.content().first { $0.key.contains("items/one") }?.value)
    let text = String(decoding: result, as: UTF8.self)
    #expect(text.contains("z.wav") && !text.contains("a.wav"))
  }

  @Test(
    "a file with a new time isn't rendered again; changed bytes with the same time and size are")
  func timesOfFilesDontMatter() throws {
    #expect(try place.report().status == 0)
    _ = try place.bash("touch \"$1\"/in/*.wav \"$1\"/out/*.wav")
    #expect(try place.report().worked.isEmpty)
    // Other content does, even with the same time and size.
    let script = """
      cd "$1"; touch -r in/b.wav t; printf '\\001' | dd of=in/b.wav bs=1 seek=2000 conv=notrunc \
      status=none; touch -r t in/b.wav
      """
    #expect(try place.bash(script).status == 0)
    #expect(try place.report().worked == ["b.wav"])
  }

  @Test(
    "outputs that are missing or changed, and changed settings, are rendered again, and nothing else"
  )
  func changesAreDoneAgainAndNothingElse() throws {
    #expect(try place.report().status == 0)
    let whole = try place.content()
    try FileManager.default.removeItem(atPath: place.folder.file("out/a.wav"))
    #expect(try place.report().worked == ["a.wav"])
    try Data("tampered".utf8).write(to: place.folder.url("out/b.wav"))
    #expect(try place.report().worked == ["b.wav"])
    #expect(try place.content() == whole)
    #expect(try place.report(nil, ["-l", "-20"]).worked.count == 3)
    #expect(try place.report(nil, ["-l", "-20", "--max-memory", "3M", "-j", "1"]).worked.isEmpty)
    // Equal settings count as the same, however they are written.
    #expect(try place.report(nil, ["--loudness=-20", "--endpoint=headphones"]).worked.isEmpty)
    try Data("{".utf8).write(
      to: place.folder.url("out/" + (try #require(whole.keys.first { $0.contains("items/c.wav") })))
    )
    let lost = try place.report(nil, ["-l", "-20"])
    // Without the item's result it isn't known who wrote that output, so it isn't replaced.
    #expect(lost.code("c.wav") == 6 && lost.message("c.wav").contains("-y"), "\(lost.errors)")
    #expect(try place.report(nil, ["-l", "-20", "-y"]).worked == ["c.wav"])
  }

  @Test("a log of head poses with a new name and the same poses lets nothing be rendered again")
  func anotherNameOfTheLogIsTakenOver() throws {
    let log = (old: place.folder.url("walk.csv"), new: place.folder.url("again.csv"))
    try Data("time,yaw,pitch,roll\n0,0,0,0\n1,40,0,0\n".utf8).write(to: log.old)
    #expect(try place.report(nil, ["--trajectory", log.old.path]).worked.count == 3)
    try FileManager.default.moveItem(at: log.old, to: log.new)
    #expect(try place.report(nil, ["--trajectory", log.new.path]).worked.isEmpty)
    try Data("time,yaw,pitch,roll\n0,0,0,0\n1,41,0,0\n".utf8).write(to: log.new)
    #expect(try place.report(nil, ["--trajectory", log.new.path]).worked.count == 3)
  }

  /// The set that libmysofa installs.
  private static let installedSet = URL(fileURLWithPath: "/usr/share/libmysofa/default.sofa")
  private static let hasSet = FileManager.default.fileExists(atPath: installedSet.path)

  @Test(
    "a changed SOFA file lets all items be rendered again",
    .enabled(if: hasSet, "libmysofa's set is not installed")) func sideFilesCount() throws
  {
    var set = try Data(contentsOf: BatchResumeTests.installedSet)
    let own = place.folder.url("set.sofa")
    try set.write(to: own)
    let options = ["--hrtf", own.path]
    #expect(try place.report(nil, options).status == 0)
    #expect(try place.report(nil, options).worked.isEmpty)
    set.append(0)
    try set.write(to: own)
    #expect(try place.report(nil, options).worked.count == 3)
  }

  /// The taps that a queue's items pass belong to its content.
  @Test("a changed equaliser of a queue's item lets the queue be rendered again")
  func filesOfTapsCount() throws {
    let batch = try BatchFolder()
    try batch.programme("a.wav")
    let equaliser = batch.folder.url("in/e.txt")
    try Data("Preamp: -3 dB\nFilter: ON PK Fc 1000 Hz Gain 1 dB Q 1\n".utf8).write(to: equaliser)
    try Data(
      "schema: pinna.queue/1\nitems:\n  - {file: a.wav, tap: 'item:eq=e.txt'}\n".utf8
    ).write(to: batch.folder.url("in/q.yaml"))
    try Data("\(batch.folder.file("in/q.yaml"))\n".utf8).write(to: batch.folder.url("list.txt"))
    func run() throws -> String {
      let result = try Product.run([
        "batch", "--input-list", batch.folder.file("list.txt"), "-O", batch.folder.file("out"),
        "-e", "none", "-l", "off",
      ])
      #expect(result.status == 0, "\(result.errors)")
      return String(decoding: result.output, as: UTF8.self) + result.errors
    }
    _ = try run()
    #expect(try run().contains("done before"))
    try Data("Preamp: -9 dB\nFilter: ON PK Fc 1000 Hz Gain 1 dB Q 1\n".utf8).write(to: equaliser)
    #expect(try !run().contains("done before"))
  }

  @Test("a changed preset lets all items be rendered again")
  func presetsCountByWhatTheySay() throws {
    let preset = place.folder.url("p.yaml")
    try Data("loudness: -20\n".utf8).write(to: preset)
    let options = ["--preset", preset.path]
    #expect(try place.report(nil, options).status == 0)
    #expect(try place.report(nil, options).worked.isEmpty)
    try Data("loudness: -21\n".utf8).write(to: preset)
    #expect(try place.report(nil, options).worked.count == 3)
  }

  @Test("an item that failed is tried again in each run until its input is readable")
  func failuresAreTriedAgain() throws {
    try Data("no media".utf8).write(to: place.folder.url("in/b.wav"))
    let first = try place.report()
    #expect(first.status == 10 && first.code("b.wav") == 3)
    #expect(try place.report().worked == ["b.wav"])
    try place.programme("b.wav")
    let last = try place.report()
    #expect(last.status == 0 && last.worked == ["b.wav"], "\(last.errors)")
  }

  @Test("a file that the batch didn't write is replaced only with -y")
  func strangersAreNotReplaced() throws {
    try FileManager.default.createDirectory(
      atPath: place.folder.file("out"), withIntermediateDirectories: false)
    try Data("precious".utf8).write(to: place.folder.url("out/a.wav"))
    let outcome = try place.report()
    #expect(outcome.status == 10 && outcome.code("a.wav") == 6, "\(outcome.errors)")
    #expect(try place.content()["a.wav"] == Data("precious".utf8))
    #expect(try place.report(nil, ["-y"]).worked == ["a.wav"])
    #expect(try place.report().worked.isEmpty)
  }

  @Test("the old output of an item that fails now stays and is named as stale")
  func anOldOutputOfAFailedItemIsNamed() throws {
    #expect(try place.report().status == 0)
    try Data("no media".utf8).write(to: place.folder.url("in/a.wav"))
    #expect(try place.report().code("a.wav") == 3)
    let content = try place.content()
    #expect(content["a.wav"] != nil)
    let result = try #require(content.first { $0.key.contains("items/a.wav") }?.value)
    #expect(String(decoding: result, as: UTF8.self).contains("\"stale\":[\"a.wav\"]"))
    try place.programme("a.wav")
    #expect(try place.report().status == 0)
  }

  @Test("a second batch in the same folder ends with exit code 75")
  func twoBatchesDontMeet() throws {
    let script = """
      mkdir -p "$1/out/.pinna"; exec 9> "$1/out/.pinna/lock"; flock 9
      exec "$0" batch "$1/in" -O "$1/out"
      """
    let result = try place.bash(script)
    #expect(result.status == 75 && result.errors.contains("another batch"), "\(result.errors)")
  }
}
