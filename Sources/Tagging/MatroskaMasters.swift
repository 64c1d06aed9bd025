// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Matroska

/// Reads Tags and SeekHead elements, of which real files have few; more than a bound would cost time and memory.
struct MatroskaMasters {
  /// Bytes of one element at most.
  private static let limit = 1 << 24
  /// Bytes of all elements at most.
  private static let limitOfAll: Int64 = 1 << 26
  /// Elements in them at most, of all levels together.
  private static let mostElements = 100_000
  /// Levels of elements in these; files have five.
  private static let deepest = 20

  private let scanner: EBMLScanner
  private let name: String
  private var left = mostElements

  /// A reader of the elements among `parts`; `name` appears in messages.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` where they are too large.
  init(_ scanner: EBMLScanner, _ parts: [EBMLPlace], _ name: String) throws {
    self.scanner = scanner
    self.name = name
    let all = parts.filter { $0.known == .tags || $0.known == .seekHead }
    let size = all.reduce(0) { $0 + $1.end - $1.offset }
    guard size <= MatroskaMasters.limitOfAll else {
      throw refusal("\(size) bytes of tags, more than \(MatroskaMasters.limitOfAll)")
    }
  }

  private func refusal(_ what: String) -> MediaError {
    MediaError(
      .unsupportedFeature, about: name, "has \(what); take tags out of it with mkvpropedit first")
  }

  /// The children of an element, Void and checksums included.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` or `damaged`.
  mutating func children(of place: EBMLPlace) throws -> [EBMLElement] {
    let body: [UInt8]
    do throws(MatroskaFinding) {
      body = try scanner.content(place, limit: MatroskaMasters.limit)
    } catch {
      throw MatroskaTags.refusal(error, name)
    }
    guard try isWhole(body[...], depth: 1), let children = MatroskaTags.split(body[...]) else {
      throw MediaError(
        .damaged, about: name,
        "its \(place.known?.name ?? "element") at byte \(place.offset) is damaged; write the file anew with mkvmerge"
      )
    }
    return children
  }

  /// Whether elements lie in each other without bytes left over. Each counts.
  private mutating func isWhole(_ body: ArraySlice<UInt8>, depth: Int) throws -> Bool {
    var rest = body
    while !rest.isEmpty {
      guard let element = EBMLElement(rest) else { return false }
      guard left > 0 else {
        throw refusal("more than \(MatroskaMasters.mostElements) elements in its tags")
      }
      left -= 1
      if element.known?.type == .master {
        guard depth < MatroskaMasters.deepest, try isWhole(element.body, depth: depth + 1) else {
          return false
        }
      }
      rest = rest[element.bytes.endIndex...]
    }
    return true
  }
}
