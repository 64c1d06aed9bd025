// SPDX-License-Identifier: Apache-2.0
import Markup
import Signal

/// Walks the elements of a document, and reads attributes and text as values of the model.
final class ElementReader {
  /// References of one document. A film has some thousands.
  private static let mostReferences = 1 << 20

  private let xml: XMLReader
  /// Log for cases of leniency.
  let findings: FindingLog
  /// The version of the standard that the document states.
  var version = 1
  /// Bytes of the text that was last read.
  private var content: [UInt8] = []
  /// Start of that text's element, and its name, for messages.
  private var contentStart = 0
  private var contentName = ""
  private var references = 0

  /// A reader at the beginning of a document.
  init(_ document: [UInt8], findings: FindingLog) throws(ADMError) {
    do {
      xml = try XMLReader(document)
    } catch { throw ADMError(error) }
    self.findings = findings
  }

  // MARK: Elements

  private func next() throws(ADMError) -> XMLReader.Token {
    do {
      return try xml.next()
    } catch { throw ADMError(error) }
  }

  /// Goes on to the next element that is anywhere in the document; `nil` at its end.
  func nextAnywhere() throws(ADMError) -> ElementName? {
    while true {
      switch try next() {
      case .start: return xml.withBytes(of: xml.name) { ElementName($0) }
      case .finish: return nil
      case .text, .end: continue
      }
    }
  }

  /// Goes on to the next element inside the one that is open; `nil` at its end, which is passed. Each
  /// element has to be read to its end before.
  func nextChild() throws(ADMError) -> ElementName? {
    while true {
      switch try next() {
      case .start: return xml.withBytes(of: xml.name) { ElementName($0) }
      case .end, .finish: return nil
      case .text: continue
      }
    }
  }

  /// Passes over an element that has no effect here.
  func skip() throws(ADMError) {
    do {
      try xml.skipElement()
    } catch { throw ADMError(error) }
  }

  /// Passes over an element that isn't known inside `parent`, and reports it.
  func skipUnknown(in parent: String) throws(ADMError) {
    let name = xml.string(xml.name)
    findings.note(
      .unknownElement, kind: "\(parent)/\(name)", "the element \(name) in \(parent) is passed over")
    try skip()
  }

  /// Passes over an element that is known and changes nothing.
  func skipWithoutEffect() throws(ADMError) { try skip() }

  // MARK: Failures

  /// A refusal at the reader's place.
  func failure(_ code: ADMError.Code, _ message: String) -> ADMError {
    ADMError(code, message, at: xml.place)
  }

  /// A refusal of the text that was last read.
  private func badContent(_ demand: String) -> ADMError {
    ADMError(
      .value, "\(contentName) is \"\(contentText)\", but \(demand)",
      at: xml.place(at: contentStart, in: contentName))
  }

  private func badAttribute(_ name: StaticString, _ value: XMLValue, _ demand: String) -> ADMError {
    failure(.value, "\(name) is \"\(String(xml.string(value).prefix(80)))\", but \(demand)")
  }

  // MARK: Text

  /// Reads the text of the open element, up to and including its end tag.
  private func readContent() throws(ADMError) {
    content.removeAll(keepingCapacity: true)
    contentStart = xml.offset
    contentName = xml.string(xml.name)
    while true {
      switch try next() {
      case .text: xml.withBytes(of: xml.text) { content.append(contentsOf: $0) }
      case .start: try skipUnknown(in: contentName)
      case .end, .finish: return
      }
    }
  }

  private var contentText: String { String(decoding: content.prefix(80), as: UTF8.self) }

  /// The text of the open element without blanks around it.
  func text() throws(ADMError) -> String {
    try readContent()
    let blanks: (UInt8) -> Bool = { $0 <= 0x20 }
    let body = content.drop(while: blanks).reversed().drop(while: blanks).reversed()
    return String(decoding: Array(body), as: UTF8.self)
  }

