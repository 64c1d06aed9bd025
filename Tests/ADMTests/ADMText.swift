// SPDX-License-Identifier: Apache-2.0
@testable import ADM

/// Makes documents from short descriptions.
enum ADMText {
  static func parse(
    _ body: String, version: String = "", findings: FindingLog = FindingLog()
  ) throws -> ADMDocument? {
    let text = "<x><audioFormatExtended\(version)>\(body)</audioFormatExtended></x>"
    return try DocumentParser.parse(Array(text.utf8), findings: findings)
  }

  /// A channel of objects with these blocks.
  static func channel(_ number: Int, _ blocks: String) -> String {
    let id = digits(number)
    return "<audioChannelFormat audioChannelFormatID=\"AC_0003\(id)\" typeLabel=\"0003\">\(blocks)"
      + "</audioChannelFormat>"
  }

  /// A block at azimuth 0 with further content.
  static func block(_ times: String = "", azimuth: String = "0", _ more: String = "") -> String {
    "<audioBlockFormat \(times)><position coordinate=\"azimuth\">\(azimuth)</position>"
      + "<position coordinate=\"elevation\">0</position>\(more)</audioBlockFormat>"
  }

  /// An object with a pack, a channel and a track of one number, and what else stands in it.
  static func object(
    _ number: Int, attributes: String = "", _ more: String = "", blocks: String? = nil
  )
    -> String
  {
    let id = digits(number)
    return
      "<audioObject audioObjectID=\"AO_\(id)\" \(attributes)><audioPackFormatIDRef>AP_0003\(id)"
      + "</audioPackFormatIDRef><audioTrackUIDRef>ATU_0000\(id)</audioTrackUIDRef>\(more)</audioObject>"
      + "<audioPackFormat audioPackFormatID=\"AP_0003\(id)\" typeLabel=\"0003\">"
      + "<audioChannelFormatIDRef>AC_0003\(id)</audioChannelFormatIDRef></audioPackFormat>"
      + channel(number, blocks ?? block())
  }

  /// The rows of `chna` for objects with these numbers, on tracks in their order.
  static func table(_ numbers: [Int]) -> ChannelTable {
    ChannelTable(
      rows: numbers.enumerated().map {
        ChannelTable.Row(
          track: $0.offset, uid: ElementID(known: "ATU_0000" + digits($0.element)),
          format: ElementID(known: "AC_0003" + digits($0.element)),
          pack: ElementID(known: "AP_0003" + digits($0.element)))
      })
  }

  private static func digits(_ number: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - text.count) + text
  }
}
