// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import Rendering
import TestSupport
import Testing

/// Start-up samples of the sections of one programme.
@Suite(.tags(.system), .fullRunOnly) struct SectionStartTests {
  /// An edit list from the first sample on says nothing: the first section loses the codec's start-up samples, and a later
  /// one, which goes on in mid-stream, loses nothing.
  @Test(arguments: [(true, 256), (false, 0)] as [(Bool, Int64)])
  func laterSectionsLoseNoSound(isFirst: Bool, priming: Int64) throws {
    let folder = try TemporaryFolder()
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "sine=f=300:r=48000:d=1", "-c:a", "eac3", folder.file("a.eac3"),
    ])
    try FixtureStore.ffmpeg(["-i", folder.file("a.eac3"), "-c", "copy", folder.file("a.mp4")])
    let section = try TrackSection(
      media: MediaFile(path: folder.file("a.mp4")), decoding: InputOptions(),
      priming: .automatic, gaps: .fill, isFirst: isFirst, log: DiagnosticLog())
    #expect(section.trimmed.summary.plan.priming == priming)
  }
}
