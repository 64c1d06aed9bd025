// SPDX-License-Identifier: Apache-2.0

/// Reads an XML document token by token, with limits and without document types (XML 1.0).
///
/// Prefixes of names are cut off, CDATA is text, comments and processing instructions are passed over.
/// References are the five predefined ones and those of characters. A document type declaration is
/// refused, because everything that an XML reader can be attacked with stands in it. Line ends aren't
/// normalised. Memory is the document and what one element holds.
package final class XMLReader {
  /// The kind of a token.
  package enum Token: Sendable {
    /// An element begins; ``name`` and ``attributes`` are set.
    case start
    /// A piece of text; ``text`` is set. Blanks before the first text of an element are left out.
    case text
    /// The innermost element ends; ``name`` is its name.
    case end
    /// The document ends.
    case finish
  }

  private struct OpenElement {
    let fullName: Range<Int>
    var textBytes = 0
  }

  @usableFromInline let bytes: [UInt8]
  private let limits: XMLLimits
  /// Bytes read so far.
  package private(set) var offset = 0
  private var open: [OpenElement] = []
  private var hasRoot = false
  /// Whether the element that has just begun ends in its own tag.
  private var isEmptyElement = false
  @usableFromInline var resolved: [UInt8] = []
  private var places = LineCounter()

  /// The element's name without its prefix.
  package private(set) var name = XMLValue(range: 0..<0, isResolved: false)
  /// The attributes of the element that has just begun, without namespace declarations.
  package private(set) var attributes: [XMLAttribute] = []
  /// The text that was just read.
  package private(set) var text = XMLValue(range: 0..<0, isResolved: false)

  /// A reader at the beginning of a document in UTF-8.
  /// - Throws: ``MarkupError`` for UTF-16, and for more bytes than are accepted.
  package init(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) throws(MarkupError) {
    self.bytes = bytes
    self.limits = limits
    guard bytes.count <= limits.documentBytes else {
      throw MarkupError(
        .limit,
        "the document has \(bytes.count) bytes, and at most \(limits.documentBytes) are read")
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    let isWide = [[0xFE, 0xFF], [0xFF, 0xFE], [0, 0x3C], [0x3C, 0]].contains {
      bytes.starts(with: $0)
    }
    if isWide {
      throw MarkupError(
        .syntax, "the document is in UTF-16; it has to be in UTF-8", at: place(at: 0))
    }
  }

  /// How many elements are open.
  package var depth: Int { open.count }

  /// Place of the reader.
  package var place: XMLPlace { place(at: offset) }

  /// Reads the next token.
  /// - Throws: ``MarkupError`` of code `syntax`, `documentType` or `limit`.
  package func next() throws(MarkupError) -> Token {
    resolved.removeAll(keepingCapacity: true)
    if isEmptyElement {
      isEmptyElement = false
      return close()
    }
    while offset < bytes.count {
      guard bytes[offset] == UInt8(ascii: "<") else {
        if try readText() { return .text }
        continue
      }
      switch byte(at: offset + 1) {
      case UInt8(ascii: "/"): return try readEndTag()
      case UInt8(ascii: "!"):
        if try readDeclaration() { return .text }
      case UInt8(ascii: "?"): try skip(past: "?>", from: offset + 2, "processing instruction")
      default: return try readStartTag()
      }
    }
    if let element = open.last {
      throw failure("the document ends inside \(string(element.fullName)), which has no end tag")
    }
    guard hasRoot else { throw failure("the document has no element") }
    return .finish
  }

  /// Passes over the rest of the innermost element and its end tag.
  /// - Throws: as ``next()``.
  package func skipElement() throws(MarkupError) {
    let depth = open.count
    while open.count >= depth, open.count > 0 || isEmptyElement { _ = try next() }
  }

  // MARK: Bytes

  /// Calls `body` with the bytes of a value.
  // Inlinable, because a document has millions of values, and every module has its own `Result`.
  @inlinable
  package func withBytes<Result>(
    of value: XMLValue, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    (value.isResolved ? resolved : bytes).withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[value.range]))
    }
  }

  /// A value as text; what isn't UTF-8 is replaced.
  package func string(_ value: XMLValue) -> String {
    withBytes(of: value) { String(decoding: $0, as: UTF8.self) }
  }

  private func string(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private func byte(at place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

  /// The first place at or after `start` with a byte outside `class`; the document's end when there
  /// is none.
  private func end(of class: ByteClass, from start: Int) -> Int {
    let mask = `class`.rawValue
    return bytes.withUnsafeBufferPointer { bytes in
      ByteClass.table.withUnsafeBufferPointer { table in
        var place = start
        while place < bytes.count, table[Int(bytes[place])] & mask != 0 { place += 1 }
        return place
      }
    }
  }

  private func hasBytes(_ text: StaticString, at start: Int) -> Bool {
    guard start + text.utf8CodeUnitCount <= bytes.count else { return false }
    return UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
      .elementsEqual(bytes[start..<start + text.utf8CodeUnitCount])
  }

  // MARK: Failures

  /// The place of a byte that was read, inside `element`.
  package func place(at offset: Int, in element: String) -> XMLPlace {
    let (line, column) = places.place(of: offset, in: bytes)
    return XMLPlace(offset: offset, line: line, column: column, element: element)
  }

  private func place(at offset: Int) -> XMLPlace {
    let (line, column) = places.place(of: offset, in: bytes)
    return XMLPlace(
      offset: offset, line: line, column: column, element: open.last.map { string($0.fullName) })
  }

  private func failure(_ message: String, at offset: Int? = nil) -> MarkupError {
    MarkupError(.syntax, message, at: place(at: offset ?? self.offset))
  }

  private func excess(_ what: String, _ limit: Int) -> MarkupError {
    MarkupError(.limit, "\(what) is above the limit of \(limit)", at: place)
  }

  // MARK: Tags

  private func readStartTag() throws(MarkupError) -> Token {
    guard !hasRoot || !open.isEmpty else {
      throw failure("a second element follows the root element")
    }
    let start = offset
    let fullName = try readName(at: start + 1)
    guard open.count < limits.depth else {
      throw excess("the number of elements inside each other", limits.depth)
    }
    attributes.removeAll(keepingCapacity: true)
    offset = fullName.upperBound
    while true {
      let blanks = offset
      offset = end(of: .blank, from: offset)
      if byte(at: offset) == UInt8(ascii: ">") {
        offset += 1
        break
      }
      if hasBytes("/>", at: offset) {
        offset += 2
        isEmptyElement = true
        break
      }
      guard offset < bytes.count else { throw failure("the document ends inside a tag", at: start) }
      guard offset > blanks else { throw failure("a blank has to stand before an attribute") }
      try readAttribute()
    }
    open.append(OpenElement(fullName: fullName))
    hasRoot = true
    name = XMLValue(range: localName(fullName), isResolved: false)
    return .start
  }

  private func readEndTag() throws(MarkupError) -> Token {
    let fullName = try readName(at: offset + 2)
    guard let element = open.last else {
      throw failure("the end tag of \(string(fullName)) has no start tag")
    }
    guard bytes[fullName].elementsEqual(bytes[element.fullName]) else {
      throw failure(
        "the end tag of \(string(fullName)) stands where that of \(string(element.fullName)) belongs"
      )
    }
    let end = end(of: .blank, from: fullName.upperBound)
    guard byte(at: end) == UInt8(ascii: ">") else { throw failure("the end tag isn't closed") }
    offset = end + 1
    return close()
  }

  private func close() -> Token {
    if let element = open.popLast() {
      name = XMLValue(range: localName(element.fullName), isResolved: false)
    }
    attributes.removeAll(keepingCapacity: true)
    return .end
  }

  private func readName(at start: Int) throws(MarkupError) -> Range<Int> {
    guard let first = byte(at: start),
      ByteClass.table[Int(first)] & ByteClass.nameStart.rawValue != 0
    else { throw failure("a name is missing", at: start) }
    let end = end(of: .name, from: start)
    guard end - start <= limits.nameBytes else {
      throw excess("the length of a name", limits.nameBytes)
    }
    return start..<end
  }

  private func localName(_ fullName: Range<Int>) -> Range<Int> {
    guard let colon = bytes[fullName].lastIndex(of: UInt8(ascii: ":")) else { return fullName }
    return colon + 1..<fullName.upperBound
  }

  private func readAttribute() throws(MarkupError) {
    let fullName = try readName(at: offset)
    var place = end(of: .blank, from: fullName.upperBound)
    guard byte(at: place) == UInt8(ascii: "=") else {
      throw failure("the attribute \(string(fullName)) has no value")
    }
    place = end(of: .blank, from: place + 1)
    guard let quote = byte(at: place), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { throw failure("the value of \(string(fullName)) isn't in quotes", at: place) }
    offset = place + 1
    let value = try readValue(quote)
    // Without its prefix, a declaration of a namespace could be taken for an attribute of that name.
    if hasBytes("xmlns", at: fullName.lowerBound),
      fullName.count == 5 || byte(at: fullName.lowerBound + 5) == UInt8(ascii: ":")
    {
      return
    }
    let isDuplicate = attributes.contains {
      $0.fullName.count == fullName.count && bytes[$0.fullName].elementsEqual(bytes[fullName])
    }
    guard !isDuplicate else {
      throw failure("the attribute \(string(fullName)) stands twice in one tag")
    }
    guard attributes.count < limits.attributes else {
      throw excess("the number of attributes", limits.attributes)
    }
    attributes.append(
      XMLAttribute(fullName: fullName, name: localName(fullName), value: value))
  }

  /// Reads a value up to and including its closing quote.
  private func readValue(_ quote: UInt8) throws(MarkupError) -> XMLValue {
    let `class`: ByteClass = quote == UInt8(ascii: "\"") ? .doubleQuoted : .singleQuoted
    let start = offset
    let first = resolved.count
    var isResolved = false
    var plain = start
    while true {
      offset = end(of: `class`, from: offset)
      guard offset - plain + resolved.count - first <= limits.valueBytes else {
        throw excess("the length of an attribute's value", limits.valueBytes)
      }
      guard let stop = byte(at: offset) else {
        throw failure("a value has no closing quote", at: start)
      }
      if stop == quote { break }
      guard stop == UInt8(ascii: "&") else { throw unexpected(stop) }
      isResolved = true
      resolved += bytes[plain..<offset]
      try resolveReference()
      plain = offset
    }
    let end = offset
    offset += 1
    guard isResolved else { return XMLValue(range: start..<end, isResolved: false) }
    resolved += bytes[plain..<end]
    return XMLValue(range: first..<resolved.count, isResolved: true)
  }

  // MARK: Text

  /// Reads text up to the next markup; tells whether it counts as text.
  private func readText() throws(MarkupError) -> Bool {
    guard !open.isEmpty else {
      try skipOutsideRoot()
      return false
    }
    var start = offset
    if open[open.count - 1].textBytes == 0 { start = end(of: .blank, from: offset) }
    offset = start
    var plain = start
    var isResolved = false
    while true {
      offset = end(of: .text, from: offset)
      try count(text: offset - plain)
      guard let stop = byte(at: offset), stop != UInt8(ascii: "<") else { break }
      guard stop == UInt8(ascii: "&") else { throw unexpected(stop) }
      isResolved = true
      resolved += bytes[plain..<offset]
      try resolveReference()
      plain = offset
      try count(text: 1)
    }
    if isResolved {
      resolved += bytes[plain..<offset]
      text = XMLValue(range: 0..<resolved.count, isResolved: true)
    } else {
      text = XMLValue(range: start..<offset, isResolved: false)
    }
    return isResolved || offset > start
  }

  private func count(text bytes: Int) throws(MarkupError) {
    open[open.count - 1].textBytes += bytes
    guard open[open.count - 1].textBytes <= limits.textBytes else {
      throw excess("the length of an element's text", limits.textBytes)
    }
  }

  /// Passes over what may stand before and after the root: blanks, and zeros as padding at the end.
  private func skipOutsideRoot() throws(MarkupError) {
    offset = end(of: .blank, from: offset)
    while hasRoot, byte(at: offset) == 0 { offset = end(of: .blank, from: offset + 1) }
    guard offset < bytes.count, bytes[offset] != UInt8(ascii: "<") else { return }
    throw failure(
      hasRoot ? "text follows the root element" : "the document doesn't begin with an element")
  }

  /// Reads what begins with `<!`; tells whether it is text.
  private func readDeclaration() throws(MarkupError) -> Bool {
    if hasBytes("<!--", at: offset) {
      try skip(past: "-->", from: offset + 4, "comment")
      return false
    }
    guard hasBytes("<![CDATA[", at: offset), !open.isEmpty else {
      guard hasBytes("<!DOCTYPE", at: offset) else { throw failure("a tag begins with <!") }
      throw MarkupError(
        .documentType,
        "document type declarations aren't accepted; remove the DOCTYPE from the document",
        at: place)
    }
    let start = offset
    var end = offset + 9
    while true {
      end = self.end(of: .cdata, from: end)
      guard let stop = byte(at: end) else {
        throw failure("the CDATA section isn't closed", at: start)
      }
      guard stop == UInt8(ascii: "]") else { throw unexpected(stop, at: end) }
      if hasBytes("]]>", at: end) { break }
      end += 1
    }
    try count(text: end - start - 9)
    text = XMLValue(range: start + 9..<end, isResolved: false)
    offset = end + 3
    return end > start + 9
  }

  private func skip(past end: StaticString, from start: Int, _ what: String) throws(MarkupError) {
    let first = end.utf8Start[0]
    var place = start
    while place < bytes.count {
      if bytes[place] == first, hasBytes(end, at: place) {
        offset = place + end.utf8CodeUnitCount
        return
      }
      place += 1
    }
    throw failure("the \(what) isn't closed")
  }

  // MARK: References

  /// Appends the character of the reference that begins here.
  private func resolveReference() throws(MarkupError) {
    // The longest that is needed is &#x10FFFF; leading zeros are tolerated within bounds.
    let window = bytes[offset..<min(bytes.count, offset + 16)]
    guard let semicolon = window.firstIndex(of: UInt8(ascii: ";")) else {
      throw failure("an ampersand begins no reference; write &amp;")
    }
    let name = String(decoding: bytes[offset + 1..<semicolon], as: UTF8.self)
    switch name {
    case "lt": resolved.append(UInt8(ascii: "<"))
    case "gt": resolved.append(UInt8(ascii: ">"))
    case "amp": resolved.append(UInt8(ascii: "&"))
    case "quot": resolved.append(UInt8(ascii: "\""))
    case "apos": resolved.append(UInt8(ascii: "'"))
    default:
      guard name.hasPrefix("#") else { throw failure("the entity \(name) isn't defined") }
      guard let character = XMLReader.character(name.dropFirst()) else {
        throw failure("&\(name); stands for no character that XML allows")
      }
      resolved += Array(String(character).utf8)
    }
    offset = semicolon + 1
  }

  /// The character with the number `digits`, decimal or hexadecimal with an x before it.
  private static func character(_ digits: Substring) -> Unicode.Scalar? {
    let isHexadecimal = digits.hasPrefix("x")
    let figures = isHexadecimal ? digits.dropFirst() : digits
    // The integer's own reader would also take a sign.
    guard figures.utf8.first != UInt8(ascii: "+"),
      let number = UInt32(figures, radix: isHexadecimal ? 16 : 10),
      number >= 0x20 || [9, 10, 13].contains(number), number & 0xFFFE != 0xFFFE
    else { return nil }
    return Unicode.Scalar(number)
  }

  private func unexpected(_ byte: UInt8, at place: Int? = nil) -> MarkupError {
    byte < 0x20
      ? failure("the control character \(byte) isn't allowed", at: place)
      : failure("< isn't allowed in a value; write &lt;", at: place)
  }

  // MARK: Looking at names and values

  /// Whether a name or value consists of exactly these bytes.
  package func isEqual(_ value: XMLValue, _ text: StaticString) -> Bool {
    value.range.count == text.utf8CodeUnitCount
      && withBytes(of: value) {
        $0.elementsEqual(
          UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
      }
  }

  /// The value of the attribute with this name; `nil` when the element hasn't got it.
  package func attribute(_ name: StaticString) -> XMLValue? {
    attributes.first { isEqual(XMLValue(range: $0.name, isResolved: false), name) }?.value
  }
}
