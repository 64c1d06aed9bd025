import AudioCore

/// The media of one track of a fragmented movie (ISO/IEC 14496-12, 8.4).
struct MediaBox: WritableBox {
  let track: TrackBox

  func append(to builder: inout BoxBuilder) {
    builder.box("mdia") { media in
      appendHeader(to: &media)
      media.fullBox("hdlr") { box in
        box.zeros(4)
        box.fourCC(handler.type)
        box.zeros(12)
        // Many players show the handler's name as the track's.
        box.string(track.storedTitle ?? handler.name)
      }
      media.box("minf") { information in
        appendKind(to: &information)
        information.box("dinf") { data in
          data.fullBox("dref") { box in
            box.u32(1)
            // Flag 1: the samples are in this file.
            box.fullBox("url ", flags: 1) { _ in }
          }
        }
        information.append(SampleTableBox(track: track))
      }
    }
  }

  /// `mdhd` (8.4.2) with the code of ISO 639-2/T and, for languages that three letters can't name, `elng` (8.4.6).
  private func appendHeader(to media: inout BoxBuilder) {
    let tag = LanguageTag(track.language)
    let code = MediaBox.packed(tag?.terminological ?? track.language)
    media.fullBox("mdhd", version: 1) { box in
      box.zeros(16)
      box.u32(track.timescale)
      box.u64(0)
      box.u16(code ?? MediaBox.undetermined)
      box.u16(0)
    }
    let isMore = tag.map { $0.text != $0.language } ?? false
    if !track.language.isEmpty, code == nil || isMore {
      media.fullBox("elng") { $0.string(tag?.text ?? track.language) }
    }
  }

  /// `smhd` (12.2.2), `vmhd` (12.1.2), `sthd` (12.6.2), `nmhd` (8.4.5.2) or `gmhd`.
  private func appendKind(to information: inout BoxBuilder) {
    switch track.kind {
    case .audio: information.fullBox("smhd") { $0.zeros(4) }
    case .video: information.fullBox("vmhd", flags: 1) { $0.zeros(8) }
    case .text:
      information.fullBox(handler.type == "subt" ? "sthd" : "nmhd") { _ in }
    case .chapters: MediaBox.appendGenericHeader(to: &information)
    }
  }

  /// The header of QuickTime's text media (QuickTime File Format, "Base media information header atoms"), with
  /// the values that libavformat writes: copied with dither, middle grey, balance 0; a matrix that changes nothing.
  private static func appendGenericHeader(to information: inout BoxBuilder) {
    information.box("gmhd") { header in
      header.fullBox("gmin") { box in
        box.u16(0x40)
        for _ in 0..<3 { box.u16(0x8000) }
        box.zeros(4)
      }
      header.box("text") { $0.append(MovieBox.unityMatrix) }
    }
  }

  private var handler: (type: String, name: String) {
    switch track.kind {
    case .audio: return ("soun", "Sound")
    case .video: return ("vide", "Video")
    case .chapters: return ("text", "Chapters")
    case .text:
      switch track.sampleEntry.dropFirst(4).prefix(4) {
      case ArraySlice("stpp".utf8): return ("subt", "Subtitles")
      case ArraySlice("tx3g".utf8): return ("sbtl", "Subtitles")
      default: return ("text", "Subtitles")
      }
    }
  }

  /// `und` (undetermined) in the form of ``packed(_:)``.
  private static let undetermined: UInt16 = 0x55C4

  /// Three letters in 5 bits each (8.4.2.3); `nil` when `language` isn't three lower-case letters.
  private static func packed(_ language: String) -> UInt16? {
    let letters = Array(language.utf8)
    guard letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else {
      return nil
    }
    return letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
  }
}
