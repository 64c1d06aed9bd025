// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// After each edit, a render with the cache of the queue before has the bytes of a full render.
@Suite(.tags(.system)) struct QueueEditScriptTests {
  /// The containers, each with the files of its output.
  private static let forms: [(form: RenderJob.Form, names: [String])] = [
    (.wav, ["out.wav"]), (.flac, ["out.flac"]),
    (.fragmentedMP4(.aac, bitRate: nil), ["out.mp4"]),
    (.hls(.flac, bitRate: nil), ["out.m3u8", "out.mp4"]),
  ]

  private static func files(_ test: QueueCase) throws -> QueueEditScript.Files {
    func wav(_ name: String, _ channels: Int, _ frames: Int, _ rate: Int, seed: UInt64) throws
      -> String
    { try test.write(name, QueueCase.noise(channels, frames, seed: seed), rate: rate) }
    let source = try wav("source.wav", 2, 20_000, 44_100, seed: 1)
    var files = QueueEditScript.Files()
    (files.flac, files.mp3) = (test.folder.file("a.flac"), test.folder.file("c.mp3"))
    try FixtureStore.ffmpeg(["-i", source, "-c:a", "flac", files.flac])
    try FixtureStore.ffmpeg(["-i", source, "-c:a", "libmp3lame", "-b:a", "128k", files.mp3])
    files.mono = try wav("b.wav", 1, 15_000, 48_000, seed: 2)
    files.twin = try wav("twin.wav", 1, 15_000, 48_000, seed: 2)
    files.slow = try wav("e.wav", 2, 12_000, 32_000, seed: 3)
    files.fresh = try wav("f.wav", 2, 9000, 48_000, seed: 4)
    files.surround = test.folder.file("d.wav")
    try WAVBytes.float32(QueueCase.noise(6, 8000, seed: 5), rate: 48_000, mask: 0x3F)
      .write(to: test.folder.url("d.wav"))
    return files
  }

  /// The bytes of all files of an output, and the number of items that came from the cache.
  private static func bytes(
    _ test: QueueCase, _ queue: PlayQueue, cache: String?, _ form: Int
  ) async throws -> (data: Data, reused: Int) {
    let (container, names) = forms[form]
    var job = test.job(.queue(queue), to: names[0])
    job.outputs[0].endpoint = .headphones
    job.loudness = .standard
    (job.form, job.encoding, job.overwrite) = (container, .pcm24, true)
    job.policy.segments = cache.map { SegmentPolicy(folder: $0) }
    let report = try await RenderPipeline().render(job)
    var data = Data()
    for name in names { data += try Data(contentsOf: test.folder.url(name)) }
    return (data, try #require(report.queue).items.count { $0.source?.reused == true })
  }

  /// The edits that are tried in a container: all in WAV, and every eighth one in each other container, which only
  /// stands behind what the edits change.
  private static func scripts(_ form: Int) -> [QueueEditScript] {
    guard form > 0, !Soak.isRunning else { return QueueEditScript.all }
    return stride(from: form, to: QueueEditScript.all.count, by: 8).map { QueueEditScript.all[$0] }
  }

  @Test(
    "an edited queue has the same bytes with the cache of the queue before and without one",
    .fullRunOnly, arguments: forms.indices)
  func editedQueuesHaveTheBytesOfAFullRender(form: Int) async throws {
    let test = try QueueCase()
    let files = try QueueEditScriptTests.files(test)
    let base = QueueEditScript.base(files)
    let warm = test.folder.file("warm")
    let first = try await QueueEditScriptTests.bytes(test, base, cache: warm, form)
    #expect(first.reused == 0)
    var different = 0
    let scripts = QueueEditScriptTests.scripts(form)
    for (number, script) in scripts.enumerated() {
      var queue = base
      script.edit(&queue, files)
      // Each edit begins with the cache of the queue before, and nothing else in it.
      let cache = test.folder.file("cache \(number)")
      try FileManager.default.copyItem(atPath: warm, toPath: cache)
      let full = try await QueueEditScriptTests.bytes(test, queue, cache: nil, form)
      let incremental = try await QueueEditScriptTests.bytes(test, queue, cache: cache, form)
      let isSame = incremental.data == full.data
      #expect(isSame, "\(script.name)")
      if let reused = script.reused { #expect(incremental.reused == reused, "\(script.name)") }
      if full.data != first.data { different += 1 }
    }
    // An edit that only changes chapters or tags changes no byte of WAV or of another container without them.
    #expect(different >= scripts.count - 4, "\(different) edits changed the output")
  }
}
