import AudioCore
import LibAV
import Platform

/// The code page of a RIFF file's text: the first field of its `CSET` chunk (Multimedia Programming Interface and Data
/// Specifications 1.0, chapter 2).
struct RIFFCodePage {
  /// Its number, never 0, which stands for none.
  let number: Int

  /// The encoding of this page; `nil` where it isn't known.
  var encoding: TextEncoding? { TextEncoding(codePage: number) }

  /// Chunks that are looked at; real files have a dozen.
  private static let limit = 65_536

  /// Looks for the chunk in `file`; `nil` where it is no RIFF file or states no page.
  init?(_ file: LocalFile) {
    let magic = String(decoding: file.bytes(at: 0, count: 4), as: UTF8.self)
    guard ["RIFF", "RF64", "BW64"].contains(magic) else { return nil }
    var offset: Int64 = 12
    for _ in 0..<RIFFCodePage.limit {
      let chunk = file.bytes(at: offset, count: 10)
      guard chunk.count == 10 else { return nil }
      let size = chunk[4..<8].reversed().reduce(0 as Int64) { $0 << 8 | Int64($1) }
      if chunk.starts(with: "CSET".utf8) {
        number = Int(chunk[8]) | Int(chunk[9]) << 8
        guard size >= 2, number > 0 else { return nil }
        return
      }
      offset += 8 + size + size % 2
    }
    return nil
  }
}

extension MediaFile {
  /// Reports how tags and titles were read that aren't UTF-8.
  func noteText(_ log: DiagnosticLog) {
    guard let container, container.hasOtherText else { return }
    let page = RIFFCodePage(file).map { page in
      "the code page \(page.number)" + (page.encoding == nil ? ", which isn't known here" : "")
    }
    log.decide(
      .metadata, "read as \(container.textEncoding.rawValue)",
      why: "tags or titles aren't UTF-8, and the file states \(page ?? "no code page")")
  }
}
