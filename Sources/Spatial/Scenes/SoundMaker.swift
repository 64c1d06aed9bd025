// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Works out what states of objects ask of the renderer.
struct SoundMaker {
  private let angles: ObjectAngles
  private let speakers: SpeakerPlaces
  private let followsModes: Bool
  private let hasRoom: Bool

  /// Smallest width and height in degrees over which a diffuse part is spread.
  private static let leastSpread = 120.0

  /// A maker by the renderer's options.
  init(_ options: SceneOptions) {
    angles = ObjectAngles(options.mapping)
    speakers = SpeakerPlaces(angles: angles)
    followsModes = options.followsHeadphoneModes
    hasRoom = options.room != nil
  }

  /// Sound of an object in `state`.
  func sound(of state: ObjectState) -> ObjectSound {
    let gain = state.gain
    var sound = ObjectSound(place: angles.place(of: state), direct: gain)
    sound.isHeadLocked = state.rules.isHeadLocked
    sound.reflections = reflections(of: state.rules)
    switch state.rules.role {
    case .ear(let ear):
      sound.direct = 0
      sound.straight = ear == .left ? SIMD2(gain, 0) : SIMD2(0, gain)
    case .speaker(let channel):
      sound.place = ObjectPlace(
        direction: speakers.direction(of: channel, at: state.position), distance: 1, width: 0,
        height: 0)
      if channel.isLFE { (sound.direct, sound.bass) = (0, gain) }
    case .source:
      if followsModes, state.rules.headphones == .off {
        sound.direct = 0
        sound.straight = gain * StereoPan.gains(azimuth: sound.place.direction.azimuth)
      } else {
        spread(&sound, state)
      }
    }
    return sound
  }

  /// How strong the reflections of an object with these rules are, against those of a loudspeaker.
  ///
  /// An object that moves with the head is in no room. The modes that a mixer chose for headphones have no standard:
  /// near has no reflections, and far has 3 dB more than one that isn't marked.
  private func reflections(of rules: ObjectRules) -> Double {
    guard hasRoom, !rules.isHeadLocked else { return 0 }
    if case .ear = rules.role { return 0 }
    switch rules.headphones {
    case .off where followsModes, .near where followsModes: return 0
    case .far where followsModes: return 2.0.squareRoot()
    default: return 1
    }
  }

  /// Shares the power of a source between its voice and the diffuse bus.
  ///
  /// A size above 10° sends a share to the bus that reaches half of the power at 180°: a coherent voice
  /// alone would be heard as narrow, however its filter is made.
  private func spread(_ sound: inout ObjectSound, _ state: ObjectState) {
    sound.divergence = divergence(of: state)
    let place = sound.place
    let size = max(place.width, place.height)
    let part = min(1, max(0, state.diffuse))
    let width = min(1, max(0, (size - VoiceShape.leastSize) / 170)) / 2
    sound.direct = state.gain * ((1 - part) * (1 - width)).squareRoot()
    guard part > 0 || width > 0 else { return }
    var powers = [Double](repeating: 0, count: DiffuseDirections.all.count)
    func add(_ share: Double, _ width: Double, _ height: Double) {
      guard share > 0 else { return }
      let shape = SpreadShape(
        at: RoomGeometry.point(in: place.direction), width: width, height: height)
      let found = DiffuseDirections.all.map { shape.weight(RoomGeometry.point(in: $0)) }
      let sum = found.reduce(0, +)
      guard sum > 0 else { return }
      for (index, weight) in found.enumerated() { powers[index] += share * weight / sum }
    }
    add(part, max(place.width, SoundMaker.leastSpread), max(place.height, SoundMaker.leastSpread))
    // The bus has a direction every 40°, so that narrower spreads would miss all of them.
    add((1 - part) * width, max(place.width, 60), max(place.height, 60))
    sound.diffuse = powers.map { state.gain * $0.squareRoot() }
  }

  /// The divergence of a source, its range in degrees: for a Cartesian position, the mean angle from it to
  /// the two places that far to its sides.
  private func divergence(of state: ObjectState) -> ObjectRules.Divergence? {
    guard var divergence = state.rules.divergence, divergence.value > 0,
      case .cartesian(let x, let y, let z) = state.position
    else { return state.rules.divergence }
    let place = { (x: Double) in
      UnitVector.of(angles.direction(of: .cartesian(x: x, y: y, z: z)).direction)
    }
    let range = divergence.range
    divergence.range =
      (VoicePath.angle(place(x), place(x - range)) + VoicePath.angle(place(x), place(x + range)))
      / 2
    return divergence
  }
}

/// The demands of an object's state on the renderer.
struct ObjectSound {
  /// Direction of the object, and how large it looks.
  var place: ObjectPlace
  /// Gain of the voice that is heard at ``place``.
  var direct: Double
  /// Gains of the samples that go to the ears as they are, left and right.
  var straight = SIMD2<Double>(repeating: 0)
  /// Gains to the directions of the diffuse bus; empty for none.
  var diffuse: [Double] = []
  /// Gain to the low-pass of LFE channels.
  var bass = 0.0
  /// Further places that share the voice.
  var divergence: ObjectRules.Divergence?
  /// Whether the head's rotation doesn't count.
  var isHeadLocked = false
  /// Amplitude of the voice's reflections relative to those of a loudspeaker.
  var reflections = 0.0