  /// The text of the open element as a number within `range`.
  func number(in range: ClosedRange<Double> = -1e9...1e9) throws(ADMError) -> Double {
    try readContent()
    guard let value = content.withUnsafeBufferPointer(DecimalNumber.value) else {
      throw badContent("a finite decimal number is needed")
    }
    guard range.contains(value) else {
      throw badContent("\(range.lowerBound) to \(range.upperBound) is allowed")
    }
    return value
  }

  /// The text of the open element as a whole number within `range`.
  func integer(in range: ClosedRange<Int>) throws(ADMError) -> Int {
    let value = try number(in: Double(range.lowerBound)...Double(range.upperBound))
    guard let whole = Int(exactly: value) else { throw badContent("a whole number is needed") }
    return whole
  }

  /// The text of the open element as a truth value.
  func flag() throws(ADMError) -> Bool {
    switch try text() {
    case "0": return false
    case "1": return true
    default: throw badContent("only 0 and 1 are allowed")
    }
  }

  /// The text of the open element as an identifier.
  func reference() throws(ADMError) -> ElementID {
    try readContent()
    try countReference()
    guard let id = ElementID(String(decoding: content, as: UTF8.self)) else {
      throw badContent("an identifier is needed")
    }
    return id
  }

  /// Counts identifiers, with those that elements have themselves.
  private func countReference() throws(ADMError) {
    references += 1
    guard references <= ElementReader.mostReferences else {
      throw failure(.limit, "the document has more than \(ElementReader.mostReferences) references")
    }
  }

  /// The open element as an amplitude: linear, or in dB where gainUnit says so.
  func gain() throws(ADMError) -> Double {
    let isLogarithmic = try isInDecibels("gainUnit")
    try readContent()
    guard let value = content.withUnsafeBufferPointer(DecimalNumber.value),
      let gain = ElementReader.amplitude(value, isLogarithmic: isLogarithmic)
    else { throw badContent("a finite decimal number of at most 1000 (60 dB) is needed") }
    return gain
  }

  private func isInDecibels(_ attribute: StaticString) throws(ADMError) -> Bool {
    guard let unit = xml.attribute(attribute) else { return false }
    if xml.isEqual(unit, "linear") { return false }
    guard xml.isEqual(unit, "dB") else {
      throw badAttribute(attribute, unit, "only linear and dB are allowed")
    }
    noteNewer("gainUnit")
    return true
  }

  private static func amplitude(_ value: Double, isLogarithmic: Bool) -> Double? {
    guard !isLogarithmic || abs(value) <= 1e6 else { return nil }
    let gain = isLogarithmic ? Decibels.amplitude(value) : value
    return gain.isFinite && abs(gain) <= 1000 ? gain : nil
  }

  private func noteNewer(_ what: String) {
    guard version < 2 else { return }
    findings.note(
      .lenientValue, kind: what,
      "\(what) belongs to BS.2076-2, but the document states version \(version)")
  }

  // MARK: Attributes

  /// An attribute as text.
  func string(_ name: StaticString) -> String? { xml.attribute(name).map(xml.string) }

  /// An attribute as an identifier.
  func id(_ name: StaticString) throws(ADMError) -> ElementID {
    try countReference()
    guard let value = xml.attribute(name) else {
      throw failure(.value, "the attribute \(name) is missing")
    }
    guard let id = ElementID(xml.string(value)) else {
      throw badAttribute(name, value, "an identifier is needed")
    }
    return id
  }

  /// An attribute as a number within `range`.
  func number(
    _ name: StaticString, in range: ClosedRange<Double> = -1e9...1e9
  ) throws(ADMError) -> Double? {
    guard let value = xml.attribute(name) else { return nil }
    guard let number = xml.withBytes(of: value, DecimalNumber.value), range.contains(number) else {
      throw badAttribute(
        name, value, "a number from \(range.lowerBound) to \(range.upperBound) is needed")
    }
    return number
  }

