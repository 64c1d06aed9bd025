// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import MediaIn
import TestSupport
import Testing

@testable import Rendering

/// A file whose metadata don't say what was meant isn't kept, whatever it is that they say.
@Suite struct ObjectProofTests {
  private static func bed(_ name: String) -> Programme.Element {
    .bed(ChannelLayout(name: name) ?? .mono)
  }

  private static let resting = ObjectState(position: .cartesian(x: 0.5, y: -0.25, z: 0))
  private static let object = Programme.Element.object(name: "Voice", start: resting)

  /// Damage to a file: all of `texts` are replaced.
  struct Damage: Sendable, CustomTestStringConvertible {
    let name: String
    let elements: [Programme.Element]
    let texts: [(String, String)]
    var testDescription: String { name }

    /// Two texts change places.
    static func swap(
      _ name: String, _ elements: [Programme.Element], _ one: String, _ other: String
    )
      -> Damage
    {
      let spare = String(repeating: "?", count: one.utf8.count)
      return Damage(
        name: name, elements: elements, texts: [(one, spare), (other, one), (spare, other)])
    }
  }

  static let damages: [Damage] = [
    .swap(
      "two channels of a bed beside an object", [bed("5.1"), object], "AT_00010001_01",
      "AT_00010002_01"),
    .swap("a channel and the LFE", [bed("5.1"), object], "AT_00010003_01", "AT_00010004_01"),
    .swap("two channels of a bed alone", [bed("5.1")], "AT_00010005_01", "AT_00010006_01"),
    .swap(
      "two channels of a bed without a pack", [bed("7.1.2")], "AT_00010022_01", "AT_00010023_01"),
    .swap(
      "two channels of such a bed beside an object", [bed("7.1.2"), object], "AT_0001000A_01",
      "AT_0001000B_01"),
    .swap("the two LFE channels", [bed("22.2"), object], "AT_00010020_01", "AT_00010021_01"),
    .swap(
      "two objects' places", [object, bed("LFE"), turned], ">0.5</position>", ">-0.5</position>"),
    .swap(
      "the components of a field", [.scene(order: 1), object], "AT_00040002_01", "AT_00040003_01"),
    Damage(
      name: "another loudspeaker", elements: [bed("LFE"), object],
      texts: [("AC_00010004", "AC_00010009"), ("AT_00010004", "AT_00010009")]),
    Damage(
      name: "the place of a loudspeaker of its own", elements: [bed("7.1(wide)"), object],
      texts: [(">15.0</position>", ">16.0</position>")]),
    Damage(
      name: "a gain of one channel", elements: [bed("7.1(wide)"), object],
      texts: [
        (
          "<position coordinate=\"azimuth\">15.0</position>",
          "<position coordinate=\"azimuth\">15</position><gain>0.5</gain>"
        )
      ]),
    Damage(
      name: "a gain of the whole bed", elements: [bed("5.1"), object],
      texts: [
        ("<audioPackFormatIDRef>AP_00010003", "<gain>.5</gain><audioPackFormatIDRef>AP_00010003")
      ]),
    Damage(
      name: "a bed that begins late", elements: [bed("5.1"), object],
      texts: [
        (
          "audioObjectName=\"5.1\" start=\"00:00:00.00000\"",
          "audioObjectName=\"5.1\" start=\"00:00:00.00002\""
        )
      ]),
    Damage(
      name: "a bed that ends early", elements: [bed("7.1.2")],
      texts: [
        (
          "audioObjectName=\"7.1.2\" start=\"00:00:00.00000\" duration=\"00:00:00.50000",
          "audioObjectName=\"7.1.2\" start=\"00:00:00.00000\" duration=\"00:00:00.49997"
        )
      ]),
    Damage(
      name: "an object's place", elements: [bed("5.1"), object],
      texts: [(">-0.25</position>", ">-0.26</position>")]),
  ]

  private static let turned = Programme.Element.object(
    name: "Band", start: ObjectState(position: .cartesian(x: -0.5, y: -0.25, z: 0)))

