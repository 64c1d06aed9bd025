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

  /// What an object in `state` asks for.
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
  /// What moves with the head is in no room. The modes that a mixer chose for headphones have no standard:
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
      let weights = ExtentWeights(at: place.direction, width: width, height: height)
      let found = DiffuseDirections.all.map { weights.weight(of: UnitVector.of($0)) }
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
