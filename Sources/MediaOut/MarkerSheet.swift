// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The markers of one output as texts that lie beside it.
package struct MarkerSheet: Sendable {
  /// Tracks that a cue sheet can hold.
  package static let cueLimit = 99

  /// Markers in the order in which they begin.
  package let markers: [ProgrammeMarker]
  /// Length of the output.
  package let length: MediaTime
  /// Name of the output's file.
  package let fileName: String

  /// A sheet for an output of `length` in the file `path`; only the last part of the path is used.
  package init(_ markers: [ProgrammeMarker], length: MediaTime, path: String) {
    self.markers = markers
    self.length = length
    fileName = PathParts.of(path).last ?? path
  }

  /// A cue sheet with the first ``cueLimit`` markers as tracks, in the 75 frames a second of a CD. If the first
  /// marker isn't at zero, the time before it is the gap of track 1.
  package var cueSheet: String {
    var lines = ["FILE \"\(MarkerSheet.cueText(fileName))\" WAVE"]
    for (index, marker) in markers.prefix(MarkerSheet.cueLimit).enumerated() {
      let frames = max(0, MediaTime.rescale(marker.time.ticks, by: 75, over: marker.time.rate))
      lines.append("  TRACK \((index + 1).padded(2)) AUDIO")
      let title = MarkerSheet.cueText(marker.title)
      if !title.isEmpty { lines.append("    TITLE \"\(title)\"") }
      if index == 0, frames > 0 { lines.append("    INDEX 00 00:00:00") }
      lines.append("    INDEX 01 \(MarkerSheet.discTime(frames))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// JSON chapters of podcasts (Podcasting 2.0, version 1.2.0), in seconds to a millionth.
  package var podcastChapters: String {
    let chapters = markers.map { marker in
      "    { \"startTime\": \(MarkerSheet.seconds(marker.time)), \"title\": \(MarkerSheet.json(marker.title)) }"
    }
    return [
      "{", "  \"version\": \"1.2.0\",", "  \"fileName\": \(MarkerSheet.json(fileName)),",
      "  \"chapters\": [\(chapters.isEmpty ? "" : "\n" + chapters.joined(separator: ",\n") + "\n  ")]",
      "}", "",
    ].joined(separator: "\n")
  }

  /// JSON chapters of HLS (Apple, "Providing JavaScript Object Notation (JSON) chapters"), in seconds to a millionth;
  /// `language` is that of the titles, a tag of BCP 47, empty when unknown.
  package func hlsChapters(language: String) -> String {
    let tag = MarkerSheet.json(language.isEmpty ? "und" : language)
    let chapters = markers.indices.map { index in
      let marker = markers[index]
      let duration = end(of: index) + -marker.time
      return "  { \"chapter\": \(index + 1), \"start-time\": \(MarkerSheet.seconds(marker.time)), "
        + "\"duration\": \(MarkerSheet.seconds(duration)), "
        + "\"titles\": [{ \"language\": \(tag), \"title\": \(MarkerSheet.json(marker.title)) }] }"
    }
    return "[\n" + chapters.joined(separator: ",\n") + "\n]\n"
  }

  /// Labels for Audacity: begin and end in seconds to a millionth, and title, with tabs between them.
  package var labels: String {
    markers.indices.map { index in
      let title = markers[index].title.map { $0 == "\t" || $0.isNewline ? " " : $0 }
      return MarkerSheet.seconds(markers[index].time) + "\t" + MarkerSheet.seconds(end(of: index))
        + "\t" + String(title) + "\n"
    }.joined()
  }

  /// When a marker's part ends: where the next one begins, or with the output.
  private func end(of index: Int) -> MediaTime {
    let next = index + 1 < markers.count ? markers[index + 1].time : length
    return max(next, markers[index].time)
  }

  /// Minutes, seconds and 75ths of a second; minutes may pass 99.
  private static func discTime(_ frames: Int64) -> String {
    [frames / 4500, frames / 75 % 60, frames % 75].map { $0.padded(2) }.joined(separator: ":")
  }

  /// Seconds with six digits behind the point, rounded to nearest; not below zero.
  private static func seconds(_ time: MediaTime) -> String {
    max(0, MediaTime.rescale(time.ticks, by: 1_000_000, over: time.rate)).decimal(6)
  }

  /// Text between the quotes of a cue sheet, which knows no escape for quotes and line ends.
  private static func cueText(_ text: String) -> String {
    let plain = String(text.map { $0.isNewline ? " " : $0 })
    // Scalars are compared, because a quotation mark with a combining accent is another character.
    return String(String.UnicodeScalarView(plain.unicodeScalars.map { $0 == "\"" ? "'" : $0 }))
  }

  /// A string of JSON with its quotes.
  private static func json(_ text: String) -> String {
    JSONText.quoted(text) { $0 == "\n" ? "\\n" : JSONText.controlEscape($0) }
  }
}
