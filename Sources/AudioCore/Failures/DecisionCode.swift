// SPDX-License-Identifier: Apache-2.0

/// A choice that was made for the user, with its reason.
public struct Decision: Sendable, Hashable, Codable {
  /// Stable token of what was chosen, e.g. `track`.
  public let code: DecisionCode
  /// The choice.
  public let chose: String
  /// The reason.
  public let why: String
  /// Subject of the choice.
  public let subject: DiagnosticSubject

  /// A choice with its reason.
  public init(
    _ code: DecisionCode, chose: String, why: String, subject: DiagnosticSubject = .run
  ) {
    self.code = code
    self.chose = chose
    self.why = why
    self.subject = subject
  }

  /// Reads a choice; reports of version 1 call the code `what` and have no subject.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    code =
      try values.decodeIfPresent(DecisionCode.self, forKey: .code)
      ?? values.decode(DecisionCode.self, forKey: .what)
    chose = try values.decode(String.self, forKey: .chose)
    why = try values.decode(String.self, forKey: .why)
    subject = try values.decodeIfPresent(DiagnosticSubject.self, forKey: .subject) ?? .run
  }

  /// Writes code, choice, reason and subject.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(code, forKey: .code)
    try values.encode(chose, forKey: .chose)
    try values.encode(why, forKey: .why)
    try values.encode(subject, forKey: .subject)
  }

  private enum Key: String, CodingKey {
    case code, what, chose, why, subject
  }
}

/// The subject of a choice that was made for the user; the stable token of a decision.
public enum DecisionCode: String, Sendable, Codable, CaseIterable {
  /// The loudness that is brought to the target.
  case anchor
  /// Start of the sound in relation to the pictures.
  case audioStart = "audio-start"
  /// How many bits a sample of the input has.
  case bitDepth = "bit-depth"
  /// How many bits a sample of the output has.
  case bits
  /// Chapters taken over, changed or left out.
  case chapters
  /// Coding of the output.
  case codec
  /// Container that the input is read as.
  case container
  /// Cover picture taken over, changed or left out.
  case coverArt = "cover-art"
  /// How far dialogue is raised.
  case dialogEnhancement = "dialog-enhancement"
  /// Origin of a downmix's gains.
  case downmix
  /// Repetition of a lossy encoding because it lifted the true peak.
  case encodedAgain = "encoded-again"
  /// Samples left out at the end.
  case end
  /// Endpoint that the output is meant for.
  case endpoint
  /// Treatment of samples above full scale.
  case fullScale = "full-scale"
  /// Whether an output of MP4 is written in fragments, and how players find them.
  case fragments
  /// Gain that is applied, and why it isn't the one that reaches the target.
  case gain
  /// Treatment of what filters put before the first sample.
  case filterHead = "filter-head"
  /// How the listener holds the head.
  case head
  /// By how much the interaural delays of the HRTF set are stretched.
  case headSize = "head-size"
  /// Whether the diffuse field of the HRTF set is made flat and its bass extended.
  case hrtfProcessing = "hrtf-processing"
  /// Kind of responses that headphones get.
  case hrtfSet = "hrtf-set"
  /// Whether left and right of the HRTF set are made equal.
  case hrtfSymmetry = "hrtf-symmetry"
  /// Layers of a bed of IAMF.
  case layers
  /// Channel layout that is used.
  case layout
  /// Parts of the input that the output doesn't hold.
  case leftOut = "left-out"
  /// The gain over time that levels the programme.
  case levelling
  /// Treatment of the LFE channel.
  case lfe
  /// Whether the level is changed, and by which loudness.
  case loudness
  /// Channels that are mixed by gains of the user's own.
  case matrix
  /// Tags taken over, changed or left out.
  case metadata
  /// Substreams that are mixed.
  case mix
  /// How unusual statements about audio objects are read.
  case objectMetadata = "object-metadata"
  /// Whether audio objects are rendered, and which.
  case objects
  /// Changes to single audio objects, as the file allows.
  case objectsChanged = "objects-changed"
  /// Tracks copied from one file of Matroska into another as they are.
  case originals
  /// Places of the virtual loudspeakers.
  case positions
  /// Presentation that is decoded.
  case presentation
  /// Named settings in force.
  case preset
  /// Programme of a file that is rendered.
  case programme
  /// Part of the input that is used.
  case range
  /// Start of decoding for a part of the input.
  case rangeStart = "range-start"
  /// How a queue or a list of files is read.
  case queue
  /// Sample rate that is used.
  case rate
  /// Rendition of a playlist that is read.
  case rendition
  /// Sources whose reflections are heard, and whether reverberation follows them.
  case room
  /// Subtitles taken over, changed or left out.
  case subtitles
  /// Treatment of the filters' tail.
  case tail
  /// Processing of the user's own that the sound passes.
  case tap
  /// How the container's clock is read.
  case timestamps
  /// Audio track that is read.
  case track
  /// Treatment of data after the end.
  case trailingData = "trailing-data"
  /// Variant of a playlist that is read.
  case variant
  /// Video taken over, changed or left out.
  case video
  /// Whether the programme is virtualised.
  case virtualizer

