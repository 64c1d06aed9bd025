// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `pinna queue show` tells where items lie, as `pinna render` places them.
@Suite(.tags(.system), .fullRunOnly) struct QueueShowTests {
  private let place: QueueFolder

  init() throws { place = try QueueFolder() }

  @Test("queue show states the place, length, gain and fades of each item in samples")
  func everyItemHasItsPlaceToTheSample() async throws {
    let queue = try place.queue(
      "q.yaml",
      [
        "file: a.wav, title: One, fade-in: 0.5s", "file: b.wav, start: 0.25s, gain: -1.5 dB",
        "silence: 1.5s", "file: c.wav, crossfade: 0.5s",
      ])
    let items = try await place.items(queue)
    // 44.1 kHz, because most samples have it; 0.75 s of b.wav are 33,075 samples there.
    #expect(items.map { $0["start"] as? Int } == [0, 88_200, 121_275, 165_375])
    #expect(items.map { $0["samples"] as? Int } == [88_200, 33_075, 66_150, 88_200])
    #expect(items[1]["gainDB"] as? Double == -1.5 && items[0]["fadeIn"] as? Int == 22_050)
    #expect(items[3]["crossfade"] as? Int == 22_050)
    let text = String(
      decoding: try Product.run(["queue", "show", queue]).output, as: UTF8.self)
    for words in [
      "48000  stereo", "b.wav 00:00:00.250–00:00:01.000", "-1.50 dB", "crossfade 0.500 s",
      "silence",
      "programme  00:00:05.750 (253575 samples) at 44100 Hz", "One",
    ] {
      #expect(text.contains(words), "\(words): \(text)")
    }
  }

  @Test("render reports the same places as queue show")
  func renderPlacesItemsAsShown() async throws {
    let queue = try place.queue("q.yaml", ["file: b.wav", "file: a.wav, gap: 0.1s", "file: c.wav"])
    let shown = try await place.json(["show", queue])["queue"] as? NSDictionary
    let rendered = try Product.run([
      "render", queue, "-o", place.folder.file("out.wav"), "-e", "none", "--json", "-q",
    ])
    let report = try JSONSerialization.jsonObject(with: rendered.output) as? [String: Any]
    #expect(shown != nil && shown == report?["queue"] as? NSDictionary)
  }

  @Test(
    "--rate, --gap and --crossfade change the places of items; a gap with a crossfade is refused")
  func optionsChangeRateAndJoins() async throws {
    let queue = try place.queue("q.yaml", ["file: a.wav", "file: c.wav"])
    #expect(try await place.items(queue, ["--rate", "48000"])[1]["start"] as? Int == 96_000)
    #expect(try await place.items(queue, ["--gap", "1s"])[1]["start"] as? Int == 132_300)
    #expect(try await place.items(queue, ["--crossfade", "0.5s"])[1]["start"] as? Int == 66_150)
    let refused = try await place.refusal(["show", queue, "--rate", "12"], status: 2)
    #expect(refused.contains("8000"))
    let both = ["show", queue, "--gap", "1s", "--crossfade", "0.5s"]
    #expect(try await place.refusal(both, status: 2).contains("--crossfade and --gap"))
  }

  @Test("queue show of a cue sheet counts or drops its gaps")
  func cueSheetsAreShown() async throws {
    let sheet = """
      FILE "a.wav" WAVE
        TRACK 01 AUDIO
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          PREGAP 00:01:00
          INDEX 01 00:01:00
      """
    try Data(sheet.utf8).write(to: place.folder.url("a.cue"))
    let cue = place.folder.file("a.cue")
    let append = try await place.items(cue)
    #expect(append.last?["start"] as? Int == 88_200)
    let drop = try await place.items(cue, ["--cue-gaps", "drop"])
    #expect(drop.last?["start"] as? Int == 44_100 && drop.last?["line"] as? Int == 4)
  }

  @Test("queue show refuses media, missing files and parts beyond a file's end")
  func whatIsNoQueueIsRefused() async throws {
    let missing = place.folder.file("none.yaml")
    #expect(try await place.refusal(["show", missing], status: 3).contains("none.yaml"))
    let media = try await place.refusal(["show", place.folder.file("a.wav")], status: 3)
    #expect(media.contains("neither a queue nor a list"))
    let gone = try place.queue("gone.yaml", ["file: a.wav", "file: gone.wav"])
    let refusal = try await place.refusal(["show", gone], status: 3)
    #expect(refusal.contains("item 2") && refusal.contains("gone.wav"))
    let long = try place.queue("long.yaml", ["file: b.wav, end: 3s"])
    #expect(try await place.refusal(["show", long], status: 2).contains("48000 samples"))
  }
}
