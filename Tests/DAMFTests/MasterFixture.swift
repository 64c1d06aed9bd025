// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation

@testable import DAMF

/// A small set in memory: bed channels L and R (0, 1), object 10, 2,400 silent frames at 48 kHz; and variants of it.
struct MasterFixture {
  /// Files by name; the root is `x.atmos`.
  var files: [String: [UInt8]] = [
    "x.atmos": Array(MasterFixture.root.utf8),
    "x.atmos.metadata": Array(MasterFixture.metadata.utf8),
    "x.atmos.audio": MasterFixture.caf(),
  ]

  static let root = """
    version: 0.5.1
    presentations:
      - type: home
        simplified: false
        metadata: x.atmos.metadata
        audio: x.atmos.audio
        offset: 3598.0
        ffoa: 3600.0
        fps: 23.976
        scBedConfiguration: [3]
        creationTool: synthetic
        creationToolVersion: 1.0
        downmixType_5to2: LoRo_Stereo
        51-to-20_LsRs90degPhaseShift: false
        warpMode: normal
        bedInstances:
          - channels:
              - channel: L
                ID: 0
              - channel: R
                ID: 1
        objects:
          - ID: 10

    """

  static let metadata = """
    sampleRate: 48000
    events:
      - ID: 0
        samplePos: 0
        active: true
        gain: 0
        rampLength: 0
        binauralRenderMode: undefined
      - ID: 1
        samplePos: 0
        active: true
      - ID: 10
        samplePos: 0
        active: true
        pos: [0, 1, 0]
        snap: false
        elevation: true
        zones: all
        size: 0
        decorr: 0
        importance: 1
        gain: 0
        rampLength: 0
        trimBypass: false
        dialog: -1
        music: -1
        screenFactor: 0
        depthFactor: 0.25
        headTrackMode: undefined
        binauralRenderMode: undefined
      - ID: 10
        samplePos: 480
        pos: [0.5, 0.5, 0]
        rampLength: 480

    """

  /// A CAF file of silence in 24 bits.
  static func caf(
    channels: UInt32 = 3, frames: Int = 2400, rate: Double = 48_000, coding: String = "lpcm",
    flags: UInt32 = 2, bits: UInt32 = 24, missing: Int = 0, isOpen: Bool = false,
    before: [UInt8] = []
  ) -> [UInt8] {
    let frame = channels * bits / 8
    let count = frames * Int(frame)
    let size = isOpen ? -1 : Int64(count + 4)
    let description: [UInt8] =
      rate.bitPattern.bigEndianBytes + Array(coding.utf8) + flags.bigEndianBytes
      + frame.bigEndianBytes + UInt32(1).bigEndianBytes + channels.bigEndianBytes
      + bits.bigEndianBytes
    return Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + Int64(32).bigEndianBytes
      + description + before + Array("data".utf8) + size.bigEndianBytes + [0, 0, 0, 0]
      + [UInt8](repeating: 0, count: count - missing)
  }

  /// This set with another text in place of the first occurrence of `old` in file `name`.
  func replacing(_ old: String, _ new: String, in name: String = "x.atmos.metadata") -> Self {
    var text = String(decoding: files[name] ?? [], as: UTF8.self)
    guard let range = text.range(of: old) else {
      preconditionFailure("the fixture has no \(old)")
    }
    text.replaceSubrange(range, with: new)
    return with(name, Array(text.utf8))
  }

  /// This set with another file, or without it.
  func with(_ name: String, _ bytes: [UInt8]?) -> Self {
    var copy = self
    copy.files[name] = bytes
    return copy
  }

  /// This set with other events behind `sampleRate`.
  func withEvents(_ events: String) -> Self {
    with("x.atmos.metadata", Array(("sampleRate: 48000\nevents:\n" + events).utf8))
  }

  var folder: MasterFolder {
    let files = files
    return MasterFolder(
      has: { files[$0] != nil },
      bytes: { name, limit in Array((files[name] ?? []).prefix(limit + 1)) },
      source: { ByteSource(files[$0] ?? []) })
  }

  /// The set, and its findings.
  func open(followsModes: Bool = true) throws -> (set: MasterSet, findings: [DAMFFinding]) {
    let log = DAMFLog()
    let set = try MasterSet("x.atmos", in: folder, followsModes: followsModes, log: log)
    return (set, log.findings)
  }
}

extension MasterTimeline {
  /// All changes.
  var events: [Event] {
    var copy = self
    var events: [Event] = []
    while let event = copy.advance() { events.append(event) }
    return events
  }

  /// The state at each of these samples, which ascend.
  func states(at samples: some Sequence<Int64>) -> [ObjectState] {
    let events = events
    var motion = ObjectMotion(restingIn: start)
    var (clock, next): (Int64, Int) = (0, 0)
    return samples.map { sample in
      while next < events.count, events[next].at <= sample {
        (motion, clock) = (events[next].motion, events[next].at)
        next += 1
      }
      return motion.advanced(by: Int(sample - clock)).state
    }
  }
}
