// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@Suite struct LayoutNameFaultTests {
  @Test(arguments: [
    ("FL+FR+XX", LayoutNameFault.unknown("XX")),
    ("+", .unknown("")),
    ("FL+FR+fl", .repeated("FL")),
    ("FL+FC+FR", .order(ChannelLayout([.frontLeft, .frontRight, .frontCenter]))),
  ])
  func firstFaultIsNamed(text: String, fault: LayoutNameFault) {
    #expect(LayoutNameFault(of: text) == fault)
  }

  @Test(arguments: ["FL+FR+FC", "5.1", "nonsense"])
  func layoutsAndOtherTextsHaveNone(text: String) {
    #expect(LayoutNameFault(of: text) == nil)
  }
}
