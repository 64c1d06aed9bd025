import AudioCore
import Foundation
import LibAV
import TestSupport
import Testing

@testable import MediaIn

/// IAMF, from the file to the planes of a mix's elements. What is expected comes from another decoder.
@Suite(.tags(.media), .enabled(if: IAMFExpectation.isPresent, "../shared is missing"))
struct IAMFTrackReaderTests {
  /// Length, channels and samples of each element of each mix, with gains that don't move. FLAC and LPCM are exact to
  /// the rounding of the expected files; Opus and AAC depend on libavcodec's version.
  @Test(arguments: IAMFExpectation.names)
  func elementsAreAsExpected(name: String) throws {
    try IAMFComparison(IAMFExpectation(name)).run()
  }

  /// The same of synthetic files of ten other seeds, which make other signals, gains that move, modes of demixing,
  /// trims and permutations. Another language makes them, and decodes them with the libavcodec of PyAV.
  @Test(
    .tags(.system, .slow), .fullRunOnly,
    .enabled(if: TestPython.has("av", "numpy"), "make setup-test installs PyAV and numpy"))
  func otherSeedsAreAsExpected() throws {
    let folder = try TemporaryFolder()
    try withExtendedLifetime(folder) {
      let seeds = (101...110).map(String.init)
      let made = try Tool.run(
        TestPython.path,
        [TestPython.root + "/Tests/Tools/iamf_seeds.py", IAMFExpectation.tools, folder.path] + seeds
      )
      try #require(made.status == 0, "\(made.errors)")
      for seed in seeds {
        let files = try IAMFExpectation.files(in: folder.file(seed))
        #expect(files.count == 8)
        for file in files { try IAMFComparison(file, "seed \(seed), ").run(everySample: true) }
      }
    }
  }

  /// What kinds of elements become: a scene and channels that headphones get without HRTF, a bed, a bed of parts.
  @Test func elementsHaveTheirRoles() throws {
    let field = try IAMFComparison.read(IAMFExpectation.media("tones_100ms_3OA_stereo_opus.iamf"))
      .reader.programme
    #expect(field.elements.first == .scene(order: 1) && field.elements.count == 3)
    guard case .object("L", let left)? = field.elements.dropFirst().first else {
      Issue.record("the stereo element isn't two channels")
      return
    }
    #expect(left.rules.headphones == .off)
    #expect(left.position == .polar(Direction(azimuth: 30), distance: 1))
    let film = try IAMFComparison.read(IAMFExpectation.media("7_1_4_Flac.iamf")).reader.programme
    #expect(film.elements == [.bed(try #require(ChannelLayout(name: "7.1.4")))])
  }

  /// Which mix is played, and that an unknown one is refused.
  @Test func aMixIsChosen() throws {
    let path = IAMFExpectation.media("syn_soa_projection_two_mixes_flac.iamf")
    let found = try IAMFComparison.read(path)
    let choice = try #require(found.log.decisions.first { $0.code == .presentation })
    #expect(choice.chose.hasPrefix("11"))
    #expect(found.log.decisions.contains { $0.code == .mix && $0.chose == "2 elements" })
    #expect(
      try IAMFComparison.read(path) { $0.presentation = 12 }.reader.programme.facts.language
        == "fra")
    let error = #expect(throws: MediaError.self) {
      try IAMFComparison.read(path) { $0.presentation = 13 }
    }
    #expect(error?.kind == .usage && error?.message.contains("11, 12") == true)
  }

  /// A cut file loses its last unit only, and says so; a damaged frame fails, or becomes silence.
  @Test func damageIsTold() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: IAMFExpectation.media("7_1_4_Flac.iamf")))
    let cut = try MadeMedia("cut.iamf", bytes: data.prefix(data.count / 2))
    let short = try withExtendedLifetime(cut) {
      try IAMFComparison.read(cut.path) { $0.damage = .conceal }
    }
    #expect(short.block.frames % 4096 == 0 && short.block.frames > 300_000)
    #expect(short.log.degradations.contains { $0.code == .truncated })
    var bytes = data
    for index in data.count / 2..<data.count / 2 + 60 { bytes[index] ^= 0x55 }
    let damaged = try MadeMedia("damaged.iamf", bytes: bytes)
    #expect(throws: MediaError.self) { try IAMFComparison.read(damaged.path) }
    let repaired = try IAMFComparison.read(damaged.path) { $0.damage = .conceal }
    #expect(repaired.block.frames == 1_200_000)
    #expect(repaired.log.degradations.contains { $0.code == .concealed })
  }
}
