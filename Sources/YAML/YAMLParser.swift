// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CYAML

/// A node of a YAML document, with aliases replaced by what they stand for.
package indirect enum YAMLNode: Equatable, Sendable {
  /// A scalar as it is written, without its quotes.
  package struct Scalar: Equatable, Sendable {
    /// The characters.
    package let text: String
    /// Whether it stands without quotes, so that `null` means nothing.
    package let isPlain: Bool
    /// The line that it begins on, from 1.
    package let line: Int

    /// Whether it means nothing: `null`, `~` or an empty value, without quotes.
    package var isNothing: Bool { isPlain && ["", "~", "null", "Null", "NULL"].contains(text) }
  }

  /// A key and its value.
  package struct Pair: Equatable, Sendable {
    /// The key, which needn't be a scalar.
    package let key: YAMLNode
    /// The value.
    package let value: YAMLNode
  }

  /// A text without parts.
  case scalar(Scalar)
  /// A list.
  case sequence([YAMLNode], line: Int)
  /// Pairs in the document's order. A scalar key occurs twice only where ``YAMLRules/keepsRepeatedKeys`` allows it.
  case mapping([Pair], line: Int)

  /// The line that the node begins on, from 1.
  package var line: Int {
    switch self {
    case .scalar(let scalar): scalar.line
    case .sequence(_, let line), .mapping(_, let line): line
    }
  }
}

/// The limits within which a document is accepted.
package struct YAMLRules: Sendable {
  /// Collections within each other: by default deeper than any settings, and shallow enough for the stack.
  package var deepest = 64
  /// Aliases that are followed. Those of collections could make a huge tree of a small file; so few can't. 0 refuses
  /// anchors and tags, too, at the first one.
  package var mostAliases = 8
  /// Bytes of the longest scalar; `nil` without limit.
  package var longestScalar: Int?
  /// Whether a mapping may set a key more than once, so that its reader sees all of them.
  package var keepsRepeatedKeys = false

  /// The rules for settings.
  package init() {}
}

/// A fault in a YAML text, as the end of a sentence about the file.
package struct YAMLFault: Error, Sendable {
  /// The kind of a fault.
  package enum Kind: Sendable {
    /// The text isn't YAML, isn't UTF-8, or holds several documents.
    case syntax
    /// An alias, an anchor or a tag stands where ``YAMLRules`` don't allow it.
    case alias
    /// A key is set more than once.
    case repeatedKey
    /// The text is deeper or longer than ``YAMLRules`` allow, or the memory is.
    case limit
  }

  /// Kind of the fault.
  package let kind: Kind
  /// The fault and what to do.
  package let problem: String
  /// The line, from 1; `nil` where libyaml states none.
  package let line: Int?

  fileprivate static let noMemory = YAMLFault(
    kind: .limit, problem: "can't be read for lack of memory", line: nil)
}

