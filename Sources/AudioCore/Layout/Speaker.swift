/// One loudspeaker position of a channel layout.
///
/// Raw values are the bit numbers of the WAVEFORMATEXTENSIBLE mask and of libav's channel order,
/// so masks convert without a table. Directions depend on the layout; see
/// ``ChannelLayout/direction(at:)``.
public enum Speaker: Int, CaseIterable, Sendable, Hashable, Codable {
  /// Front left.
  case frontLeft = 0
  /// Front right.
  case frontRight = 1
  /// Front centre.
  case frontCenter = 2
  /// Low-frequency effects.
  case lowFrequency = 3
  /// Back left.
  case backLeft = 4
  /// Back right.
  case backRight = 5
  /// Front left of centre.
  case frontLeftOfCenter = 6
  /// Front right of centre.
  case frontRightOfCenter = 7
  /// Back centre.
  case backCenter = 8
  /// Side left.
  case sideLeft = 9
  /// Side right.
  case sideRight = 10
  /// Top centre.
  case topCenter = 11
  /// Top front left.
  case topFrontLeft = 12
  /// Top front centre.
  case topFrontCenter = 13
  /// Top front right.
  case topFrontRight = 14
  /// Top back left.
  case topBackLeft = 15
  /// Top back centre.
  case topBackCenter = 16
  /// Top back right.
  case topBackRight = 17
  /// Left of a stereo downmix (Lt or Lo).
  case downmixLeft = 29
  /// Right of a stereo downmix (Rt or Ro).
  case downmixRight = 30
  /// Wide left.
  case wideLeft = 31
  /// Wide right.
  case wideRight = 32
  /// Second low-frequency effects.
  case lowFrequency2 = 35
  /// Top side left.
  case topSideLeft = 36
  /// Top side right.
  case topSideRight = 37
  /// Bottom front centre.
  case bottomFrontCenter = 38
  /// Bottom front left.
  case bottomFrontLeft = 39
  /// Bottom front right.
  case bottomFrontRight = 40

  /// Short name as ffmpeg prints it, e.g. `FL`, `LFE`, `TFR`.
  public var name: String { Speaker.names[self] ?? "?" }

  /// Whether the channel carries low-frequency effects only.
  public var isLFE: Bool { self == .lowFrequency || self == .lowFrequency2 }

  /// The speaker with this short name, in any letter case.
  public init?(name: String) {
    let wanted = name.uppercased()
    guard let match = Speaker.names.first(where: { $0.value == wanted }) else { return nil }
    self = match.key
  }

  private static let names: [Speaker: String] = [
    .frontLeft: "FL", .frontRight: "FR", .frontCenter: "FC", .lowFrequency: "LFE",
    .backLeft: "BL", .backRight: "BR", .frontLeftOfCenter: "FLC", .frontRightOfCenter: "FRC",
    .backCenter: "BC", .sideLeft: "SL", .sideRight: "SR", .topCenter: "TC", .topFrontLeft: "TFL",
    .topFrontCenter: "TFC", .topFrontRight: "TFR", .topBackLeft: "TBL", .topBackCenter: "TBC",
    .topBackRight: "TBR", .downmixLeft: "DL", .downmixRight: "DR", .wideLeft: "WL",
    .wideRight: "WR", .lowFrequency2: "LFE2", .topSideLeft: "TSL", .topSideRight: "TSR",
    .bottomFrontCenter: "BFC", .bottomFrontLeft: "BFL", .bottomFrontRight: "BFR",
  ]
}
