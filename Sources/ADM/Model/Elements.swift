// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The elements of one audioFormatExtended, as they stand in the document: nothing is resolved.
package struct ADMDocument: Sendable {
  /// The N of `ITU-R_BS.2076-N`; 1 when nothing is stated.
  package var version = 1
  package var programmes: [AudioProgramme] = []
  package var contents: [AudioContent] = []
  package var objects: [AudioObject] = []
  package var packs: [AudioPackFormat] = []
  package var channels: [AudioChannelFormat] = []
  package var streams: [AudioStreamFormat] = []
  package var trackFormats: [AudioTrackFormat] = []
  package var tracks: [AudioTrackUID] = []

  /// A document without elements.
  package init() {}

  package var blockCount: Int { channels.reduce(0) { $0 + $1.blocks.count } }
}

/// A programme: what is played at one time (audioProgramme, BS.2076-2, 5.8).
package struct AudioProgramme: Sendable {
  package var id: ElementID
  package var name = ""
  /// Language as written; empty when nothing is stated.
  package var language = ""
  package var contents: [ElementID] = []
  /// The values of objects that hold in this programme.
  package var valueSets: [ElementID] = []
  /// The screen that positions refer to.
  package var screen = ReferenceScreen()
}

/// The screen that a programme was made for (audioProgrammeReferenceScreen, BS.2076-2, 5.8.4).
package struct ReferenceScreen: Sendable, Hashable {
  /// Width over height.
  package var aspectRatio = 1.78
  /// Whether centre and width are Cartesian.
  package var isCartesian = false
  /// Its middle.
  package var centre = Position(0, 0, 1)
  /// Width in degrees, or in X.
  package var width = 58.0
}

/// A content: one part of a programme (audioContent, BS.2076-2, 5.7).
package struct AudioContent: Sendable {
  package var id: ElementID
  package var name = ""
  /// Language as written; empty when nothing is stated.
  package var language = ""
  package var objects: [ElementID] = []
  /// The values of objects that hold in this content.
  package var valueSets: [ElementID] = []
  /// Kind of the content; `nil` when nothing is stated.
  package var dialogue: DialogueKind?
}

/// Whether a content is speech (dialogue, BS.2076-2, 5.7.3), with the number of its finer kind.
package enum DialogueKind: Sendable, Hashable {
  /// No speech: 0 undefined, 1 music, 2 effects.
  case none(Int)
  /// Speech: 0 undefined, 1 dialogue, 2 voice-over, 3 spoken subtitle, 4 audio description,
  /// 5 commentary, 6 emergency.
  case speech(Int)
  /// Both: 0 undefined, 1 complete main, 2 mixed, 3 hearing impaired.
  case mixed(Int)
}

extension DialogueKind {
  private static let speech = [
    "voice-over", "spoken-subtitle", "audio-description", "commentary", "emergency",
  ]
  private static let mixed = ["complete-main", "mixed", "hearing-impaired"]

  /// Names by which a listener may call it: the kind, and the finer one where it is stated.
  package var words: [String] {
    switch self {
    case .none(1): return ["music"]
    case .none(2): return ["effects"]
    case .none: return []
    case .speech(let kind):
      let place = kind - 2
      return ["dialogue"]
        + (DialogueKind.speech.indices.contains(place) ? [DialogueKind.speech[place]] : [])
    case .mixed(let kind):
      let place = kind - 1
      let finer = DialogueKind.mixed.indices.contains(place) ? DialogueKind.mixed[place] : "mixed"
      return finer == "mixed" ? ["mixed"] : ["mixed", finer]
    }
  }
}

/// An object: tracks that belong together, or other objects (audioObject, BS.2076-2, 5.6).
package struct AudioObject: Sendable {
  package var id: ElementID
  package var name = ""
  /// When it begins.
  package var start = ADMTime.zero
  /// How long it lasts; `nil` to the end.
  package var duration: ADMTime?
  /// How important it is, 0…10; `nil` when nothing is stated.
  package var importance: Int?
  package var packs: [ElementID] = []
  package var tracks: [ElementID] = []
  /// Objects inside it.
  package var objects: [ElementID] = []
  /// Objects of which one is played instead of it.
  package var complements: [ElementID] = []
  package var values = ObjectValues()
  /// Values that replace those above when a programme or content names their set.
  package var valueSets: [ObjectValues] = []
  /// Whether it moves with the head.
  package var isHeadLocked = false
}

