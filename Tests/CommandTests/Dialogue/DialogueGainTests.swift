// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A louder voice, and mixes of the user's own, on the command line.
@Suite(.tags(.system), .fullRunOnly) struct DialogueGainTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // Six channels of noise that has nothing in common.
    var noise = SeededNoise(seed: 5)
    let planes = (0..<6).map { _ in noise.samples(48_000, peak: 0.1) }
    try WAVBytes.float32(planes, rate: 48_000, mask: 0x3F).write(to: folder.url("six.wav"))
  }

  @Test("the centre channel alone changes, by exactly what is asked for")
  func theCentreChanges() throws {
    let plain = try RenderedSamples(folder.file("six.wav"), ["-b", "32f"])
    for gain in [3.0, -6] {
      let changed = try RenderedSamples(
        folder.file("six.wav"), ["-b", "32f", "--dialogue", "\(gain)"])
      let factor = Float(pow(10, gain / 20))
      for channel in 0..<6 {
        let wanted = plain.planes[channel].map { channel == 2 ? factor * $0 : $0 }
        #expect(changed.planes[channel] == wanted, "channel \(channel)")
      }
      let share = (changed.report["dialogueGain"] as? [String: Any])?["share"] as? Double
      // One of three front channels of weight 1, and two surrounds of 1.41; the LFE has none.
      #expect(abs((share ?? 0) - 1 / (3 + 2 * 1.41)) < 0.02)
    }
  }

  private static let coded = SharedMedia.beside("media/ChannelCheck.ac4")

  @Test(
    "dialogue that the decoder of AC-4 raises is named, and more than it can is refused",
    .enabled(if: coded != nil, "../shared/media isn't here"))
  func theDecoderRaisesDialogue() throws {
    let raised = try RenderedSamples(Self.coded ?? "", ["--dialogue", "3"])
    #expect(raised.choice("dialog-enhancement") == "+3.00 dB")
    #expect(raised.planes != (try RenderedSamples(Self.coded ?? "")).planes)
    let result = try Product.run([
      "render", Self.coded ?? "", "-o", folder.file("out.wav"), "--dialogue", "13",
    ])
    #expect(result.status == 2 && result.errors.contains("12 dB at most"), "\(result.errors)")
  }

  /// Matrices, as ffmpeg's `pan` and as an own mix: thirty of them.
  private static let matrices =
    [
      "stereo|FL=FL+0.707*FC+0.707*BL|FR=FR+0.707*FC+0.707*BR", "mono|FC=0.5*FL+0.5*FR",
      "mono|c0=0.5*c0+0.5*c1", "stereo|FL<FL+FC|FR<FR+FC", "stereo|FL<FL+2*FC+0.5*LFE|FR<FR-FC",
      "stereo|FL=FR|FR=FL", "stereo| FL = FL + 0.3*BL | FR = FR + .3*BR", "stereo|c0=c2|c1=c3",
      "5.1|FL=FL|FR=FR|FC=0.5*FC|LFE=LFE|BL=BL|BR=BR", "3.0|FL=FL|FR=FR|FC=FC+LFE",
      "quad|FL=FL|FR=FR|BL=BL-0.5*FC|BR=BR-0.5*FC", "2.1|FL=FL+FC|FR=FR+FC|LFE=10*LFE",
      "stereo|FL=-1*FL|FR=-0.5*FR", "stereo|FL=FL-BL+0.25*FC|FR=FR-BR+0.25*FC",
      "mono|FC<FL+FR+FC+BL+BR",
    ]
    + (1...15).map { index in
      let gains = (0..<6).map { channel in
        String(format: "%.3f", Double((index * 7 + channel * 13) % 40) / 20)
      }
      return "stereo|FL=\(gains[0])*FL+\(gains[1])*FC-\(gains[2])*BL"
        + "|FR<\(gains[3])*FR+\(gains[4])*FC+\(gains[5])*BR+LFE"
    }

  @Test("thirty matrices are the mix that ffmpeg's pan makes of them", arguments: matrices)
  func matricesAreThoseOfPan(text: String) throws {
    let peer = folder.file("peer.wav")
    try FixtureStore.ffmpeg([
      "-i", folder.file("six.wav"), "-af", "pan=" + text, "-c:a", "pcm_f32le", peer,
    ])
    let wanted = try #require(WAVPlanes(try Data(contentsOf: URL(fileURLWithPath: peer)))).planes
    let own = try RenderedSamples(
      folder.file("six.wav"),
      ["-b", "32f", "--downmix", text.count.isMultiple(of: 2) ? text : "pan=" + text])
    #expect(own.planes.count == wanted.count && own.count == wanted.first?.count)
    for (one, other) in zip(own.planes.joined(), wanted.joined()) {
      #expect(abs(one - other) < 1e-6)
    }
  }

  @Test("a matrix without a layout makes one of its rows, and names what it leaves out")
  func rowsMakeALayout() throws {
    let own = try RenderedSamples(
      folder.file("six.wav"), ["-b", "32f", "--downmix", "FR=FR+0.5*FC|FL=FL+0.5*FC"])
    let plain = try RenderedSamples(folder.file("six.wav"), ["-b", "32f"])
    for index in stride(from: 0, to: own.count, by: 11) {
      let (left, right) = (plain.planes[0][index], plain.planes[1][index])
      #expect(abs(own.planes[0][index] - (left + 0.5 * plain.planes[2][index])) < 1e-6)
      #expect(abs(own.planes[1][index] - (right + 0.5 * plain.planes[2][index])) < 1e-6)
    }
    #expect(own.kinds.contains("lfe-dropped"))
    let decisions = own.report["decisions"] as? [[String: Any]] ?? []
    #expect(decisions.contains { ($0["chose"] as? String) == "without BL, BR" })
  }

  @Test("a matrix comes after the gain of the dialogue, and in front of the endpoint")
  func theOrderIsKept() throws {
    let text = "FL=FL+FC|FR=FR+FC"
    let both = try RenderedSamples(
      folder.file("six.wav"), ["-b", "32f", "--dialogue", "6", "--downmix", text])
    let plain = try RenderedSamples(folder.file("six.wav"), ["-b", "32f"])
    let factor = Float(pow(10, 6 / 20.0))
    let wanted = zip(plain.planes[0], plain.planes[2]).map { $0 + factor * $1 }
    for (one, other) in zip(both.planes[0], wanted) { #expect(abs(one - other) < 1e-6) }
    let heard = try RenderedSamples(
      folder.file("six.wav"), ["-e", "headphones", "--downmix", text])
    #expect(heard.planes.count == 2)
  }

  private static let faults: [(text: String, says: String)] = [
    ("FL=FL+XX|FR=FR", "column 7: the source has no channel XX: it has FL, FR, FC, LFE, BL, BR"),
    ("FL=", "column 4: expected a channel or a number, not the end"),
    ("FL=0.5 FC", "column 8: expected \"*\" and a channel after the number, not \"F\""),
    ("FL=FL|FL=FR", "column 7: FL is given twice"),
    ("FL=FL;FR=FR", "column 6: expected \"+\", \"-\", \"|\" or the end, not \";\""),
    ("FL=99*FC", "column 4: a gain may be 10 (+20 dB) at most"),
    ("stereo|FL=FL", "column 13: stereo has FR, too, which no row makes"),
    ("FL=1.2.3*FC", "column 4: 1.2.3 is no number"), ("FL=FL+FL", "column 7: FL is given twice"),
    ("loud|FL=FL", "column 1: loud is neither a layout nor a row such as FL=FL+0.7*FC"),
    ("c0=FL", "column 1: c0 is no loudspeaker"), ("stereo", "give standard, stream or a matrix"),
  ]

  @Test("faults of a matrix are named with their column", arguments: faults.indices)
  func faultsAreNamed(row: Int) throws {
    let result = try Product.run([
      "render", folder.file("six.wav"), "-o", folder.file("out.wav"), "--downmix",
      Self.faults[row].text,
    ])
    #expect(result.status == 2 && result.errors.contains(Self.faults[row].says), "\(result.errors)")
  }
}
