// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `pinna queue pin` keeps the gain of a render.
@Suite(.tags(.system), .fullRunOnly) struct QueuePinTests {
  private let place: QueueFolder
  private let queue: String
  private let report: String

  init() throws {
    place = try QueueFolder()
    queue = try place.queue("q.yaml", ["file: a.wav", "silence: 0.5s", "file: c.wav"])
    report = place.folder.file("report.json")
  }

  @discardableResult
  private func render(_ queue: String, _ output: String, _ extra: [String] = []) throws -> Data {
    let result = try Product.run(
      [
        "render", queue, "-o", place.folder.file(output), "-e", "none", "-y", "-q", "--report",
        report,
      ]
        + extra)
    #expect(result.status == 0, "\(result.errors)")
    return try Data(contentsOf: place.folder.url(output))
  }

  @Test("a queue with a pinned gain renders the same bytes")
  func aPinnedGainGivesTheSameSamples() throws {
    let before = try render(queue, "out.wav")
    let result = try Product.run(["queue", "pin", queue, "--from", report])
    #expect(result.status == 0 && result.errors.contains("pinned"), "\(result.errors)")
    #expect(try place.text("q.yaml").contains("\ngain: "))
    #expect(try render(queue, "out.wav") == before)
  }

  @Test("queue pin refuses a report of another queue, of no queue or without a gain")
  func aReportOfAnotherQueueIsRefused() async throws {
    try render(queue, "out.wav")
    let text = try place.text("q.yaml")
    for items in [["file: a.wav"], ["file: a.wav", "silence: 0.5s", "file: b.wav"]] {
      let other = try place.queue("other.yaml", items)
      let refusal = try await place.refusal(["pin", other, "--from", report], status: 2)
      #expect(refusal.contains("another queue"))
    }
    try render(place.folder.file("a.wav"), "one.wav")
    #expect(
      try await place.refusal(["pin", queue, "--from", report], status: 2).contains(
        "isn't about a queue")
    )
    try render(queue, "out.wav", ["-l", "off"])
    #expect(
      try await place.refusal(["pin", queue, "--from", report], status: 2).contains("no gain"))
    let missing = place.folder.file("no.json")
    #expect(
      try await place.refusal(["pin", queue, "--from", missing], status: 3).contains("no.json"))
    #expect(try place.text("q.yaml") == text)
  }
}