/// Values of an object that a set of alternatives may replace (alternativeValueSet, BS.2076-2, 5.6.6).
package struct ObjectValues: Sendable, Hashable {
  /// The set's identifier; `nil` for the object's own values.
  package var id: ElementID?
  /// Amplitude; `nil` when nothing is stated.
  package var gain: Double?
  /// Whether it is silent; `nil` when nothing is stated.
  package var isMuted: Bool?
  /// Offset added to positions; `nil` when nothing is stated.
  package var offset: PositionOffset?
  /// Changes allowed to a listener; `nil` when nothing is stated.
  package var interaction: ObjectInteraction?

  /// These values, with those of `other` that are stated in their place.
  package func replaced(by other: ObjectValues) -> ObjectValues {
    ObjectValues(
      id: other.id, gain: other.gain ?? gain, isMuted: other.isMuted ?? isMuted,
      offset: other.offset ?? offset, interaction: other.interaction ?? interaction)
  }
}

/// The offset added to an object's positions (positionOffset, BS.2076-2, 5.6.5).
package struct PositionOffset: Sendable, Hashable {
  /// Whether it is added to X, Y and Z, not to azimuth, elevation and distance.
  package var isCartesian: Bool
  /// The addend of each coordinate.
  package var offset = Position(0, 0, 0)
}

/// A pack: channels that belong together (audioPackFormat, BS.2076-2, 5.5).
package struct AudioPackFormat: Sendable {
  package var id: ElementID
  package var name = ""
  package var kind: ContentKind
  package var channels: [ElementID] = []
  /// Packs inside it.
  package var packs: [ElementID] = []
  /// How important it is, 0…10; `nil` when nothing is stated.
  package var importance: Int?
  /// Of a Matrix that decodes: the packs that encode.
  package var encodes: [ElementID] = []
  /// Of a Matrix: what goes in.
  package var input: ElementID?
  /// Of a Matrix: what comes out.
  package var output: ElementID?
  /// Of HOA: what holds for all channels that don't state it.
  package var scene = SceneDetails()
}

/// A channel and its blocks (audioChannelFormat, BS.2076-2, 5.3).
package struct AudioChannelFormat: Sendable {
  package var id: ElementID
  package var name = ""
  package var kind: ContentKind
  /// In the order of the document.
  package var blocks: [AudioBlock] = []
  /// Details that blocks refer to; no two are equal.
  package var details: [BlockDetails] = []
  /// Frequency in Hz above which it has nothing; `nil` when nothing is stated.
  package var lowPass: Double?
  /// Frequency in Hz below which it has nothing; `nil` when nothing is stated.
  package var highPass: Double?

  /// Details of `block`, beside its own values.
  package func details(of block: AudioBlock) -> BlockDetails {
    details.indices.contains(Int(block.details)) ? details[Int(block.details)] : .none
  }
}

/// A stream: joins a track format to a channel (audioStreamFormat, BS.2076-2, 5.2).
package struct AudioStreamFormat: Sendable {
  package var id: ElementID
  package var channel: ElementID?
  package var tracks: [ElementID] = []
  /// Whether it is coded as PCM.
  package var isPCM = true
}

/// The format of a track (audioTrackFormat, BS.2076-2, 5.1).
package struct AudioTrackFormat: Sendable {
  package var id: ElementID
  package var stream: ElementID?
  /// Whether it is coded as PCM.
  package var isPCM = true
}

/// A use of a track of the file (audioTrackUID, BS.2076-2, 5.9).
package struct AudioTrackUID: Sendable {
  package var id: ElementID
  /// An audioTrackFormat; `nil` when nothing is stated.
  package var format: ElementID?
  /// An audioChannelFormat; `nil` when nothing is stated.
  package var channel: ElementID?
  package var pack: ElementID?
}
