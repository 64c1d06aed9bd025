// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

@Suite struct LayoutTests {
  private func wav(_ channels: Int, mask: UInt32? = nil) throws -> MadeMedia {
    let planes = (0..<channels).map { [Int16](repeating: Int16($0), count: 100) }
    return try MadeMedia("a.wav", bytes: WAVBytes.pcm16(planes, rate: 48_000, mask: mask))
  }

  private func options(_ layout: String) -> InputOptions {
    var options = InputOptions()
    options.layout = ChannelLayout(name: layout)
    return options
  }

  @Test("a WAV with channel mask 0x60F is 5.1(side), and nothing is reported")
  func masksAreBelieved() throws {
    let result = try wav(6, mask: 0x60F).decode()
    #expect(result.format.layout.name == "5.1(side)")
    #expect(result.degradations.isEmpty)
    let wanted = (0..<6).map { Float($0) / 32_768 }
    #expect(result.planes.map(\.first) == wanted)
  }

  @Test(
    "3, 6 or 8 channels without a mask are 3.0, 5.1 or 7.1, and the guess is reported",
    arguments: [(3, "3.0"), (6, "5.1"), (8, "7.1")])
  func missingMasksAreGuessedAndReported(channels: Int, layout: String) throws {
    let result = try wav(channels).decode()
    #expect(result.format.layout.name == layout)
    #expect(result.kinds == ["layout-guessed"])
    #expect(result.degradations.first?.message.contains("decoding.layout") == true)
  }

  @Test(
    "mono and stereo without a mask are read as such, and nothing is reported", arguments: [1, 2])
  func monoAndStereoNeedNoMask(channels: Int) throws {
    let result = try wav(channels).decode()
    #expect(result.format.layout == (channels == 1 ? .mono : .stereo))
    #expect(result.degradations.isEmpty)
  }

  @Test(
    "9 to 64 channels without a mask are refused, and the error gives an example for decoding.layout",
    arguments: [(9, "ambix2"), (11, "FL+FR+FC"), (12, "7.1.4"), (24, "22.2"), (64, "ambix7")])
  func manyChannelsWithoutAMaskAreRefused(channels: Int, example: String) throws {
    let error = try wav(channels).failure()
    #expect(error?.kind == .layoutUnknown)
    #expect(error?.message.hasSuffix("e.g. decoding.layout \(example)") == true)
  }

  @Test("65 channels are refused, because no layout has so many")
  func moreChannelsThanAnyLayoutHasAreRefused() throws {
    let error = try wav(65).failure()
    #expect(error?.kind == .layoutUnknown)
    #expect(error?.message.contains("knows none with so many") == true)
  }

  @Test("--layout overrules the mask of the file") func theUsersWordDecides() throws {
    let result = try wav(6).decode(options("5.1(side)"))
    #expect(result.format.layout.name == "5.1(side)")
    #expect(result.degradations.isEmpty)
    #expect(result.decisions.contains { $0.code == .layout && $0.chose == "5.1(side)" })
    #expect(try wav(6).failure(options("7.1"))?.kind == .usage)
  }

  /// Places of the file's channels in each plane, by hand.
  private static let orders: [(name: String, layout: String, sources: [Int])] = [
    ("5.1(film)", "5.1(side)", [0, 2, 1, 5, 3, 4]), ("fr+fl", "stereo", [1, 0]),
    ("FL+FC+FR+BL+BR+LFE", "5.1", [0, 2, 1, 5, 3, 4]),
    ("7.1(film)", "7.1", [0, 2, 1, 7, 5, 6, 3, 4]),
    ("7.1(side-first)", "7.1", [0, 1, 2, 3, 6, 7, 4, 5]),
    ("FL+FR+FC+LFE+SL+SR+BL+BR", "7.1", [0, 1, 2, 3, 6, 7, 4, 5]),
    ("7.1.4(side-first)", "7.1.4", [0, 1, 2, 3, 6, 7, 4, 5, 8, 9, 10, 11]),
    ("5.1(side)", "5.1(side)", [0, 1, 2, 3, 4, 5]),
  ]

  @Test(
    "channels that lie in another order than the mask's are brought into it",
    arguments: orders.indices)
  func ordersAreFollowed(row: Int) throws {
    let (name, layout, sources) = LayoutTests.orders[row]
    let order = try #require(ChannelOrder(name: name))
    var options = InputOptions()
    options.order = order
    let result = try wav(sources.count).decode(options)
    #expect(result.format.layout.name == layout)
    let wanted: [Float?] = sources.map { (source: Int) -> Float? in Float(source) / 32_768 }
    let found: [Float?] = result.planes.map(\.first)
    #expect(found == wanted)
    let again = try JSONDecoder().decode(
      ChannelOrder.self, from: JSONEncoder().encode(ChannelOrder(name: name)))
    #expect(again == order)
  }

  @Test(
    "lists with an unknown or a repeated name are no order",
    arguments: ["FL+XX", "FL+FR+FL", "+", "film"])
  func otherTextsAreNone(name: String) { #expect(ChannelOrder(name: name) == nil) }
}
