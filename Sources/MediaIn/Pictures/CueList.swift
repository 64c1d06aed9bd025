import AudioCore
import LibAV

/// Gathers the cues of a subtitle track in the order of its packets.
struct CueList {
  /// Milliseconds that a text without an end is shown.
  private static let assumed: Int64 = 4000

  private(set) var cues: [SubtitleCue] = []
  /// Whether there are styles that no cue keeps.
  private(set) var isStyled = false
  /// Texts for which an end had to be assumed.
  private(set) var guessed = 0
  private let endsWithNext: Bool
  private let isASS: Bool
  private let isWebVTT: Bool
  private let styles: ASSStyles
  private var open = 0..<0

  /// No cues of `codec`; `header` is the head of an ASS script, of which other codecs need none.
  init(codec: String, header: [UInt8] = []) {
    // In timed text of MP4, a sample lasts until the next one begins; an empty sample ends a text.
    endsWithNext = codec == "mov_text"
    isASS = codec == "ass" || codec == "ssa"
    // Styles of other formats are libavcodec's, not the author's.
    styles = isASS ? ASSStyles(header) : ASSStyles()
    isWebVTT = codec == WebVTTReader.codec
  }

  /// Adds the texts of a packet, with times in milliseconds; `end` is `nil` when the packet states none.
  mutating func add(_ events: [SubtitleEvent], begin: Int64, end: Int64?) {
    closeOpen(at: begin)
    let first = cues.count
    for event in events {
      let (text, isStyled) = read(event)
      self.isStyled = self.isStyled || isStyled
      guard !text.isEmpty else { continue }
      if let end, end > begin {
        cues.append(SubtitleCue(start: begin, end: end, text: text))
      } else {
        if !endsWithNext { guessed += 1 }
        cues.append(SubtitleCue(start: begin, end: begin + CueList.assumed, text: text))
      }
    }
    open = endsWithNext && end == nil ? first..<cues.count : 0..<0
  }

  private func read(_ event: SubtitleEvent) -> (text: StyledText, isStyled: Bool) {
    guard !isWebVTT else {
      let text = WebVTTText(event.text)
      return (text.text, text.isStyled)
    }
    let text = ASSText(event.text, isASS: isASS, style: event.style, of: styles)
    return (text.text, text.isStyled)
  }

  /// Ends the track, at `end` where that is known.
  mutating func close(at end: Int64?) {
    if let end { return closeOpen(at: end) }
    guessed += open.count
    open = 0..<0
  }

  private mutating func closeOpen(at time: Int64) {
    for index in open where time > cues[index].start { cues[index].end = time }
    open = 0..<0
  }
}
