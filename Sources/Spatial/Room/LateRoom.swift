// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// The late reverberation of a room as a head hears it: four pairs of responses, those to sources ahead and behind on the
/// left and on the right, which sound alike but have no sample in common.
///
/// Each source feeds those around it, with powers that add up to one. Late reverberation is diffuse: it comes from
/// everywhere and stays as it is when the head turns.
struct LateRoom: Sendable {
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
  private let feeds: Buffer<Float>
  private let convolver: FastConvolver

  /// A bus for up to `frames` samples at once.
  init(_ room: LateRoom, frames: Int) {
    self.frames = frames
    feeds = Buffer(aligned: LateRoom.buses * frames)
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

/// Feeds the late part of a room with channels at rest and with voices.
final class LateFeed {
  private let room: LateRoom
  private let bus: LateBus
  /// Channels at rest with their gains.
  private let channels: [(plane: Int, gains: SIMD4<Double>)]

  /// Samples that are fed together at most; the steps of voices are no longer.
  private static let frames = 1024

  /// A feed of the late part of `model` at `rate` Hz by those of `elements` that are heard in it.
  init(
    _ model: RoomModel, _ designer: HRIRDesigner, _ elements: SceneElements,
    _ options: SceneOptions, _ rate: Int
  ) {
    let room = LateRoom(model, designer, rate: rate)
    self.room = room
    bus = LateBus(room, frames: max(LateFeed.frames, 2 * HeadTrajectory.hop(rate: rate)))
    channels =
      options.trajectory == nil
      ? elements.channels.map { ($0.plane, room.gains(from: UnitVector.of($0.direction))) } : []
  }

  /// Taps of the responses, of which the designer's lead comes before the direct sound.
  var taps: Int { room.taps }

  /// Plays `audio`, all planes of the programme, and the voices that are heard in the same step; appends what is ready to the
  /// two planes of `output`.
  func play(_ audio: AudioBuffer, beside voices: VoiceSteps?, into output: AudioBuffer) {
    var position = 0
    while position < audio.frames {
      let count = min(bus.frames, audio.frames - position)
      bus.clear()
      for (plane, gains) in channels {
        guard let source = audio.channel(plane).baseAddress else { continue }
        bus.add(UnsafePointer(source + position), count: count, from: gains, to: gains)
      }
      // A step is played whole, in one go.
      if let voices { add(voices, count) }
      bus.play(count, into: output)
      position += count
    }
  }

  /// Appends what is left.
  func finish(into output: AudioBuffer) { bus.finish(into: output) }

  private func add(_ voices: VoiceSteps, _ count: Int) {
    for voice in voices.heard {
      for offset in stride(from: 0, to: count, by: voices.hop) {
        let first = ReflectionBus.image(of: voice, at: voices.start + offset)
        let last = ReflectionBus.image(of: voice, at: voices.start + offset + voices.hop)
        bus.add(
          UnsafePointer(voice.newest + offset), count: voices.hop, offset: offset,
          from: first.gain * room.gains(from: first.place),
          to: last.gain * room.gains(from: last.place))
      }
    }
  }
}

/// The energy of all reflections that ``Shoebox/cells`` leaves out, those off three and more surfaces, over time
/// and frequency.
///
/// Up to the last early reflection it is summed image by image for loudspeakers all around. From there on images
/// are so many that their number is the volume that sound has passed, over the room's volume (H. Kuttruff: "Room
/// Acoustics", 4.2): the sum becomes a mean over all directions in which sound may run, each of which meets
/// the surfaces at its own pace. The decay is therefore not quite exponential.
struct LateEnergy {
  /// Seconds of a step of time.
  static let step = 0.004
  /// Frequencies in Hz at which energy is known, quarters of an octave.
  let frequencies: [Double]
  /// Steps until the energy has fallen by 65 dB at every frequency.
  let steps: Int
  /// frequency × step: energy per second in the middle of a step, relative to that of the direct sound of a loudspeaker at
  /// ``Shoebox/distance``; the first step begins with the direct sound.
  private let densities: [[Double]]
  /// Energy over all time by frequency.
  private let sums: [Double]

  /// Directions in which sound may run, and those of loudspeakers.
  private static let ways = UnitVector.lattice(1024)
  private static let speakers = UnitVector.lattice(24)
  /// Energy after which the tail ends, relative to its most.
  private static let end = pow(10, -6.5)
  /// Longest tail in seconds.
  private static let longest = 3.0

  /// The energy in `shoebox`, whose surfaces are filters at `rate` Hz.
  init(_ shoebox: Shoebox, rate: Int) {
    let count = Int((4 * log2(Double(rate) / 2 / 20)).rounded(.down)) + 1
    frequencies = (0..<count).map { 20 * pow(2, Double($0) / 4) }
    let images = LateImages(shoebox, LateEnergy.speakers, step: LateEnergy.step)
    let all = frequencies.map { frequency -> [Double] in
      let losses = SurfaceLosses(frequency, rate: rate)
      let first = images.densities(losses)
      return first + LateEnergy.decay(shoebox, losses, from: first.count, peak: first.max() ?? 0)
    }
    let steps = all.reduce(0) { max($0, $1.count) }
    densities = all.map { $0 + [Double](repeating: 0, count: steps - $0.count) }
    sums = all.map { $0.reduce(0, +) * LateEnergy.step }
    self.steps = steps
  }

  /// Energy per second at `time` seconds after the direct sound and `frequency` Hz, interpolated.
  func density(at time: Double, _ frequency: Double) -> Double {
    interpolated(frequency) { density($0, time) }
  }

  /// Energy over all time at `frequency` Hz, relative to that of the direct sound.
  func whole(at frequency: Double) -> Double { interpolated(frequency) { sums[$0] } }

  private func interpolated(_ frequency: Double, _ value: (Int) -> Double) -> Double {
    let position = max(0, min(Double(frequencies.count - 1), 4 * log2(max(frequency, 20) / 20)))
    let low = min(frequencies.count - 2, Int(position))
    let part = position - Double(low)
    let (one, other) = (value(low), value(low + 1))
    guard one > 0, other > 0 else { return one * (1 - part) + other * part }
    return exp(log(one) * (1 - part) + log(other) * part)
  }

  private func density(_ index: Int, _ time: Double) -> Double {
    let position = time / LateEnergy.step - 0.5
    guard position > -1, position < Double(steps) else { return 0 }
    let before = Int(position.rounded(.down))
    let part = position - Double(before)
    let line = densities[index]
    let first = before < 0 ? 0 : line[before]
    let second = before + 1 < steps ? line[before + 1] : 0
    return first * (1 - part) + second * part
  }

  /// Energies after the `start` first steps, until they have fallen far enough below `peak`.
  private static func decay(
    _ shoebox: Shoebox, _ losses: SurfaceLosses, from start: Int, peak: Double
  ) -> [Double] {
    let begin = shoebox.distance + Reflection.speed * step * (Double(start) + 0.5)
    let losses = ways.map { losses.perMetre(along: $0, shoebox) }
    var energies = losses.map { exp($0 * begin) }
    let factors = losses.map { exp($0 * Reflection.speed * step) }
    let scale =
      4 * Double.pi * shoebox.distance * shoebox.distance * Reflection.speed / shoebox.volume
      / Double(ways.count)
    var densities: [Double] = []
    while Double(start + densities.count) * step < longest {
      let density = scale * energies.reduce(0, +)
      densities.append(density)
      guard density > peak * end else { break }
      for index in energies.indices { energies[index] *= factors[index] }
    }
    return densities
  }
}

/// How much energy surfaces take at a frequency, as natural logarithms of what they leave.
struct SurfaceLosses {
  /// Logarithms for the low and the high end of each axis.
  private let logs: [(low: Double, high: Double)]

  /// Losses at `frequency` Hz of surfaces whose filters run at `rate` Hz.
  init(_ frequency: Double, rate: Int) {
    logs = Shoebox.surfaces.map { low, high in
      (
        log(low.reflectance(at: frequency, rate: rate)),
        log(high.reflectance(at: frequency, rate: rate))
      )
    }
  }

  /// Logarithm of the energy left after so many hits of the low and the high surface of an axis.
  func loss(_ axis: Int, low: Int, high: Int) -> Double {
    Double(low) * logs[axis].low + Double(high) * logs[axis].high
  }

  /// Logarithm of the energy left after a metre in a direction, on average over a long way.
  func perMetre(along way: SIMD3<Double>, _ shoebox: Shoebox) -> Double {
    (0..<3).reduce(0) { sum, axis in
      sum + way[axis].magnitude / shoebox.size[axis] * (logs[axis].low + logs[axis].high) / 2
    }
  }
}

/// The images of third and higher order that are heard until the last early reflection.
private struct LateImages {
  private struct Image {
    /// Hits of the low and the high surface of each axis.
    var low = SIMD3<Int>()
    var high = SIMD3<Int>()
    /// Energy relative to the direct sound but for the surfaces.
    var energy: Double
    var step: Int
  }

  private var images: [Image] = []
  private let steps: Int
  private let scale: Double

  init(_ shoebox: Shoebox, _ speakers: [SIMD3<Double>], step: Double) {
    let time = shoebox.longestWay / Reflection.speed
    let steps = Int((time / step).rounded(.up))
    self.steps = steps
    scale = 1 / (Double(speakers.count) * step)
    let longest = shoebox.distance + Double(steps) * step * Reflection.speed
    let most = (0..<3).map { Int(longest / shoebox.size[$0]) + 1 }
    for x in -most[0]...most[0] {
      for y in -most[1]...most[1] {
        for z in -most[2]...most[2] where abs(x) + abs(y) + abs(z) > Shoebox.order {
          add(SIMD3(x, y, z), shoebox, speakers, step)
        }
      }
    }
  }

  private mutating func add(
    _ cell: SIMD3<Int>, _ shoebox: Shoebox, _ speakers: [SIMD3<Double>], _ step: Double
  ) {
    for speaker in speakers {
      let path = shoebox.path(from: speaker, by: cell)
      let time = path.extraWay / Reflection.speed
      guard time < Double(steps) * step else { continue }
      // The feed has the gain of loudspeakers that stand nearer.
      let gain = path.gain * shoebox.distance / shoebox.reach(along: speaker)
      var image = Image(energy: gain * gain, step: Int(time / step))
      for axis in 0..<3 {
        let hits = abs(cell[axis])
        let (first, second) = (hits - hits / 2, hits / 2)
        // A way to an image beyond the high end meets the high surface first.
        (image.low[axis], image.high[axis]) = cell[axis] > 0 ? (second, first) : (first, second)
      }
      images.append(image)
    }
  }

  /// Energy per second in each step.
  func densities(_ losses: SurfaceLosses) -> [Double] {
    var sums = [Double](repeating: 0, count: steps)
    for image in images {
      let loss = (0..<3).reduce(0) {
        $0 + losses.loss($1, low: image.low[$1], high: image.high[$1])
      }
      sums[image.step] += image.energy * exp(loss) * scale
    }
    return sums
  }
}
