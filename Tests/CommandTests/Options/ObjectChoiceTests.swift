// SPDX-License-Identifier: Apache-2.0
import Foundation
import Report
import TestSupport
import Testing

/// Objects that are chosen and changed from the command line, up to the report.
@Suite(.tags(.system), .fullRunOnly, .enabled(if: ObjectCases.isPresent, "../shared is missing"))
struct ObjectChoiceTests {
  private static let interaction =
    "<audioObjectInteraction onOffInteract=\"1\" gainInteract=\"1\"><gainInteractionRange bound=\"max\">2"
    + "</gainInteractionRange></audioObjectInteraction>"

  private let folder: TemporaryFolder
  private let source: String

  /// Writes a file of three objects, each of which may be switched and made louder by 6.02 dB.
  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("in.wav")
    let plain = try Data(
      contentsOf: URL(fileURLWithPath: ObjectCases.path("cases/objects-static/input.wav")))
    try ObjectChoiceTests.stating(ObjectChoiceTests.interaction, in: plain)
      .write(to: folder.url("in.wav"))
  }

  /// The WAV file `data` with `text` in each of its audioObjects.
  private static func stating(_ text: String, in data: Data) throws -> Data {
    var body = Data("WAVE".utf8)
    var place = 12
    while place + 8 <= data.count {
      let size = data[place + 4..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      let name = data[place..<place + 4]
      var content = data[place + 8..<place + 8 + size]
      if name.elementsEqual("axml".utf8) {
        let document = String(decoding: content, as: UTF8.self)
        content = Data(
          document.replacingOccurrences(of: "</audioObject>", with: text + "</audioObject>").utf8)
      }
      body += name + size32(content.count) + content + Data(count: content.count % 2)
      place += 8 + size + size % 2
    }
    return Data("RIFF".utf8) + size32(body.count) + body
  }

  private static func size32(_ value: Int) -> Data {
    Data((0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  private func render(_ options: [String]) throws -> RenderReport {
    let report = folder.file("report.json")
    let result = try Product.run(
      ["render", source, "-o", folder.file("out.wav"), "-y", "--report", report] + options)
    try #require(result.status == 0, "\(options): \(result.errors)")
    let data = try Data(contentsOf: folder.url("report.json"))
    return try JSONDecoder().decode(RenderReport.self, from: data)
  }

  @Test("--object and --objects raise an object by 6 dB up to the output")
  func gainsReachTheOutput() throws {
    let plain = try render(["--objects", "AO_1001"])
    for options in [
      ["--object", "AO_1001=+6dB", "--objects", "AO_1001"], ["--objects=AO_1001+6dB"],
    ] {
      let louder = try render(options)
      let peaks = [plain, louder].map { $0.inputs.first?.scene?.first?.samplePeak ?? 0 }
      #expect(abs(peaks[1] - peaks[0] - 6) < 1e-4, "\(options)")
      #expect(louder.decisions.contains { $0.code == .objectsChanged })
      guard louder.inputs.first?.scene?.count == 1 else { continue }
      let levels = [plain, louder].map { $0.outputs.first?.loudness?.input.truePeak ?? 0 }
      #expect(abs(levels[1] - levels[0] - 6) < 0.01)
    }
  }

  @Test("--objects renders the named objects and reports the others")
  func chosenObjectsAloneAreRenderedAndTheRestIsTold() throws {
    let report = try render(["--objects", "AO_1003,AO_1001"])
    #expect(report.inputs.first?.scene?.map(\.id) == ["AO_1001", "AO_1003"])
    #expect(report.decisions.contains { $0.code == .objects && $0.why.contains("AO_1002") })
    #expect(
      !report.degradations.contains { $0.code == .objectsRepaired }, "tracks left out aren't unused"
    )
  }

  @Test("--object NAME=off silences one object")
  func offIsSilent() throws {
    let scene = try render(["--object", "AO_1002=off"]).inputs.first?.scene
    #expect(scene?.map { $0.samplePeak == nil } == [false, true, false])
    #expect(scene?.map { $0.start == nil } == [false, true, false])
  }

  @Test(
    "a wrong or forbidden change of an object is refused",
    arguments: [
      ("--object=x", "AO_1001=off"), ("--object==off", "AO_1001=off"),
      ("--object=x=", "give off, on"),
      ("--object=x=loud", "give off, on"), ("--object=x=6", "give off, on"),
      ("--object=x=1,", "give off, on"), ("--object=x=1,2,3,4", "give off, on"),
      ("--object=x=infdB", "give off, on"), ("--object=x=0x10dB", "give off, on"),
      ("--object=x=dB", "give off, on"), ("--objects=", "AO_1001,AO_1003"),
      ("--objects=a,,b", "AO_1001,AO_1003"), ("--objects=a,b+1dB", "both chooses and changes"),
      ("--object=AO_1001=7dB", "be changed by gain 0 to +6.02 dB, not by +7 dB"),
      ("--object=AO_1001=1,0", "be moved; it allows on/off"), ("--object=AO_9=off", "AO_9"),
      ("--objects=nothing", "\"nothing\" is no identifier"),
    ])
  func otherWishesAreRefused(argument: String, words: String) async throws {
    let result = try await InProcess.run(["render", source, "-o", folder.file("no.wav"), argument])
    #expect(result.status == 2, "\(result.errors)")
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.file("no.wav")))
  }

  /// A file that states no interaction, such as a master in Dolby's profile, allows none.
  @Test("a change of an object in a file that states no interaction is refused")
  func mastersAllowNoChanges() async throws {
    let master = ObjectCases.path("cases/atmos-master/input.wav")
    let result = try await InProcess.run(
      ["render", master, "-o", folder.file("no.wav"), "--objects", "dialogue+6dB"])
    #expect(result.status == 2)
    #expect(result.errors.contains("it states no interaction"))
    #expect(result.errors.contains("--objects with identifiers plays only some objects"))
  }
}
