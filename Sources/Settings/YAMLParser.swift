// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CYAML

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

/// Reads one YAML document (YAML 1.1) by libyaml into a ``YAMLNode``.
final class YAMLParser {
  /// A fault in the text, as the end of a sentence about the file.
  struct Fault: Error {
    let problem: String
    /// The line, from 1; `nil` where libyaml states none.
    let line: Int?
  }

  /// Collections within each other: deeper than any settings, and shallow enough for the stack.
  private static let deepest = 64
  /// Aliases of collections could make a huge tree of a small file; this few can't.
  private static let mostAliases = 8
  private static let noMemory = Fault(problem: "can't be read for lack of memory", line: nil)

  // libyaml keeps pointers into the parser, so it stays at one address.
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private var event = yaml_event_t()
  private var anchors: [String: YAMLNode] = [:]
  private var aliases = 0

  /// The only document of `text`; `nil` where it holds none.
  /// - Throws: ``Fault``.
  static func document(_ text: String) throws -> YAMLNode? {
    // The encoding is stated, so libyaml takes a byte order mark for text (YAML 1.2, 5.2).
    try Array(text.utf8.withoutByteOrderMark).withUnsafeBufferPointer { bytes in
      try YAMLParser(bytes).document()
    }
  }

  /// `bytes` have to outlive the parser.
  private init(_ bytes: UnsafeBufferPointer<UInt8>) throws {
    guard yaml_parser_initialize(parser) == 1 else { throw YAMLParser.noMemory }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_event_delete(&event)
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  private func document() throws -> YAMLNode? {
    try advance()
    try advance()
    guard event.type == YAML_DOCUMENT_START_EVENT else { return nil }
    try advance()
    let node = try node(depth: 0)
    try advance()
    try advance()
    guard event.type == YAML_STREAM_END_EVENT else {
      throw Fault(problem: "holds several documents; keep one", line: line)
    }
    return node
  }

  /// Replaces the event by the next one.
  private func advance() throws {
    yaml_event_delete(&event)
    guard yaml_parser_parse(parser, &event) == 1 else {
      guard let problem = parser.pointee.problem else { throw YAMLParser.noMemory }
      // The reader of characters states an offset, not a line.
      let hasLine = parser.pointee.error != YAML_READER_ERROR
      throw Fault(
        problem: "isn't valid YAML: \(String(cString: problem))",
        line: hasLine ? Int(parser.pointee.problem_mark.line) + 1 : nil)
    }
  }

  /// The line that the event begins on.
  private var line: Int { Int(event.start_mark.line) + 1 }

  /// The node that begins with the event; afterwards the event is its last one.
  private func node(depth: Int) throws -> YAMLNode {
    guard depth < YAMLParser.deepest else {
      throw Fault(
        problem: "has lists or mappings more than \(YAMLParser.deepest) deep; write them flatter",
        line: line)
    }
    switch event.type {
    case YAML_ALIAS_EVENT: return try aliased(text(event.data.alias.anchor))
    case YAML_SEQUENCE_START_EVENT:
      return try anchored(event.data.sequence_start.anchor) { try sequence(depth) }
    case YAML_MAPPING_START_EVENT:
      return try anchored(event.data.mapping_start.anchor) { try mapping(depth) }
    default: return try anchored(event.data.scalar.anchor) { scalar() }
    }
  }

  /// The node that `read` reads, kept by the name of `anchor`. An alias within its own anchor finds nothing.
  private func anchored(
    _ anchor: UnsafeMutablePointer<UInt8>?, _ read: () throws -> YAMLNode
  ) throws -> YAMLNode {
    let name = anchor.map { text($0) }
    let node = try read()
    if let name { anchors[name] = node }
    return node
  }

  private func aliased(_ name: String) throws -> YAMLNode {
    aliases += 1
    guard aliases <= YAMLParser.mostAliases else {
      throw Fault(
        problem: "has more than \(YAMLParser.mostAliases) aliases (*name); write values out",
        line: line)
    }
    guard let node = anchors[name] else {
      throw Fault(problem: "isn't valid YAML: found undefined alias", line: line)
    }
    return node
  }

  private func scalar() -> YAMLNode {
    let bytes = UnsafeBufferPointer(start: event.data.scalar.value, count: event.data.scalar.length)
    return .scalar(
      .init(
        text: String(decoding: bytes, as: UTF8.self),
        isPlain: event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE, line: line))
  }

  private func sequence(_ depth: Int) throws -> YAMLNode {
    let start = line
    var nodes: [YAMLNode] = []
    try advance()
    while event.type != YAML_SEQUENCE_END_EVENT {
      nodes.append(try node(depth: depth + 1))
      try advance()
    }
    return .sequence(nodes, line: start)
  }

  private func mapping(_ depth: Int) throws -> YAMLNode {
    let start = line
    var pairs: [YAMLNode.Pair] = []
    var names: Set<String> = []
    try advance()
    while event.type != YAML_MAPPING_END_EVENT {
      let key = try node(depth: depth + 1)
      if case .scalar(let name) = key, !names.insert(name.text).inserted {
        throw Fault(
          problem: "sets \(YAMLText.quoted(name.text)) more than once; keep one", line: name.line)
      }
      try advance()
      pairs.append(.init(key: key, value: try node(depth: depth + 1)))
      try advance()
    }
    return .mapping(pairs, line: start)
  }

  private func text(_ name: UnsafePointer<UInt8>) -> String { String(cString: name) }
}

/// YAML text of a file that can't be trusted, and the errors that name its lines.
struct YAMLText {
  let path: String

  /// The tree of `yaml`; `nil` for an empty document.
  /// - Throws: ``MediaError`` of kind `usage` naming file, line and fault.
  func compose(_ yaml: String) throws -> YAMLNode? {
    do {
      return try YAMLParser.document(yaml)
    } catch let fault as YAMLParser.Fault {
      throw error(fault.line, fault.problem)
    }
  }

  /// The error of this file: what is wrong on `line`.
  func error(_ line: Int?, _ text: String) -> MediaError {
    MediaError(.usage, path + (line.map { ", line \($0)" } ?? "") + ": " + text)
  }

  /// Text of the file in an error: short and without control characters.
  static func quoted(_ text: String) -> String {
    let short = text.count > 60 ? String(text.prefix(60)) + "…" : text
    let scalars = short.unicodeScalars.map {
      $0.properties.generalCategory == .control ? "\u{FFFD}" : $0
    }
    return "“" + String(String.UnicodeScalarView(scalars)) + "”"
  }
}
