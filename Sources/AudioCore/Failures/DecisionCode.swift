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
  /// Treatment of the LFE channel.
  case lfe
  /// Whether the level is changed, and by which loudness.
  case loudness
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
    case .audioStart:
      return "Where the sound begins in relation to the pictures."
    case .bitDepth:
      return "How many bits a sample of the input has."
    case .bits:
      return "How many bits a sample of the output has."
    case .chapters:
      return "What became of the chapters."
    case .codec:
      return "Which coding the output has."
    case .container:
      return "Which container the input is read as."
    case .coverArt:
      return "What became of the cover picture."
    case .dialogEnhancement:
      return "How far dialogue is raised."
    case .downmix:
      return "Whose gains a downmix has."
    case .encodedAgain:
      return "Where a lossy encoding was repeated because it lifted the true peak."
    case .end:
      return "What is left out at the end."
    case .endpoint:
      return "What the output is meant for."
    case .fullScale:
      return "What becomes of samples above full scale."
    case .fragments:
      return "Whether an output of MP4 is written in fragments, and how players find them."
    case .gain:
      return "Which gain is applied, and why it isn't the one that reaches the target."
    case .filterHead:
      return "What becomes of what filters put before the first sample."
    case .head:
      return "How the listener holds the head."
    case .headSize:
      return "By how much the interaural delays of the HRTF set are stretched."
    case .hrtfProcessing:
      return "Whether the diffuse field of the HRTF set is made flat and its bass extended."
    case .hrtfSet:
      return "What kind of responses the headphones get."
    case .hrtfSymmetry:
      return "Whether left and right of the HRTF set are made equal."
    case .layers:
      return "Which layers a bed of IAMF has."
    case .layout:
      return "Which channel layout is used."
    case .leftOut:
      return
        "Parts of the input that the output doesn't hold: other tracks of sound, pictures, subtitles, chapters, data."
    case .lfe:
      return "What becomes of the LFE channel."
    case .loudness:
      return "Whether the level is changed, and by which loudness."
    case .metadata:
      return "What became of tags."
    case .mix:
      return "Which substreams are mixed."
    case .objectMetadata:
      return "How unusual statements about audio objects are read."
    case .objects:
      return "Whether audio objects are rendered, and which."
    case .objectsChanged:
      return "What is changed about single audio objects, as the file allows."
    case .originals:
      return "Which tracks are copied into Matroska as they are."
    case .positions:
      return "Where the virtual loudspeakers stand."
    case .presentation:
      return "Which presentation is decoded."
    case .preset:
      return "Which named settings are in force."
    case .programme:
      return "Which of a file's programmes is rendered."
    case .range:
      return "Which part of the input is used."
    case .rangeStart:
      return "Where decoding begins for a part of the input."
    case .queue:
      return "How a queue or a list of files is read."
    case .rate:
      return "Which sample rate is used."
    case .rendition:
      return "Which rendition of a playlist is read."
    case .room:
      return "Whose reflections are heard, and whether reverberation follows them."
    case .subtitles:
      return "What became of the subtitles."
    case .tail:
      return "What becomes of the filters' tail."
    case .tap:
      return "Which processing of the user's own the sound passes."
    case .timestamps:
      return "How the container's clock is read."
    case .track:
      return "Which audio track is read."
    case .trailingData:
      return "Data after the end."
    case .variant:
      return "Which variant of a playlist is read."
    case .video:
      return "What became of the video."
    case .virtualizer:
      return "Whether the programme is virtualised."
    }
  }
}