  /// Meaning of the code, in one sentence.
  public var sentence: String {
    switch self {
    case .anchor:
      return "The loudness that is brought to the target: of the whole, or of its dialogue."
    case .audioStart:
      return "The start of the sound in relation to the pictures."
    case .bitDepth:
      return "The bits that a sample of the input has."
    case .bits:
      return "The bits that a sample of the output has."
    case .chapters:
      return "Chapters that are carried over, changed or left out."
    case .codec:
      return "The coding of the output."
    case .container:
      return "The container that the input is read as."
    case .coverArt:
      return "The cover picture: carried over, changed or left out."
    case .dialogEnhancement:
      return "The gain that dialogue is raised by."
    case .downmix:
      return "The origin of a downmix's gains."
    case .encodedAgain:
      return "Places where a lossy encoding was repeated because it lifted the true peak."
    case .end:
      return "Samples that are left out at the end."
    case .endpoint:
      return "The endpoint that the output is meant for."
    case .fullScale:
      return "The treatment of samples above full scale."
    case .fragments:
      return "Fragments of an MP4 output, and how players find them."
    case .gain:
      return "The gain that is applied, and why it isn't the one that reaches the target."
    case .filterHead:
      return "The treatment of sound that filters put before the first sample."
    case .head:
      return "The position of the listener's head."
    case .headSize:
      return "The stretch of the interaural delays of the HRTF set."
    case .hrtfProcessing:
      return "The diffuse field of the HRTF set, made flat or not, and its bass, extended or not."
    case .hrtfSet:
      return "The kind of responses that headphones get."
    case .hrtfSymmetry:
      return "Left and right of the HRTF set, made equal or not."
    case .layers:
      return "The layers that a bed of IAMF has."
    case .layout:
      return "The channel layout that is used."
    case .leftOut:
      return
        "Parts of the input that the output doesn't hold: other tracks of sound, pictures, subtitles, chapters, data."
    case .levelling:
      return "The gain over time that evens out loud and quiet parts."
    case .lfe:
      return "The treatment of the LFE channel."
    case .loudness:
      return "The level: changed or not, and by which loudness."
    case .matrix:
      return "The channels that are mixed by gains of your own, and those that are left out."
    case .metadata:
      return "Tags that are carried over, changed or left out."
    case .mix:
      return "The substreams that are mixed."
    case .objectMetadata:
      return "The reading of unusual statements about audio objects."
    case .objects:
      return "The audio objects that are rendered, if any."
    case .objectsChanged:
      return "Changes to single audio objects, as the file allows."
    case .originals:
      return "Tracks that are copied into the output as they are."
    case .positions:
      return "The places of the virtual loudspeakers."
    case .presentation:
      return "The presentation that is decoded."
    case .preset:
      return "The named settings in force."
    case .programme:
      return "The programme of the file that is rendered."
    case .range:
      return "The part of the input that is used."
    case .rangeStart:
      return "The place where decoding begins for a part of the input."
    case .queue:
      return "The reading of a queue or a list of files."
    case .rate:
      return "The sample rate that is used."
    case .rendition:
      return "The rendition of a playlist that is read."
    case .room:
      return "The room whose reflections are heard, and its reverberation."
    case .subtitles:
      return "Subtitles that are carried over, changed or left out."
    case .tail:
      return "The treatment of the filters' tail."
    case .tap:
      return "The processing of the user's own that the sound passes."
    case .timestamps:
      return "The reading of the container's clock."
    case .track:
      return "The audio track that is read."
    case .trailingData:
      return "The treatment of data after the end."
    case .variant:
      return "The variant of a playlist that is read."
    case .video:
      return "Video that is copied or left out."
    case .virtualizer:
      return "The virtualisation of the programme: on, off, or done already."
    }
  }
}
