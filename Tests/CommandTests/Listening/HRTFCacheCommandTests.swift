// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The cache of SOFA files saves time and changes no output.
@Suite(.tags(.system), .fullRunOnly) struct HRTFCacheCommandTests {
  private let folder: TemporaryFolder
  private static let hasSadie = SharedMedia.hrtf != nil

  init() throws {
    folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 6, seconds: 1, mask: 0x3F).write(to: folder.url("in.wav"))
  }

  /// Renders and answers the bytes of the file.
  private func render(_ name: String, _ environment: [String: String]) throws -> Data {
    let arguments = [
      "render", folder.file("in.wav"), "-o", folder.file(name), "--hrtf",
      try #require(SharedMedia.hrtf), "-q",
    ]
    let result = try Tool.run(Product.path, arguments, environment: environment)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    return try Data(contentsOf: folder.url(name))
  }

  @Test(
    "a render has the same bytes without a cache, and with a cold, warm, damaged or unwritable one",
    .tags(.media), .enabled(if: hasSadie, "the SADIE test set is not beside the package"))
  func coldAndWarmRendersAreTheSame() throws {
    let home = ["XDG_CACHE_HOME": folder.file("cache"), "PINNA_CACHE": "on"]
    let place = folder.file("cache/pinna/hrtf")
    let plain = try render(
      "off.wav", ["XDG_CACHE_HOME": folder.file("cache"), "PINNA_CACHE": "off"])
    #expect(!FileManager.default.fileExists(atPath: folder.file("cache")))
    let cold = try render("cold.wav", home)
    let names = try FileManager.default.contentsOfDirectory(atPath: place)
    #expect(names.count == 1)
    let warm = try render("warm.wav", home)
    #expect(cold == plain && warm == plain)
    try Data("rubbish".utf8).write(to: URL(fileURLWithPath: place + "/" + names[0]))
    #expect(try render("damaged.wav", home) == plain)
    let mended = try FileManager.default.attributesOfItem(atPath: place + "/" + names[0])
    #expect((mended[.size] as? Int ?? 0) > 1_000_000)
    #expect(try render("odd.wav", ["XDG_CACHE_HOME": "/proc", "PINNA_CACHE": ""]) == plain)
  }
}
