// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import TestSupport
import Testing

@testable import MediaIn

/// IAMF, from the file to the planes of a mix's elements. Expected samples come from another decoder.
@Suite(.tags(.media), .enabled(if: IAMFExpectation.isPresent, "../shared is missing"))
struct IAMFTrackReaderTests {
  /// Length, channels and samples of each element of each mix, with gains that don't move. FLAC and LPCM are exact to
  /// the rounding of the expected files; Opus and AAC depend on libavcodec's version.
  @Test(
    "each element of IAMF has the channels and samples of its source",
    arguments: IAMFExpectation.names)
  func elementsAreAsExpected(name: String) throws {
    try IAMFComparison(IAMFExpectation(name)).run()
  }

  /// As above, for synthetic files of ten other seeds, which make other signals, gains that move, modes of demixing,
  /// trims and permutations. Another language makes them, and decodes them with the libavcodec of PyAV.
  @Test(
    "synthetic IAMF files of ten other seeds have the samples of another decoder",
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

  /// Roles of the kinds of elements: a scene and channels that headphones get without HRTF, a bed, a bed of parts.
  @Test(
    "a sound field becomes a scene, stereo beside it two channels without HRTF, and 7.1.4 a bed")
  func elementsHaveTheirRoles() throws {
    let field = try IAMFComparison.read(IAMFExpectation.media("tones_100ms_3OA_stereo_opus.iamf"))
      .reader.programme
    #expect(field.elements.first == .scene(order: 1) && field.elements.count == 3)
    guard case .object("L", let left)? = field.elements.dropFirst().first else {
      Issue.record("the stereo element isn't two channels")
      return
    }
    #expect(left.rules.headphones == .off)
    #expect(left.position == .polar(Direction(azimuth: 30), distance: 1))
    // Alone in the mix, two channels are a bed, of which is told that it stays plain.
    let music = try IAMFComparison.read(IAMFExpectation.media("sample_fragmented_iamf.mp4")).reader
      .programme
    #expect(music.elements == [.bed(.stereo)] && music.facts.isPlainOnHeadphones == true)
    #expect(field.facts.isPlainOnHeadphones == nil)
    let film = try IAMFComparison.read(IAMFExpectation.media("7_1_4_Flac.iamf")).reader.programme
    #expect(film.elements == [.bed(try #require(ChannelLayout(name: "7.1.4")))])
  }

  /// The mix that is played, and the refusal of an unknown one.
  @Test(
    "mix 11 plays by default, 12 when asked for, and 13 is a usage error with the known numbers")
  func aMixIsChosen() throws {
    let path = IAMFExpectation.media("syn_soa_projection_two_mixes_flac.iamf")
    let found = try IAMFComparison.read(path)
    let choice = try #require(found.log.decisions.first { $0.code == .presentation })
    #expect(choice.chose.hasPrefix("11"))
    #expect(found.log.decisions.contains { $0.code == .mix && $0.chose == "2 elements" })
    let second = try IAMFComparison.read(path) { $0.presentation = .number(12) }
    #expect(second.reader.programme.facts.language == "fra")
    let error = #expect(throws: MediaError.self) {
      try IAMFComparison.read(path) { $0.presentation = .number(13) }
    }
    #expect(error?.kind == .usage && error?.message.contains("11, 12") == true)
  }

  /// Languages choose by what is heard, in the order that is asked for, in two letters or three; one that no mix has
  /// is never passed over in silence.
  @Test(
    "a mix is chosen by its content language in the order asked for, and a missing language is reported",
    arguments: [
      (["fr"], "12", "content_language is fra"),
      (["de", "fre-CA", "en"], "12", "content_language is fra"),
      (["en", "fr"], "11", "content_language is eng"),
      (["de"], "11", "asks for de, but the mixes are in eng, fra"),
      (["de", "ja"], "11", "asks for de or ja"),
    ])
  func aLanguageIsChosen(wanted: [String], id: String, reason: String) throws {
    let path = IAMFExpectation.media("syn_soa_projection_two_mixes_flac.iamf")
    let found = try IAMFComparison.read(path) { $0.presentation = .languages(wanted) }
    let choice = try #require(found.log.decisions.first { $0.code == .presentation })
    #expect(choice.chose.hasPrefix(id + " "), "\(choice)")
    #expect(choice.why.contains(reason), "\(choice)")
    #expect(found.reader.track.mixes.filter(\.isChosen).map { String($0.id) } == [id])
  }

