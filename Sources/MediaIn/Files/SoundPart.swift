import Platform

/// A part of an input that has headers, start-up and end of its own.
package enum SoundPart {
  /// Consecutive segments of HLS.
  case section(StreamSection)
  /// A link of a chained Ogg file: its number, from 1, and its bytes.
  case link(Int, Range<Int64>)

  /// Whether it is missing by the account of what names it.
  package var isMissing: Bool {
    guard case .section(let section) = self else { return false }
    return section.isGap
  }

  /// Where it begins, in messages.
  package var place: String {
    switch self {
    case .section(let section): "segment \(section.firstSegment)"
    case .link(let number, _): "link \(number)"
    }
  }
}

extension SoundPart {
  /// The parts of a playlist's programme, or of `file`; none for a file that is one.
  static func parts(of presentation: StreamPresentation?, _ file: LocalFile) -> [SoundPart] {
    if let presentation { return presentation.sections.map(SoundPart.section) }
    let links = OggLinks.ranges(in: file)
    return links.count > 1 ? links.enumerated().map { .link($0.offset + 1, $0.element) } : []
  }
}

extension MediaInput {
  /// The bytes of `part`, one of ``parts``.
  /// - Throws: ``MediaError`` when they can't be read.
  package func open(_ part: SoundPart) throws -> LocalFile {
    switch part {
    case .section(let section): try presentation?.open(section) ?? file
    case .link(_, let bytes): try LocalFile(file, keeping: bytes)
    }
  }
}