  /// Shape of the voice: voices of another shape fade.
  var shape: VoiceShape {
    VoiceShape(
      width: place.width, height: place.height, divergence: divergence, isHeadLocked: isHeadLocked,
      reflections: reflections)
  }
}

/// Directions of channels that are meant for one loudspeaker each (DirectSpeakers, ITU-R BS.2076-2,
/// 5.4.3.1).
struct SpeakerPlaces {
  /// How Cartesian positions become directions.
  let angles: ObjectAngles

  /// Angle in degrees within which a stated position stands for the loudspeaker that its label names.
  private static let tolerance = 10.0

  /// The direction of `channel`, stated at `position`.
  ///
  /// Dolby's labels (`RC_L` …) decide alone. Else it is the stated position, or the nominal one of
  /// the first label of ITU-R BS.2051 that lies within the channel's bounds or 10° of it.
  func direction(of channel: SpeakerChannel, at position: ObjectPosition) -> Direction {
    let stated = angles.direction(of: position).direction
    for label in channel.labels {
      if let known = SpeakerPlaces.dolby[label] { return known }
      guard let nominal = SpeakerPlaces.nominal(label) else { continue }
      if SpeakerPlaces.angle(nominal, stated) <= SpeakerPlaces.tolerance { return nominal }
      if case .polar = position, SpeakerPlaces.isInside(nominal, channel) { return nominal }
    }
    return stated
  }

  /// The nominal direction of a label such as `M+030`, also at the end of a URN; `nil` for others.
  static func nominal(_ label: String) -> Direction? {
    let name = label.split(separator: ":").last.map(String.init) ?? label
    guard let sign = name.firstIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
    let layers: [Substring: Double] = ["M": 0, "U": 30, "UH": 45, "B": -30, "T": 90]
    guard let elevation = layers[name[..<sign]] else { return nil }
    let text = name[sign...]
    if text == "+SC" || text == "-SC" {
      return Direction(azimuth: text == "+SC" ? 15 : -15, elevation: elevation)
    }
    guard text.count == 4, let azimuth = Int(text), (-180...180).contains(azimuth) else {
      return nil
    }
    return Direction(azimuth: Double(azimuth), elevation: elevation)
  }

  /// Angle between two directions, in degrees.
  private static func angle(_ one: Direction, _ other: Direction) -> Double {
    VoicePath.angle(UnitVector.of(one), UnitVector.of(other))
  }

  /// Whether the channel states bounds that hold `direction`.
  private static func isInside(_ direction: Direction, _ channel: SpeakerChannel) -> Bool {
    let (least, greatest) = (channel.least, channel.greatest)
    guard let right = least.first, let left = greatest.first, let low = least.second,
      let high = greatest.second
    else { return false }
    return RoomGeometry.contains(direction.azimuth, from: right, to: left, tolerance: 0)
      && (low...max(low, high)).contains(direction.elevation)
  }

  /// Names of loudspeakers in Dolby's masters; the top middle pair hangs higher than the mapping of
  /// its cube position says.
  private static let dolby: [String: Direction] = {
    let pairs: [(name: String, azimuth: Double, elevation: Double)] = [
      ("", 30, 0), ("ss", 90, 0), ("rs", 135, 0), ("s", 110, 0), ("ts", 90, 45), ("w", 60, 0),
    ]
    var table = ["RC_C": Direction(azimuth: 0), "RC_LFE": Direction(azimuth: 0)]
    for pair in pairs {
      table["RC_L" + pair.name] = Direction(azimuth: pair.azimuth, elevation: pair.elevation)
      table["RC_R" + pair.name] = Direction(azimuth: -pair.azimuth, elevation: pair.elevation)
    }
    return table
  }()
}

/// Gains by which a sound is played on two channels without virtualisation.
///
/// The closed form of what ITU-R BS.2127-0, 6.1.3.1 gives for layout 0+2+0 at ear height: the tangent
/// law between ±30°, one channel alone beyond, and 3 dB less at the back.
enum StereoPan {
  /// Azimuth of the loudspeakers, and of the surround loudspeakers that the law starts from.
  private static let front = 30.0 * Double.pi / 180
  private static let surround = 110.0 * Double.pi / 180

  /// Linear gains to the left and to the right for an azimuth in degrees, positive to the left.
  static func gains(azimuth: Double) -> SIMD2<Double> {
    let angle = azimuth.magnitude * .pi / 180
    var near: Double
    var far = 0.0
    var back = 0.0
    if angle <= front {
      let third = (1 / 3.0).squareRoot()
      near = sin(angle) + cos(angle) * third
      far = cos(angle) * third - sin(angle)
    } else if angle <= surround {
      near = 1
      let width = sin(surround - front)
      back = share(sin(angle - front) / width, sin(surround - angle) / width)
    } else {
      // Between the surrounds, through the back.
      let side = sin(angle) / sin(surround)
      let middle = cos(angle) / cos(surround)
      near = middle + side
      far = max(0, middle - side)
      back = 1
    }
    let power = near * near + far * far
    let gain = pow(0.5, back / 2) / power.squareRoot()
    let gains = SIMD2(near, far) * gain
    return azimuth < 0 ? SIMD2(gains.y, gains.x) : gains
  }

  private static func share(_ back: Double, _ front: Double) -> Double {
    back + front > 0 ? max(0, back) / (max(0, back) + max(0, front)) : 0
  }
}
