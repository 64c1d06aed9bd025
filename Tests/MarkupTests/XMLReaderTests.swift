// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Markup

@Suite struct XMLReaderTests {
  /// Tokens in a short form: `<name a=b>`, `"text"`, `</name>`.
  private func tokens(_ document: String, limits: XMLLimits = XMLLimits()) throws -> [String] {
    try tokens(Array(document.utf8), limits: limits)
  }

  private func tokens(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) throws -> [String] {
    let reader = try XMLReader(bytes, limits: limits)
    var result: [String] = []
    while true {
      switch try reader.next() {
      case .start:
        let attributes = reader.attributes.map {
          " " + reader.string(XMLValue(range: $0.name, isResolved: false)) + "="
            + reader.string($0.value)
        }
        result.append("<" + reader.string(reader.name) + attributes.joined() + ">")
      case .text: result.append("\"" + reader.string(reader.text) + "\"")
      case .end: result.append("</" + reader.string(reader.name) + ">")
      case .finish: return result
      }
    }
  }

  private func refusal(_ document: String, limits: XMLLimits = XMLLimits()) -> MarkupError? {
    #expect(throws: MarkupError.self) { try tokens(document, limits: limits) }
  }

  @Test("elements, attributes and text come in order, without comments and instructions")
  func elementsAttributesAndTextComeInOrder() throws {
    let found = try tokens(
      "<?xml version='1.0'?>\n<!-- note --><a x=\"1\" y = 'two'><b/>text<c></c ></a>\n")
    #expect(found == ["<a x=1 y=two>", "<b>", "</b>", "\"text\"", "<c>", "</c>", "</a>"])
  }

  @Test("prefixes of names are cut off, and declarations of namespaces are left out")
  func prefixesAreCutOffAndDeclarationsOfNamespacesLeftOut() throws {
    let found = try tokens("<n:a xmlns:n='urn:x' n:b='1'><n:c/></n:a>")
    #expect(found == ["<a b=1>", "<c>", "</c>", "</a>"])
  }

  @Test("references in text and attributes become their characters")
  func referencesBecomeCharacters() throws {
    let found = try tokens("<a v='&lt;&#65;&quot;'>x &amp; &#x1F3A7;&apos;&gt;</a>")
    #expect(found == ["<a v=<A\">", "\"x & 🎧'>\"", "</a>"])
  }

  @Test("a CDATA section becomes text as it stands")
  func sectionsOfCharacterDataAreText() throws {
    #expect(try tokens("<a><![CDATA[<b>&amp;]] ]]></a>") == ["<a>", "\"<b>&amp;]] \"", "</a>"])
  }

  @Test("blanks between elements give no text")
  func blanksBetweenElementsAreNoText() throws {
    #expect(try tokens("<a>\n  <b/>\r\n\t</a>") == ["<a>", "<b>", "</b>", "</a>"])
  }

