// SPDX-License-Identifier: Apache-2.0

/// The root of a set (`NAME.atmos`): its only presentation.
package struct MasterRoot: Sendable {
  /// Name of the root's file, without its folder.
  package let file: String
  /// Version of the format as written, e.g. `0.5.1`; empty when nothing is stated.
  package var version = ""
  /// Language as written; `nil` when nothing is stated.
  package var language: String?
  /// The presentation.
  package var presentation = MasterPresentation()
}

/// A presentation: the channels, the names of their files, and what was noted about them.
package struct MasterPresentation: Sendable {
  /// How Dolby's own downmix to 5.1 channels is made.
  package enum WarpMode: String, Sendable, CaseIterable {
    case normal, warping
    case proLogicIIx = "ProLogicIIx"
    case loRo = "LoRo"
    case none = "None"
  }

  /// `home` or `cinema`, a label only; empty when nothing is stated.
  package var kind = ""
  /// Name of the file with the events; `nil` when nothing is stated.
  package var metadata: String?
  /// Name of the file with the sound; `nil` when nothing is stated.
  package var audio: String?
  /// Time of day of the sound's first sample in seconds; 0 when nothing is stated. Nothing is moved by it.
  package var offset = 0.0
  /// Time of day of the first frame of action in seconds; `nil` when nothing is stated.
  package var firstFrameOfAction: Double?
  /// Pictures in a second as written, e.g. `29.97df`; empty when nothing is stated. A label only.
  package var framesPerSecond = ""
  /// Program that made the set; empty when nothing is stated.
  package var tool = ""
  /// Version of that program; empty when nothing is stated.
  package var toolVersion = ""
  /// How Dolby's own downmix to 5.1 is made; `nil` when nothing is stated.
  package var warpMode: WarpMode?
  /// Dolby's own downmix from 5.1 to two channels as written; `nil` when nothing is stated.
  package var downmix: String?
  /// Whether Dolby's own downmix turns the surrounds by 90°.
  package var turnsSurrounds = false
  /// Whether trims for layouts are stated, which a renderer of Dolby's would apply.
  package var hasTrims = false
  /// Bed channels, then objects, in the order of the root; each ID occurs once.
  package var channels: [MasterChannel] = []

  /// The sample at which the first frame of action lies in a sound of `rate` Hz; `nil` when nothing is stated or it
  /// lies before the sound.
  package func firstSampleOfAction(rate: Int) -> Int64? {
    guard let firstFrameOfAction else { return nil }
    let sample = ((firstFrameOfAction - offset) * Double(rate)).rounded()
    return sample >= 0 ? Int64(exactly: sample) : nil
  }

  /// The channels in the order of the sound's: by their IDs. Gaps between IDs take none.
  package var tracks: [MasterChannel] { channels.sorted { $0.id < $1.id } }
}

/// A channel of the sound: one of a bed, or an object.
package struct MasterChannel: Sendable, Equatable {
  /// Its ID, at least 0.
  package var id: Int
  /// Loudspeaker of a bed channel; `nil` for an object.
  package var label: BedLabel?
  /// Description of its bed or object; `nil` when nothing is stated.
  package var description: String?

  /// Name that a user sees, e.g. `Bed, RC_L`.
  package var name: String {
    guard let label else { return description ?? "Object \(id)" }
    return (description ?? "Bed") + ", RC_" + label.rawValue
  }
}

/// The loudspeaker of a bed channel, by the label that the root has for it.
package enum BedLabel: String, Sendable, CaseIterable {
  case left = "L"
  case right = "R"
  case center = "C"
  case lowFrequency = "LFE"
  case sideLeft = "Lss"
  case sideRight = "Rss"
  case backLeft = "Lrs"
  case backRight = "Rrs"
  case topLeft = "Lts"
  case topRight = "Rts"
  case topFrontLeft = "Lfh"
  case topFrontRight = "Rfh"
  case topBackLeft = "Lrh"
  case topBackRight = "Rrh"
  case wideLeft = "Lw"
  case wideRight = "Rw"
  case lowFrequency2 = "LFE2"

  private static let aliases: [String: BedLabel] = [
    "Ls": .sideLeft, "Rs": .sideRight, "Lb": .backLeft, "Rb": .backRight, "Ltm": .topLeft,
    "Rtm": .topRight,
  ]

  /// The loudspeaker that a root names; `nil` for an unknown label.
  package init?(written text: String) {
    guard let label = BedLabel(rawValue: text) ?? BedLabel.aliases[text] else { return nil }
    self = label
  }

  /// Whether it carries low frequencies only.
  package var isLFE: Bool { self == .lowFrequency || self == .lowFrequency2 }

  /// Its place: X to the right, Y to the front and Z up, walls at ±1.
  package var place: Triple {
    switch self {
    case .left: Triple(x: -1, y: 1, z: 0)
    case .right: Triple(x: 1, y: 1, z: 0)
    case .center: Triple(x: 0, y: 1, z: 0)
    case .lowFrequency: Triple(x: -1, y: 1, z: -1)
    case .lowFrequency2: Triple(x: 1, y: 1, z: -1)
    case .sideLeft: Triple(x: -1, y: 0, z: 0)
    case .sideRight: Triple(x: 1, y: 0, z: 0)
    case .backLeft: Triple(x: -1, y: -1, z: 0)
    case .backRight: Triple(x: 1, y: -1, z: 0)
    case .topLeft: Triple(x: -1, y: 0, z: 1)
    case .topRight: Triple(x: 1, y: 0, z: 1)
    case .topFrontLeft: Triple(x: -1, y: 1, z: 1)
    case .topFrontRight: Triple(x: 1, y: 1, z: 1)
    case .topBackLeft: Triple(x: -1, y: -1, z: 1)
    case .topBackRight: Triple(x: 1, y: -1, z: 1)
    case .wideLeft: Triple(x: -1, y: 0.677, z: 0)
    case .wideRight: Triple(x: 1, y: 0.677, z: 0)
    }
  }
}
