import AudioCore
import LibAV
import Platform

/// The late reverberation of a room as a head hears it: four pairs of responses, those to sources ahead and behind on the
/// left and on the right, which sound alike but have no sample in common.
///
/// Each source feeds those around it, with powers that add up to one. It is diffuse, so it comes from everywhere and
/// stays as it is when the head turns.
struct LateRoom: Sendable {
  /// Buses.
  static let buses = 4
  /// bus × tap, to the left ear.
  let left: [[Double]]
  /// bus × tap, to the right ear.
  let right: [[Double]]
  /// Taps of every response, of which the designer's lead comes before the direct sound.
  let taps: Int

  private let shoebox: Shoebox

  /// Seeds of the buses' noise: of the first two hundred those whose octaves from 125 Hz to 8 kHz decay most evenly, within 5 % of
  /// what the energies ask for in both rooms at 44.1 and 48 kHz.
  private static let seeds: [UInt32] = [96, 25, 135, 35]

  /// The late part of `room` at `rate` Hz for the head of `designer`.
  init(_ room: RoomModel, _ designer: HRIRDesigner, rate: Int) {
    shoebox = room.shoebox
    let shaper = LateShaper(
      LateEnergy(shoebox, rate: rate), LateNoise(designer, rate: rate), rate: rate)
    let pairs = LateRoom.seeds.map { shaper.responses(seed: $0) }
    left = pairs.map(\.left)
    right = pairs.map(\.right)
    taps = shaper.taps
  }

  /// Gains with which a source at `place` of the unit sphere feeds the buses: left ahead, right ahead, left behind,
  /// right behind. One that stands nearer because of a wall is as much louder against the room.
  func gains(from place: SIMD3<Double>) -> SIMD4<Double> {
    let reach = shoebox.reach(along: place) / shoebox.distance
    // Sources 30° and more from the median plane are on one side only, those before 60° ahead only.
    let side = max(-1, min(1, 2 * place.y))
    let front = max(-1, min(1, 2 * place.x))
    let (l, r) = ((1 + side) / 2, (1 - side) / 2)
    let (f, b) = ((1 + front) / 2, (1 - front) / 2)
    let powers = SIMD4(l * f, r * f, l * b, r * b)
    return reach * powers.squareRoot()
  }
}

/// Plays the late part of a room.
final class LateBus {
  /// Samples that are mixed together at most.
  let frames: Int
  private let feeds: AlignedFloats
  private let convolver: FastConvolver

  /// A bus for up to `frames` samples at once.
  init(_ room: LateRoom, frames: Int) {
    self.frames = frames
    feeds = AlignedFloats(count: LateRoom.buses * frames)
    // Half of the points are history: transforms that spend less on it would be very long.
    var length = 512
    while length < 2 * room.taps { length *= 2 }
    convolver = FastConvolver(
      left: room.left, right: room.right, taps: room.taps, transformLength: length)
  }

  /// Makes all feeds silent.
  func clear() { feeds.base.update(repeating: 0, count: feeds.count) }

  /// Adds `count` samples of `source` to the feeds from sample `offset` on, with gains that go from `first` to `last`.
  func add(
    _ source: UnsafePointer<Float>, count: Int, offset: Int = 0, from first: SIMD4<Double>,
    to last: SIMD4<Double>
  ) {
    let part = 1 / Float(count)
    for bus in 0..<LateRoom.buses where first[bus] != 0 || last[bus] != 0 {
      let target = feeds.base + bus * frames + offset
      let gain = Float(first[bus])
      if first[bus] == last[bus] {
        for index in 0..<count { target[index] += gain * source[index] }
      } else {
        let step = Float(last[bus] - first[bus]) * part
        for index in 0..<count { target[index] += (gain + Float(index) * step) * source[index] }
      }
    }
  }

  /// Plays `count` samples of the feeds and appends what is ready to the two planes of `output`.
  func play(_ count: Int, into output: AudioBuffer) {
    let sources = (0..<LateRoom.buses).map { UnsafePointer(feeds.base + $0 * frames) }
    convolver.process(sources, frames: count, into: output)
  }

  /// Appends what is left.
  func finish(into output: AudioBuffer) { convolver.finish(into: output) }
}