  @Test("comments and instructions divide text into parts")
  func commentsDivideText() throws {
    #expect(
      try tokens("<a> 1<!-- - -->2 <?p?>3</a>") == ["<a>", "\"1\"", "\"2 \"", "\"3\"", "</a>"])
  }

  @Test("a byte order mark before a document and zeros after it are passed over")
  func byteOrderMarkAndPaddingAreTolerated() throws {
    #expect(
      try tokens([0xEF, 0xBB, 0xBF] + Array("<a/> ".utf8) + [0, 0, 0x0A, 0]) == ["<a>", "</a>"])
  }

  @Test(
    "a document that isn't well-formed is refused with reason, line and column",
    arguments: [
      ("", "no element", 1, 1), ("  \n", "no element", 2, 1), ("hello", "doesn't begin", 1, 1),
      ("<a>", "ends inside a", 1, 4), ("<a><b></a>", "</a>|where that of b belongs", 1, 7),
      ("</a>", "no start tag", 1, 1), ("<a/><b/>", "second element", 1, 5),
      ("<a/>x", "text follows", 1, 5), ("<a b>", "has no value", 1, 4),
      ("<a b=c>", "isn't in quotes", 1, 6), ("<a b='c>", "no closing quote", 1, 7),
      ("<a b='1'c='2'/>", "a blank has to", 1, 9), ("<a\n  b='1' b='2'/>", "stands twice", 2, 14),
      ("<a b='<'/>", "isn't allowed", 1, 7), ("<a>&b;</a>", "entity b isn't defined", 1, 4),
      ("<a>& b</a>", "no reference", 1, 4), ("<a>&#0;</a>", "no character", 1, 4),
      ("<a>&#xD800;</a>", "no character", 1, 4), ("<a>&#x110000;</a>", "no character", 1, 4),
      ("<a>&#+65;</a>", "no character", 1, 4), ("<a>\u{1}</a>", "control character 1", 1, 4),
      ("<a b='\u{0}'/>", "control character 0", 1, 7), ("<1/>", "name is missing", 1, 2),
      ("<a><!-- </a>", "comment isn't closed", 1, 4),
      ("<?xml <a/>", "instruction isn't closed", 1, 1),
      ("<a><![CDATA[x]]</a>", "CDATA section isn't closed", 1, 4),
      ("<a><!b></a>", "begins with <!", 1, 4),
      ("<a", "ends inside a tag", 1, 1), ("<", "name is missing", 1, 2),
    ])
  func whatIsNotWellFormedIsRefusedWithItsPlace(
    document: String, words: String, line: Int, column: Int
  ) throws {
    let error = try #require(refusal(document))
    #expect(error.code == .syntax)
    for part in words.split(separator: "|") where !part.hasPrefix("<") {
      #expect(error.message.contains(part))
    }
    #expect(error.place?.line == line)
    #expect(error.place?.column == column)
  }

  @Test(
    "a document type is refused wherever it stands",
    arguments: [
      "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a><!DOCTYPE b></a>",
    ])
  func documentTypesAreRefused(document: String) {
    #expect(refusal(document)?.code == .documentType)
  }

  @Test("a document in UTF-16, with and without a mark, is refused")
  func wideEncodingsAreRefused() {
    for bytes: [UInt8] in [[0xFF, 0xFE, 0x3C, 0], [0xFE, 0xFF, 0, 0x3C], [0x3C, 0, 0x61, 0]] {
      #expect(throws: MarkupError.self) { try XMLReader(bytes) }
    }
  }

  @Test("documents at each limit are read, and those one beyond it are refused")
  func eachLimitHoldsExactly() throws {
    var limits = XMLLimits()
    (limits.depth, limits.attributes, limits.nameBytes) = (3, 2, 4)
    (limits.valueBytes, limits.textBytes) = (5, 6)
    let allowed = [
      "<a><b><c/></b></a>", "<a b='' c=''/>", "<abcd/>", "<a b='12345'/>", "<a>123456</a>",
      "<a> \n \n \n 1</a>", "<a b='&lt;1234'/>",
    ]
    for document in allowed { _ = try tokens(document, limits: limits) }
    let refused = [
      "<a><b><c><d/></c></b></a>", "<a b='' c='' d=''/>", "<abcde/>", "<a b='123456'/>",
      "<a>1234567</a>", "<a>1234<b/>567</a>", "<a>1234<![CDATA[567]]></a>", "<a b='&lt;12345'/>",
    ]
    for document in refused { #expect(refusal(document, limits: limits)?.code == .limit) }
    limits.documentBytes = 4
    _ = try tokens("<a/>", limits: limits)
    #expect(refusal("<a/> ", limits: limits)?.code == .limit)
  }

  @Test("skipping an element passes over all that is in it")
  func anElementIsPassedOverWithAllThatIsInIt() throws {
    let reader = try XMLReader(Array("<a><b x='1'>t<c><d/></c></b><e/></a>".utf8))
    _ = try reader.next()
    _ = try reader.next()
    try reader.skipElement()
    _ = try reader.next()
    #expect(reader.string(reader.name) == "e")
    try reader.skipElement()
    _ = try reader.next()
    #expect(reader.string(reader.name) == "a" && reader.depth == 0)
  }

  /// Any change of one byte, and any cut, ends in tokens or in a refusal.
  @Test("a document with any changed byte or cut is read or refused")
  func damageNeverTraps() {
    let document = Array(
      "<?xml version='1.0'?><a x=\"1&lt;\"><!-- c --><b>t&#65;<![CDATA[d]]></b><c y='2'/></a>".utf8)
    var refusals = 0
    for place in document.indices {
      for byte: UInt8 in [0, 0x0A, 0x22, 0x26, 0x27, 0x2F, 0x3B, 0x3C, 0x3E, 0x5D, 0x61, 0xFF] {
        var damaged = document
        damaged[place] = byte
        if (try? tokens(damaged)) == nil { refusals += 1 }
      }
      if (try? tokens(Array(document[..<place]))) == nil { refusals += 1 }
    }
    #expect(refusals > document.count)
  }
}
