// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Spatial

/// The device on which an output will be heard.
public enum Endpoint: Sendable, Hashable, Codable {
  /// Binaural for headphones.
  case headphones(Listener = Listener())
  /// Two loudspeakers in front of the listener.
  case speakers(SpeakerPair = SpeakerPair())
  /// Channels as they are, or mixed to a layout.
  case channels(ChannelLayout? = nil)

  /// The kind of an endpoint, by the name that the command line and reports use.
  public typealias Kind = EndpointKind

  /// Its kind.
  public var kind: Kind {
    switch self {
    case .headphones: return .headphones
    case .speakers: return .speakers
    case .channels: return .none
    }
  }

  /// The HRTF set that virtualises; `nil` when nothing is virtualised.
  public var hrtf: HRTFRequest? {
    switch self {
    case .headphones(let listener): return listener.hrtf
    case .speakers(let pair): return pair.hrtf
    case .channels: return nil
    }
  }
}

/// An HRTF set and what is done to it.
public struct HRTFRequest: Sendable, Hashable, Codable {
  /// The choice of a set.
  public enum Choice: Sendable, Hashable, Codable {
    /// The embedded KEMAR set.
    case builtIn
    /// A SOFA file, or a WAV file of HeSuVi.
    case file(String)
    /// A measured room: a SOFA file of loudspeakers in it, or a WAV file of HeSuVi.
    case room(String)

    /// `kemar` means the built-in set, everything else a file.
    public init(_ text: String) { self = text == "kemar" ? .builtIn : .file(text) }

    /// The file's path; `nil` for the built-in set.
    public var path: String? {
      switch self {
      case .builtIn: return nil
      case .file(let path), .room(let path): return path
      }
    }

    /// Whether it is a measured room.
    var isRoom: Bool {
      if case .room = self { return true }
      return false
    }

    /// Whether both are the same. A path is bytes: names of the same letters in other bytes are two sets.
    public static func == (one: Choice, other: Choice) -> Bool {
      one.isRoom == other.isRoom && one.path.map(PathName.init) == other.path.map(PathName.init)
    }

    /// Hashes the bytes that are compared.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(isRoom)
      hasher.combine(path.map(PathName.init))
    }
  }

  /// The set.
  public var choice: Choice
  /// Changes to the set; by default left and right are made equal. The built-in set can't be left
  /// uneven.
  public var options: HRTFOptions

  /// A set with its options.
  public init(_ choice: Choice = .builtIn, options: HRTFOptions = HRTFOptions()) {
    self.choice = choice
    self.options = options
  }
}

/// A listener with headphones.
public struct Listener: Sendable, Hashable, Codable {
  /// How the head is held.
  public enum Head: Sendable, Hashable, Codable {
    /// In one pose.
    case still(HeadPose)
    /// Along a trajectory over time.
    case moving(HeadTrajectory)
  }

  /// The HRTF set; `nil` mixes to stereo instead of virtualising.
  public var hrtf: HRTFRequest?
  /// Directions of channels that don't come from where ITU-R BS.2051 puts them.
  public var positions: SpeakerPositions
  /// How the head is held.
  public var head: Head
  /// The room whose early reflections are heard; `nil` is none.
  public var room: RoomModel?
  /// Whether the room has its late reverberation, too; it needs a room.
  public var roomTail: Bool
  /// How the positions of objects in a room become directions.
  public var objectAngles = CubeMapping.eightCorners

  /// A listener; by default with the built-in set, looking ahead, without a room.
  public init(
    hrtf: HRTFRequest? = HRTFRequest(), positions: SpeakerPositions = .standard,
    head: Head = .still(.ahead), room: RoomModel? = nil, roomTail: Bool = false
  ) {
    self.hrtf = hrtf
    self.positions = positions
    self.head = head
    self.room = room
    self.roomTail = roomTail
  }

  /// The refusal of late reverberation without a room.
  package static var lacksRoom: MediaError {
    MediaError(
      .usage,
      "\(setting: .roomTail) on: needs a room; give \(setting: .room) small or \(setting: .room) medium"
    )
  }

  private enum CodingKeys: CodingKey {
    case hrtf, positions, head, room, roomTail, objectAngles
  }

  /// Reads a listener; requests that were written before rooms had tails don't name them.
  /// - Throws: `DecodingError`.
  public init(from decoder: Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    hrtf = try values.decodeIfPresent(HRTFRequest.self, forKey: .hrtf)
    positions = try values.decode(SpeakerPositions.self, forKey: .positions)
    head = try values.decode(Head.self, forKey: .head)
    room = try values.decodeIfPresent(RoomModel.self, forKey: .room)
    roomTail = try values.decodeIfPresent(Bool.self, forKey: .roomTail) ?? false
    objectAngles = try values.decode(CubeMapping.self, forKey: .objectAngles)
  }

  /// Writes a listener; without a tail nothing is said of it, so that keys of batches stay as they were.
  /// - Throws: `EncodingError`.
  public func encode(to encoder: Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(hrtf, forKey: .hrtf)
    try values.encode(positions, forKey: .positions)
    try values.encode(head, forKey: .head)
    try values.encodeIfPresent(room, forKey: .room)
    if roomTail { try values.encode(roomTail, forKey: .roomTail) }
    try values.encode(objectAngles, forKey: .objectAngles)
  }
}

/// Two loudspeakers in front of the listener.
public struct SpeakerPair: Sendable, Hashable, Codable {
  /// Angles between the loudspeakers that can be rendered for, in degrees.
  public static let spans = Setting.speakerSpan.row.value.range

  /// The HRTF set; `nil` mixes to stereo instead of virtualising.
  public var hrtf: HRTFRequest?
  /// Angle between the loudspeakers in degrees, within ``spans``.
  public var span: Double
  /// Directions of channels that don't come from where ITU-R BS.2051 puts them.
  public var positions: SpeakerPositions
  /// How the positions of objects in a room become directions.
  public var objectAngles = CubeMapping.eightCorners

  /// A pair of loudspeakers; by default 20° apart, with the built-in set.
  public init(
    hrtf: HRTFRequest? = HRTFRequest(), span: Double = 20,
    positions: SpeakerPositions = .standard
  ) {
    self.hrtf = hrtf
    self.span = span
    self.positions = positions
  }
}