/// Reads one YAML document (YAML 1.1) by libyaml into a ``YAMLNode``.
package final class YAMLParser {
  private typealias Fault = YAMLFault

  private let rules: YAMLRules

  // libyaml keeps pointers into the parser, so it stays at one address.
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private var event = yaml_event_t()
  private var anchors: [String: YAMLNode] = [:]
  private var aliases = 0

  /// The only document of `text` in UTF-8; `nil` where it holds none.
  /// - Throws: ``YAMLFault``.
  package static func document(
    _ text: some Collection<UInt8>, rules: YAMLRules = YAMLRules()
  ) throws -> YAMLNode? {
    // The encoding is stated, so libyaml takes a byte order mark for text (YAML 1.2, 5.2).
    try Array(text.withoutByteOrderMark).withUnsafeBufferPointer { bytes in
      try YAMLParser(bytes, rules).document()
    }
  }

  /// Reads a document that is one mapping key by key, so that a long list needn't be in memory as a whole.
  /// - Parameters:
  ///   - text: the document in UTF-8.
  ///   - list: the key whose list is read item by item.
  ///   - visit: gets each key with its value, and with each item where the key is `list` and its value is a list;
  ///     nothing for an empty document.
  /// - Throws: ``YAMLFault``, and what `visit` throws.
  package static func visit(
    _ text: some Collection<UInt8>, list: String, rules: YAMLRules,
    _ visit: (_ key: YAMLNode, _ value: YAMLNode) throws -> Void
  ) throws {
    try Array(text.withoutByteOrderMark).withUnsafeBufferPointer { bytes in
      try YAMLParser(bytes, rules).visit(list, visit)
    }
  }

  /// `bytes` have to outlive the parser.
  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ rules: YAMLRules) throws {
    self.rules = rules
    guard yaml_parser_initialize(parser) == 1 else { throw Fault.noMemory }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_event_delete(&event)
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  private func document() throws -> YAMLNode? {
    guard try begin() else { return nil }
    let node = try node(depth: 0)
    try end()
    return node
  }

  private func visit(
    _ list: String, _ visit: (_ key: YAMLNode, _ value: YAMLNode) throws -> Void
  ) throws {
    guard try begin() else { return }
    guard event.type == YAML_MAPPING_START_EVENT else {
      throw Fault(kind: .syntax, problem: "isn't a mapping of keys to values", line: line)
    }
    try refuse(event.data.mapping_start.anchor, event.data.mapping_start.tag)
    var names: Set<String> = []
    var hasList = false
    try advance()
    while event.type != YAML_MAPPING_END_EVENT {
      let key = try key(depth: 1, &names)
      try advance()
      if case .scalar(let name) = key, name.text == list, event.type == YAML_SEQUENCE_START_EVENT {
        // Items of the first list have been handed over, so the last one can't win.
        guard !hasList else { throw YAMLParser.repeated(name) }
        hasList = true
        try refuse(event.data.sequence_start.anchor, event.data.sequence_start.tag)
        try advance()
        while event.type != YAML_SEQUENCE_END_EVENT {
          try visit(key, try node(depth: 2))
          try advance()
        }
      } else {
        try visit(key, try node(depth: 1))
      }
      try advance()
    }
    try end()
  }

  /// Goes to the first event of the document; answers whether there is one.
  private func begin() throws -> Bool {
    try advance()
    try advance()
    guard event.type == YAML_DOCUMENT_START_EVENT else { return false }
    try advance()
    return true
  }

  /// Makes sure that nothing follows the document.
  private func end() throws {
    try advance()
    try advance()
    guard event.type == YAML_STREAM_END_EVENT else {
      throw Fault(kind: .syntax, problem: "holds several documents; keep one", line: line)
    }
  }

  /// Replaces the event by the next one.
  private func advance() throws {
    yaml_event_delete(&event)
    guard yaml_parser_parse(parser, &event) == 1 else {
      guard let problem = parser.pointee.problem else { throw Fault.noMemory }
      // The reader of characters states an offset, not a line.
      let hasLine = parser.pointee.error != YAML_READER_ERROR
      throw Fault(
        kind: .syntax, problem: "isn't valid YAML: \(String(cString: problem))",
        line: hasLine ? Int(parser.pointee.problem_mark.line) + 1 : nil)
    }
  }

  /// The line that the event begins on.
  private var line: Int { Int(event.start_mark.line) + 1 }

  /// The node that begins with the event; afterwards the event is its last one.
  private func node(depth: Int) throws -> YAMLNode {
    guard depth < rules.deepest else {
      throw Fault(
        kind: .limit,
        problem: "has lists or mappings more than \(rules.deepest) deep; write them flatter",
        line: line)
    }
    switch event.type {
    case YAML_ALIAS_EVENT: return try aliased(text(event.data.alias.anchor))
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      return try anchored(start.anchor, start.tag) { try sequence(depth) }
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      return try anchored(start.anchor, start.tag) { try mapping(depth) }
    default:
      return try anchored(event.data.scalar.anchor, event.data.scalar.tag) { try scalar() }
    }
  }

  /// The node that `read` reads, kept by the name of `anchor`. An alias within its own anchor finds nothing.
  private func anchored(
    _ anchor: UnsafeMutablePointer<UInt8>?, _ tag: UnsafeMutablePointer<UInt8>?,
    _ read: () throws -> YAMLNode
  ) throws -> YAMLNode {
    try refuse(anchor, tag)
    let name = anchor.map { text($0) }
    let node = try read()
    if let name { anchors[name] = node }
    return node
  }

  /// Refuses anchors and tags where no aliases are allowed.
  private func refuse(
    _ anchor: UnsafeMutablePointer<UInt8>?, _ tag: UnsafeMutablePointer<UInt8>?
  ) throws {
    guard rules.mostAliases == 0, anchor != nil || tag != nil else { return }
    throw Fault(
      kind: .alias, problem: "has an anchor (&name) or a tag (!name); write values out",
      line: line)
  }

  private func aliased(_ name: String) throws -> YAMLNode {
    aliases += 1
    guard aliases <= rules.mostAliases else {
      let limit = rules.mostAliases == 0 ? "an alias" : "more than \(rules.mostAliases) aliases"
      throw Fault(kind: .alias, problem: "has \(limit) (*name); write values out", line: line)
    }
    guard let node = anchors[name] else {
      throw Fault(
        kind: .syntax, problem: "isn't valid YAML: found undefined alias", line: line)
    }
    return node
  }

  private func scalar() throws -> YAMLNode {
    let length = event.data.scalar.length
    if let longest = rules.longestScalar, length > longest {
      throw Fault(
        kind: .limit, problem: "has a value of \(length) bytes; at most \(longest) are read",
        line: line)
    }
    let bytes = UnsafeBufferPointer(start: event.data.scalar.value, count: length)
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
      let key = try key(depth: depth + 1, &names)
      try advance()
      pairs.append(.init(key: key, value: try node(depth: depth + 1)))
      try advance()
    }
    return .mapping(pairs, line: start)
  }

  /// The key that begins with the event; `names` are those of its mapping so far.
  private func key(depth: Int, _ names: inout Set<String>) throws -> YAMLNode {
    let key = try node(depth: depth)
    if !rules.keepsRepeatedKeys, case .scalar(let name) = key, !names.insert(name.text).inserted {
      throw YAMLParser.repeated(name)
    }
    return key
  }

  private static func repeated(_ name: YAMLNode.Scalar) -> YAMLFault {
    YAMLFault(
      kind: .repeatedKey,
      problem: "sets \(YAMLText.quoted(name.text)) more than once; keep one", line: name.line)
  }

  private func text(_ name: UnsafePointer<UInt8>) -> String { String(cString: name) }
}