  /// Proves what was stored of `made`, after `change` has changed the file's bytes.
  private func prove(_ made: MadeProgramme, _ change: (inout Data) -> Void = { _ in }) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("out.wav")
    _ = try made.store(at: path)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    change(&bytes)
    let target = try OutputTarget(
      OutputRequest(.file(folder.file("copy.wav"))),
      input: .media(MediaInput(path: path, log: DiagnosticLog())), overwrite: false)
    let written = bytes.withUnsafeBytes { pwrite(target.descriptor, $0.baseAddress, $0.count, 0) }
    #expect(written == bytes.count)
    let proof = ObjectProof(target: target, programme: made.programme)
    if made.programme.elements.count == 1, case .bed(let layout) = made.programme.elements[0] {
      _ = try proof.layout(layout)
    } else {
      let kept = KeptProgramme(made.programme)
      let block = ProgrammeBlock(made.programme)
      let source = made.source
      while try source.read(into: block) {}
      kept.add(block)
      _ = try proof.levels(kept, isDualMono: false)
    }
  }

  @Test("a damaged file of objects fails its proof", arguments: damages) func damageIsNoticed(
    damage: Damage
  ) throws {
    let made = MadeProgramme(damage.elements)
    try prove(made)
    let error = try #require(
      #expect(throws: MediaError.self) {
        try prove(made) { bytes in
          for (text, other) in damage.texts {
            #expect(Patch.replace(text, other, in: &bytes) > 0, "\(text)")
          }
        }
      })
    #expect(error.kind == .verificationFailed, "\(error)")
  }

  /// Tracks are told apart even where the metadata themselves stay the same.
  @Test(arguments: ["5.1", "7.1.2"]) func tracksInAnotherOrderAreNoticed(name: String) throws {
    let made = MadeProgramme([ObjectProofTests.bed(name)])
    let error = #expect(throws: MediaError.self) {
      try prove(made) { bytes in
        // Rows of chna begin with the number of the track and its audioTrackUID.
        for (uid, track, other) in [("ATU_00000001", 1, 2), ("ATU_00000002", 2, 1)] {
          let rows = [track, other].map { "\(UnicodeScalar(UInt8($0)))\0\(uid)" }
          #expect(Patch.replace(rows[0], rows[1], in: &bytes) == 1)
        }
      }
    }
    #expect(error?.kind == .verificationFailed)
  }

  /// Channels that come back as a bed, and beds that come back as channels, are compared alike.
  @Test func channelsMustStayWhatTheyAre() throws {
    let layout = try #require(ChannelLayout(name: "5.1"))
    for index in layout.speakers.indices {
      let channel = BedChannel(index, of: layout)
      let state = ObjectState(
        position: .polar(layout.direction(at: index), distance: 1),
        rules: ObjectRules(
          role: .speaker(
            SpeakerChannel(labels: [channel.label], isLFE: layout.speakers[index].isLFE))))
      #expect(channel.isSame(as: state))
      let changes: [(inout ObjectState) -> Void] = [
        { $0.gain = 0.99 }, { $0.rules.isHeadLocked = true }, { $0.rules.headphones = .off },
        { $0.rules.role = .source },
        { $0.rules.role = .speaker(SpeakerChannel(labels: ["M+090"], isLFE: index == 3)) },
        { $0.rules.role = .speaker(SpeakerChannel(isLFE: index != 3)) },
        {
          $0.rules.role = .speaker(
            SpeakerChannel(isLFE: index == 3, least: SpeakerChannel.Bounds(first: 1)))
        },
      ]
      for change in changes {
        var other = state
        change(&other)
        #expect(!channel.isSame(as: other), "\(other)")
      }
      guard index != 3 else { continue }
      var away = state
      away.position = .polar(Direction(azimuth: 45), distance: 1)
      #expect(!channel.isSame(as: away))
      away.position = .cartesian(
        x: layout.direction(at: index).azimuth, y: layout.direction(at: index).elevation, z: 1)
      #expect(!channel.isSame(as: away))
    }
  }
}

/// Changes a file's bytes without moving what lies behind.
private enum Patch {
  /// Replaces every `text` by `other`; where that is longer, blanks behind it give way, where it is shorter,
  /// blanks fill up.
  /// - Returns: how often.
  static func replace(_ text: String, _ other: String, in bytes: inout Data) -> Int {
    let (old, new) = (Data(text.utf8), Data(other.utf8))
    var count = 0
    var start = bytes.startIndex
    while let found = bytes.range(of: old, in: start..<bytes.endIndex) {
      bytes.replaceSubrange(found, with: new)
      start = found.lowerBound + new.count
      fit(by: new.count - old.count, from: start, in: &bytes)
      count += 1
    }
    return count
  }

  /// Takes away `surplus` blanks of the document behind `start`, or adds them.
  private static func fit(by surplus: Int, from start: Int, in bytes: inout Data) {
    guard surplus != 0, let end = bytes.range(of: Data("\n  ".utf8), in: start..<bytes.endIndex)
    else { return }
    if surplus < 0 {
      bytes.insert(
        contentsOf: repeatElement(UInt8(ascii: " "), count: -surplus), at: end.upperBound)
      return
    }
    var left = surplus
    var place = end.lowerBound + 1
    while left > 0, place < bytes.endIndex {
      // One blank of each line's indentation stays.
      if bytes[place] == UInt8(ascii: " "),
        bytes[place - 1] == UInt8(ascii: " ")
          || bytes[place - 1] == UInt8(ascii: "\n")
      {
        bytes.remove(at: place)
        left -= 1
      } else {
        place += 1
      }
    }
  }
}