  /// The language of names counts only for a mix that doesn't say what is heard.
  @Test("the language of a mix's name counts only where no content_language is stated")
  func namesCountWhereNothingElseIsStated() throws {
    func reason(_ name: String, _ wanted: String) throws -> String? {
      let found = try IAMFComparison.read(IAMFExpectation.media(name)) {
        $0.presentation = .languages([wanted])
      }
      return found.log.decisions.first { $0.code == .presentation }?.why
    }
    let unstated = try reason("syn_stereo_trims_lpcm16be.iamf", "fr")
    #expect(unstated == "it states no content_language, and has a name in fr")
    let other = try reason("syn_stereo_trims_lpcm16be.iamf", "de")
    #expect(other?.contains("asks for de, but the mixes are in und") == true)
    // The mix is named in English, and English is heard.
    let stated = try reason("syn_foa_stereo_gains_flac_frag.mp4", "en")
    #expect(stated == "its content_language is eng")
    // The mix with a French name becomes a German one, so that asking for French finds none.
    let name = IAMFExpectation.media("syn_soa_projection_two_mixes_flac.iamf")
    var data = try Data(contentsOf: URL(fileURLWithPath: name))
    let tag = Data("content_language".utf8) + [0]
    let place = try #require(data.range(of: tag + Data("fra".utf8)))
    data.replaceSubrange(place, with: tag + Data("deu".utf8))
    let made = try MadeMedia("german.iamf", bytes: data)
    let found = try IAMFComparison.read(made.path) { $0.presentation = .languages(["fr"]) }
    let choice = try #require(found.log.decisions.first { $0.code == .presentation })
    #expect(choice.chose.hasPrefix("11 ") && choice.why.contains("are in eng, deu"), "\(choice)")
  }

  /// Everything that is stated of mixes is told, as an independent reader found it.
  @Test(
    "mixes are described with the elements and loudness that an independent reader found",
    arguments: IAMFExpectation.names)
  func mixesAreDescribed(name: String) throws {
    let found = try IAMFComparison.read(IAMFExpectation.media(name)).reader.track.mixes
    let expected = try IAMFExpectation(name).mixes
    #expect(found.map(\.id) == expected.map(\.id))
    #expect(found.filter(\.isChosen).count == 1 && found.allSatisfy { $0.refusal == nil })
    for (mix, wanted) in zip(found, expected) {
      let elements = mix.parts.flatMap(\.elements)
      #expect(elements.map(\.id).sorted() == wanted.elements.map(\.id))
      let stated = mix.parts.flatMap(\.loudness)
      #expect(stated.map(\.integrated) == wanted.stated.map(\.integrated))
      #expect(stated.map(\.layout.name) == wanted.stated.map(\.layout))
      #expect(!mix.names.isEmpty && mix.names.allSatisfy { !$0.language.isEmpty })
    }
  }

  /// Description of each kind of element.
  @Test("elements are described as channels with their layers or as a scene with its order")
  func elementsAreDescribed() throws {
    func contents(_ name: String) throws -> [MixFacts.Element.Content] {
      try IAMFComparison.read(IAMFExpectation.media(name)).reader.track.mixes[0].parts[0].elements
        .map(\.content)
    }
    #expect(
      try contents("syn_scalable_2_512_714_lpcm24.iamf")
        == [.channels(layers: ["stereo", "5.1.2", "7.1.4"])])
    #expect(
      try contents("syn_soa_projection_two_mixes_flac.iamf").contains(.scene(order: 2)))
    #expect(
      try contents("syn_expanded_916_lpcm16.iamf").first == .channels(layers: ["9.1.6"]))
  }

  /// A cut file loses its last unit only, and says so; a damaged frame fails, or becomes silence.
  @Test("a cut IAMF file loses its last unit and says so") func damageIsTold() throws {
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
