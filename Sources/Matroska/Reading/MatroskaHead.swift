// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The parts of a file in front of its first cluster, and its chapters wherever they lie (RFC 9559, 5.1). No cluster is looked
/// at, so that a film of hours costs no more than a short one. Damaged parts are left out.
package struct MatroskaHead {
  package let segment: EBMLPlace
  package private(set) var info = MatroskaInfo([])
  /// The tracks in file order.
  package private(set) var tracks: [MatroskaTrackEntry] = []
  /// `nil` where the file has none.
  package private(set) var chapters: MatroskaChapters?
  private let scanner: EBMLScanner

  /// Reads the head of the file in `source`.
  /// - Throws: ``MatroskaFinding``: `notMatroska`, `truncated`, `malformedElement` or `tooLarge`, where the
  ///   segment isn't found.
  package init(_ source: ByteSource) throws(MatroskaFinding) {
    scanner = EBMLScanner(source)
    // libavformat plays any document type, so that the head of any is looked at.
    let header = try MatroskaReader.headerPlace(scanner)
    segment = try MatroskaReader.segment(scanner, after: header.end)
    let seeks = readFront()
    for seek in seeks where chapters == nil && seek.id == EBMLID.chapters.rawValue {
      let offset = Saturating.sum(segment.body, seek.position)
      guard let place = try? scanner.element(at: offset, before: segment.end) else { continue }
      read(place)
    }
  }

  /// Reads the parts up to the first cluster or fault; gives the places that the file states for others.
  private mutating func readFront() -> [MatroskaSeek] {
    var seeks: [MatroskaSeek] = []
    var offset = segment.body
    for _ in 0..<MatroskaReader.Limit.mostChildren where offset < segment.end {
      guard let place = try? scanner.element(at: offset, before: segment.end), !place.isOpen,
        place.known != .cluster
      else { break }
      if place.known == .seekHead {
        seeks += MatroskaSeek.all(children(place, MatroskaReader.Limit.seekHead))
      }
      read(place)
      offset = place.end
    }
    return seeks
  }

  private mutating func read(_ place: EBMLPlace) {
    switch place.known {
    case .info: info = MatroskaInfo(children(place, MatroskaReader.Limit.info))
    case .tracks:
      tracks = children(place, MatroskaReader.Limit.tracks).all(.trackEntry)
        .compactMap { MatroskaTrackEntry(body: $0.body) }
    case .chapters:
      chapters = (try? scanner.whole(place, limit: MatroskaReader.Limit.texts))
        .flatMap(MatroskaChapters.init(element:))
    default: break
    }
  }

  private func children(_ place: EBMLPlace, _ limit: Int) -> [EBMLElement] {
    (try? scanner.content(place, limit: limit)).map { EBMLElement.all(in: $0[...]) } ?? []
  }
}