  /// An attribute as a whole number within `range`.
  func integer(_ name: StaticString, in range: ClosedRange<Int>) throws(ADMError) -> Int? {
    guard let value = xml.attribute(name) else { return nil }
    guard let number = xml.withBytes(of: value, DecimalNumber.value),
      let whole = Int(exactly: number), range.contains(whole)
    else {
      throw badAttribute(
        name, value, "a whole number from \(range.lowerBound) to \(range.upperBound) is needed")
    }
    return whole
  }

  /// An attribute as an amplitude, linear or in dB.
  func gain(_ name: StaticString) throws(ADMError) -> Double? {
    guard let value = xml.attribute(name) else { return nil }
    let isLogarithmic = try isInDecibels("gainUnit")
    guard let number = xml.withBytes(of: value, DecimalNumber.value),
      let gain = ElementReader.amplitude(number, isLogarithmic: isLogarithmic)
    else { throw badAttribute(name, value, "a number of at most 1000 (60 dB) is needed") }
    return gain
  }

  /// An attribute as a truth value.
  func flag(_ name: StaticString) throws(ADMError) -> Bool? {
    guard let value = xml.attribute(name) else { return nil }
    if xml.isEqual(value, "1") { return true }
    guard xml.isEqual(value, "0") else {
      throw badAttribute(name, value, "only 0 and 1 are allowed")
    }
    return false
  }

  /// An attribute as a time of the form `hh:mm:ss.fraction`.
  func time(_ name: StaticString) throws(ADMError) -> ADMTime? {
    guard let value = xml.attribute(name) else { return nil }
    guard let time = xml.withBytes(of: value, { ADMTime($0) }) else {
      throw badAttribute(name, value, "a time such as 00:00:01.50000 is needed")
    }
    noteForm(of: value)
    return time
  }

  /// Reports forms of times that only some versions allow.
  private func noteForm(of value: XMLValue) {
    let (isFraction, hasPoint) = xml.withBytes(of: value) {
      ($0.contains(UInt8(ascii: "S")), $0.contains(UInt8(ascii: ".")))
    }
    if isFraction { noteNewer("a time as a fraction") }
    if !hasPoint {
      findings.note(.lenientValue, kind: "time", "the time \(xml.string(value)) has no fraction")
    }
  }

  /// An attribute as seconds.
  func seconds(_ name: StaticString) throws(ADMError) -> ADMTime? {
    guard let value = xml.attribute(name) else { return nil }
    guard let time = xml.withBytes(of: value, { ADMTime(seconds: $0) }) else {
      throw badAttribute(name, value, "a number of seconds is needed")
    }
    return time
  }

  /// The kind of a channel or pack: of typeLabel and typeDefinition, or else of the identifier.
  func kind(of id: ElementID) throws(ADMError) -> ContentKind {
    var found: ContentKind?
    if let label = xml.attribute("typeLabel") {
      guard let kind = Int(xml.string(label), radix: 16).flatMap(ContentKind.init(rawValue:)) else {
        throw badAttribute("typeLabel", label, "0001 to 0005 are allowed")
      }
      found = kind
    }
    if let definition = xml.attribute("typeDefinition") {
      let text = xml.string(definition)
      guard let kind = ContentKind.allCases.first(where: { $0.definition == text }),
        found == nil || found == kind
      else { throw badAttribute("typeDefinition", definition, "it has to agree with typeLabel") }
      found = kind
    }
    if let found { return found }
    guard let kind = ContentKind(id) else {
      throw failure(.value, "\(id) has neither typeLabel nor typeDefinition")
    }
    findings.note(.contradiction, kind: "type", "\(id) states no type; its identifier's is taken")
    return kind
  }

  /// Whether formatLabel and formatDefinition, if stated, say PCM.
  func isPCM() -> Bool {
    let label = string("formatLabel").flatMap { Int($0, radix: 16) }
    return (label ?? 1) == 1 && string("formatDefinition").map { $0 == "PCM" } ?? true
  }
}
