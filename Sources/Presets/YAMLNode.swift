/// A node of a YAML document, with aliases replaced by what they stand for.
indirect enum YAMLNode: Equatable {
  /// A scalar as it is written, without its quotes.
  struct Scalar: Equatable {
    let text: String
    /// Whether it stands without quotes, so that `null` means nothing.
    let isPlain: Bool
    let line: Int
  }

  /// A key and its value.
  struct Pair: Equatable {
    let key: YAMLNode
    let value: YAMLNode
  }

  case scalar(Scalar)
  case sequence([YAMLNode], line: Int)
  /// Pairs in the document's order; no scalar key occurs twice.
  case mapping([Pair], line: Int)

  /// The line that the node begins on, from 1.
  var line: Int {
    switch self {
    case .scalar(let scalar): scalar.line
    case .sequence(_, let line), .mapping(_, let line): line
    }
  }
}
