// SPDX-License-Identifier: Apache-2.0
import LibAV
import MediaOut

@testable import MediaIn

/// The first byte chooses a codec. Each line of the rest is a packet: a time and a length in milliseconds, each a
/// character of which its number counts, and the text. Cues are written as WebVTT, in which no text ends a cue.
/// The rest is read as a file of WebVTT, too.
func fuzzSubtitles(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let codec = ["ass", "subrip", "mov_text", "webvtt"][Int(choice & 3)]
  var list = CueList(codec: codec)
  var begin: Int64 = 0
  for line in bytes.dropFirst().split(separator: 0x0A) {
    let text = String(decoding: line.dropFirst(2), as: UTF8.self)
    begin += Int64(line.first ?? 0) * 10
    let length = Int64(line.dropFirst().first ?? 0)
    list.add(
      [SubtitleEvent(text: text), SubtitleEvent(text: text)], begin: begin,
      end: length == 0x2D ? nil : begin + length * 5)
    checkPlain(text)
  }
  list.close(at: choice & 4 == 0 ? nil : begin + 1000)
  demand(list.guessed <= list.cues.count, "an end is assumed for cues only")
  for cue in list.cues {
    demand(cue.end > cue.start && !cue.text.isEmpty, "a cue has a text and a length")
  }
  checkWritten(list.cues)
  checkFile(Array(bytes.dropFirst()))
}

private func checkFile(_ bytes: [UInt8]) {
  guard let reader = WebVTTReader(bytes) else { return }
  demand(reader.cues.count + reader.lost <= bytes.count, "a block has a line")
  for cue in reader.cues {
    demand(cue.start >= 0 && cue.end >= 0 && !cue.text.isEmpty, "a cue has times and a text")
    demand(!WebVTTText(cue.text).text.plain.unicodeScalars.contains("\r"), "lines end in one way")
  }
}

private func checkPlain(_ text: String) {
  for isASS in [false, true] {
    let plain = ASSText(text, isASS: isASS).text.plain
    demand(plain.utf8.count <= text.utf8.count * 2 + 1, "a text doesn't grow")
    let lines = plain.split(separator: "\n", omittingEmptySubsequences: false)
    demand(plain.isEmpty || lines.allSatisfy { !$0.isEmpty }, "no line is empty")
  }
}

private func checkWritten(_ cues: [SubtitleCue]) {
  let text = Array(
    WebVTT.text(cues.map { WebVTT.Cue(start: $0.start, end: $0.end, text: $0.text) }).utf8)
  // In WebVTT (W3C, 4.1) an empty line ends a cue, and an arrow makes a line one of times. Bytes are compared.
  func count(_ wanted: String) -> Int {
    text.indices.filter { text[$0...].starts(with: wanted.utf8) }.count
  }
  demand(!text.contains(0x0D), "lines end in one way")
  demand(count("-->") == cues.count, "each cue has one line of times, and no text looks like one")
  demand(count("\n\n") == cues.count + 1, "only the end of a cue is an empty line")
  let read = WebVTTReader(text)
  demand(
    read?.cues.map(\.start) == cues.map(\.start) && read?.lost == 0 && read?.isStyled == false,
    "each cue is read back")
}
