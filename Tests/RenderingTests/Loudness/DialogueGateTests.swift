// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Inspection
import TestSupport
import Testing

/// The loudness of dialogue by another meter: the speech that was found is cut out of the file by ffmpeg, and measured without a
/// relative gate.
@Suite(.enabled(if: SharedMedia.beside("dialogue/cases") != nil, "../shared/dialogue isn't here"))
struct DialogueGateTests {
  @Test(
    "speech cut out of a file measures as its dialogue",
    arguments: ["06-film-5.1", "07-narrator-lr-5.1", "05-over-music", "16-7.1.4", "17-two-levels"])
  func speechMeasuresAsDialogue(name: String) throws {
    let path = (SharedMedia.beside("dialogue/cases") ?? "") + "/" + name + ".flac"
    var measurer = MediaMeasurer()
    measurer.findsDialogue = true
    let measured = try measurer.measureAll(path: path)
    let wanted = try #require(measured.report.dialogue?.dialogueLoudness)
    let spans = measured.certainSpeech
    let cut = spans.enumerated().map { index, span in
      "[0:a]atrim=\(span.begin):\(span.end),asetpts=PTS-STARTPTS[p\(index)];"
    }.joined()
    let parts = spans.indices.map { "[p\($0)]" }.joined()
    let filter =
      cut + parts + "concat=n=\(spans.count):v=0:a=1,ebur128=metadata=1,"
      + "ametadata=print:key=lavfi.r128.M:file=-[o]"
    let peer = try Tool.run(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-i", path, "-filter_complex", filter, "-map", "[o]", "-f",
        "null", "-",
      ])
    let readings = String(decoding: peer.output, as: UTF8.self).split(separator: "\n").compactMap {
      $0.hasPrefix("lavfi.r128.M=") ? Double($0.dropFirst(13)) : nil
    }.dropFirst(3)
    let mean = readings.reduce(0) { $0 + pow(10, $1 / 10) } / Double(max(1, readings.count))
    // Steps of 100 ms count by fifths, and ffmpeg's filters begin anew nowhere.
    #expect(abs(10 * log10(mean) - wanted) < 0.3, "\(10 * log10(mean)) \(wanted)")
  }
}
