// SPDX-License-Identifier: Apache-2.0

/// A step that frames, or the codec's private data, went through before they were stored (RFC 9559, 5.1.4.1.31).
package struct MatroskaContentEncoding: Sendable, Equatable {
  /// The step, with the settings that undo it.
  package enum Method: Sendable, Equatable {
    case zlib
    case bzlib
    case lzo1x
    /// Bytes that all frames begin with are stored once.
    case headerStripping([UInt8])
    case encryption
    /// A step that no standard lists.
    case unknown
  }

  /// Parts that a step was applied to.
  package struct Scope: OptionSet, Sendable {
    package let rawValue: Int
    package static let frames = Scope(rawValue: 1)
    package static let codecPrivate = Scope(rawValue: 2)

    package init(rawValue: Int) { self.rawValue = rawValue }
  }

  package let method: Method
  package let scope: Scope
  private let order: UInt64

  /// Steps of a track that are read; files have one or two.
  private static let most = 4
  /// Bytes that frames may have in common. Files have some; many would let a small file with empty frames take hours.
  private static let mostStripped = 256

  /// The steps in the order in which they are undone: the one of the highest number first.
  static func all(_ fields: [EBMLElement]) -> [MatroskaContentEncoding] {
    fields.all(.contentEncoding).prefix(most).map { MatroskaContentEncoding($0.children) }
      .sorted { $0.order > $1.order }
  }

  private init(_ fields: [EBMLElement]) {
    order = fields[.contentEncodingOrder]?.unsigned ?? 0
    scope = Scope(
      rawValue: Int(truncatingIfNeeded: fields[.contentEncodingScope]?.unsigned ?? 1))
    let compression = fields[.contentCompression]?.children ?? []
    switch fields[.contentEncodingType]?.unsigned ?? 0 {
    case 0:
      switch compression[.contentCompAlgo]?.unsigned ?? 0 {
      case 0: method = .zlib
      case 1: method = .bzlib
      case 2: method = .lzo1x
      case 3:
        let front = compression[.contentCompSettings]?.body ?? []
        method =
          front.count > MatroskaContentEncoding.mostStripped
          ? .unknown : .headerStripping(Array(front))
      default: method = .unknown
      }
    case 1: method = .encryption
    default: method = .unknown
    }
  }

  /// `bytes` with the steps undone, up to the first one that isn't header stripping; that one is `left`.
  static func restored(
    _ bytes: [UInt8], by encodings: [MatroskaContentEncoding], of part: Scope
  ) -> (bytes: [UInt8], left: Method?) {
    var bytes = bytes
    for encoding in encodings where encoding.scope.contains(part) {
      guard case .headerStripping(let front) = encoding.method else {
        return (bytes, encoding.method)
      }
      bytes = front + bytes
    }
    return (bytes, nil)
  }
}
