// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import DAMF

/// Sets with one fault each: the fault is refused with its code and place, or named and passed over.
@Suite struct BrokenSetTests {
  /// A set with a fault.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: String
    let set: @Sendable () -> MasterFixture

    init(_ name: String, _ code: String, _ set: @escaping @Sendable () -> MasterFixture) {
      (testDescription, self.code, self.set) = (name, code, set)
    }
  }

  private static let good: @Sendable () -> MasterFixture = { MasterFixture() }

  static let refused: [Case] = [
    Case("no sound", "damf.audio.missing") { good().with("x.atmos.audio", nil) },
    Case("no events", "damf.metadata.missing") { good().with("x.atmos.metadata", nil) },
    Case("cut sound", "damf.audio.short") {
      good().with("x.atmos.audio", MasterFixture.caf(missing: 1200 * 9 + 4))
    },
    Case("a channel too many", "damf.audio.channels") {
      good().with("x.atmos.audio", MasterFixture.caf(channels: 4))
    },
    Case("coded sound", "damf.audio.format") {
      good().with("x.atmos.audio", MasterFixture.caf(coding: "aac "))
    },
    Case("sound in WAV", "damf.audio.format") {
      good().with("x.atmos.audio", Array("RIFF\0\0\0\0WAVE".utf8))
    },
    Case("rates differ", "damf.rate.mismatch") { good().replacing("48000", "44100") },
    Case("an anchor", "damf.yaml.alias") { good().replacing("pos: [0,", "pos: &a [0,") },
    Case("an alias", "damf.yaml.alias") { good().replacing("gain: 0", "gain: *a") },
    Case("a tag", "damf.yaml.alias") { good().replacing("gain: 0", "gain: !!float 0") },
    Case("no YAML", "damf.yaml.syntax") { good().replacing("[0, 1, 0]", "[0, 1") },
    Case("two lists of events", "damf.yaml.syntax") {
      good().replacing("events:", "events: []\nevents:")
    },
    Case("UTF-16", "damf.text.encoding") {
      good().with("x.atmos", [0xFF, 0xFE] + MasterFixture.root.utf8.flatMap { [$0, 0] })
    },
    Case("a zero byte", "damf.text.encoding") { good().replacing("all", "a\0ll") },
    Case("a byte that is no UTF-8", "damf.text.encoding") {
      good().with("x.atmos.metadata", Array(MasterFixture.metadata.utf8) + [0xFF])
    },
    Case("a position of NaN", "damf.value.number") { good().replacing("[0.5,", "[.nan,") },
    Case("an infinite position", "damf.value.number") { good().replacing("[0.5,", "[.inf,") },
    Case("a position of two numbers", "damf.value.number") {
      good().replacing("[0.5, 0.5, 0]", "[0.5, 0.5]")
    },
    Case("a huge position", "damf.value.number") { good().replacing("[0.5,", "[1e999,") },
    Case("a hexadecimal position", "damf.value.number") { good().replacing("[0.5,", "[0x1p3,") },
    Case("a gain above all", "damf.value.number") { good().replacing("gain: 0", "gain: 1e5") },
    Case("half a sample", "damf.value.number") {
      good().replacing("samplePos: 480", "samplePos: 480.5")
    },
    Case("a huge time", "damf.value.number") {
      good().replacing("samplePos: 480", "samplePos: 9223372036854775808")
    },
    Case("a negative time", "damf.time.negative") {
      good().replacing("samplePos: 480", "samplePos: -480")
    },
    Case("a negative ramp", "damf.time.negative") {
      good().replacing("rampLength: 480", "rampLength: -1")
    },
    Case("no rate", "damf.key.missing") { good().replacing("sampleRate: 48000\n", "") },
    Case("a first event without ID", "damf.id.missing") {
      good().withEvents("  - samplePos: 0\n")
    },
    Case("an event that is a word", "damf.value.form") { good().withEvents("  - word\n") },
    Case("a switch that is neither on nor off", "damf.value.form") {
      good().replacing("snap: false", "snap: maybe")
    },
    Case("an ID twice", "damf.id.duplicate") {
      good().replacing("- ID: 10", "- ID: 1", in: "x.atmos")
    },
    Case("a name in another folder", "damf.name.path") {
      good().replacing("audio: x", "audio: ../../x", in: "x.atmos")
    },
    Case("a name with a folder of Windows", "damf.name.path") {
      good().replacing("metadata: x", "metadata: C:\\x", in: "x.atmos")
    },
    Case("a cipher", "damf.encrypted") {
      good().replacing("fps: 23.976", "fps: 24\n    audioCipherIV: 00", in: "x.atmos")
    },
    Case("no presentation", "damf.presentations") {
      good().with("x.atmos", Array("version: 0.5.1\npresentations: []\n".utf8))
    },
    Case("two presentations", "damf.presentations") {
      good().replacing("- type: home", "- type: cinema\n  - type: home", in: "x.atmos")
    },
    Case("an empty root", "damf.presentations") { good().with("x.atmos", []) },
    Case("an unknown loudspeaker", "damf.bed.label") {
      good().replacing("channel: R", "channel: Rq", in: "x.atmos")
    },
    Case("129 channels", "damf.limit") {
      let more = (11..<138).map { "      - ID: \($0)\n" }.joined()
      return good().with("x.atmos", Array((MasterFixture.root + more).utf8))
    },
  ]

  @Test("a set with a fault is refused with its code, file and remedy", arguments: refused)
  func faultsAreRefused(broken: Case) throws {
    let error = #expect(throws: DAMFError.self) { try broken.set().open() }
    #expect(error?.code.rawValue == broken.code, "\(error?.description ?? "")")
    #expect(error?.place.file.hasPrefix("x.atmos") == true)
    #expect(error?.message.isEmpty == false)
  }

  static let taken: [Case] = [
    Case("unknown zones", "damf.value.zones") { good().replacing("all", "no ceiling") },
    Case("events out of order", "damf.time.order") {
      good().replacing("samplePos: 480", "samplePos: 960\n  - samplePos: 480")
    },
    Case("an ID that isn't declared", "damf.id.unknown") {
      good().replacing("  - ID: 10\n    samplePos: 480", "  - ID: 99\n    samplePos: 480")
    },
    Case("44.1 kHz in both", "damf.rate.unusual") {
      good().replacing("48000", "44100").with("x.atmos.audio", MasterFixture.caf(rate: 44_100))
    },
    Case("a stale name", "damf.name.stale") {
      good().replacing("audio: x", "audio: old", in: "x.atmos")
    },
    Case("a key twice", "damf.yaml.duplicate") {
      good().replacing("rampLength: 480", "rampLength: 0\n    rampLength: 480")
    },
    Case("a key of the root twice", "damf.yaml.duplicate") {
      good().replacing("fps: 23.976", "fps: 24\n    fps: 25", in: "x.atmos")
    },
    Case("an object outside the room", "damf.value.range") { good().replacing("[0.5,", "[1.5,") },
    Case("a size above 1", "damf.value.range") { good().replacing("size: 0", "size: 2") },
    Case("an unknown key of an event", "damf.key.unknown") {
      good().replacing("snap:", "colour: red\n    snap:")
    },
    Case("an unknown key of the root", "damf.key.unknown") {
      good().replacing("fps:", "colour: red\n    fps:", in: "x.atmos")
    },
    Case("an unknown mode", "damf.value.mode") {
      good().replacing("headTrackMode: undefined", "headTrackMode: upside down")
    },
    Case("an unknown version", "damf.version") {
      good().replacing("0.5.1", "7", in: "x.atmos")
    },
    Case("a decimal comma", "damf.value.comma") { good().replacing("size: 0", "size: 0,5") },
    Case("a late first event", "damf.time.late") {
      good().replacing("- ID: 1\n    samplePos: 0", "- ID: 1\n    samplePos: 7")
    },
    Case("an event behind the end", "damf.time.end") {
      good().replacing("samplePos: 480", "samplePos: 2400")
    },
    Case("an object without a place", "damf.object.place") {
      good().withEvents("  - ID: 10\n    active: true\n")
    },
    Case("IDs that don't ascend", "damf.id.order") {
      good().replacing("ID: 1\n", "ID: 11\n", in: "x.atmos")
    },
    Case("a cut frame at an open end", "damf.audio.cut") {
      good().with("x.atmos.audio", MasterFixture.caf(missing: 1, isOpen: true))
    },
    Case("a warp mode", "damf.ignored") {
      good().replacing("warpMode: normal", "warpMode: warping", in: "x.atmos")
    },
    Case("a screen factor", "damf.ignored") {
      good().replacing("screenFactor: 0", "screenFactor: 0.5")
    },
  ]

  @Test("a set with an oddity is read, and the oddity named", arguments: taken)
  func odditiesAreNamed(odd: Case) throws {
    let (set, findings) = try odd.set().open()
    #expect(findings.map(\.code.rawValue).contains(odd.code), "\(findings)")
    #expect(set.scene.elements.count == 3)
    #expect(findings.allSatisfy { $0.message.contains("x.atmos") || $0.message.contains("old") })
  }

  @Test("a good set has no findings")
  func aGoodSetHasNoFindings() throws {
    #expect(try MasterFixture().open().findings.isEmpty)
  }

  @Test("an error names its file, line and keys, and becomes a failure of the same words")
  func errorsNameTheirPlaces() throws {
    let error = #expect(throws: DAMFError.self) {
      try MasterFixture().replacing("[0.5,", "[.nan,").open()
    }
    #expect(error?.place == DAMFPlace("x.atmos.metadata", line: 33, keys: "events.pos"))
    let failure = error?.mediaError(about: "/m/x.atmos")
    #expect(failure?.kind == .damaged)
    #expect(failure?.message.contains("x.atmos.metadata, line 33 (events.pos)") == true)
  }
}
