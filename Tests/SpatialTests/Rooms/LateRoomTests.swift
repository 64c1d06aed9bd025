// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// The late reverberation of simulated rooms.
@Suite struct LateRoomTests {
  private let hrtf: HRTFSet

  init() throws { hrtf = try HRTFSet.builtIn() }

  private func options(_ room: RoomModel, tail: Bool) -> SceneOptions {
    SceneOptions(room: room, roomTail: tail)
  }

  /// Response to an impulse of `speaker` in stereo from the direct sound on, and the part of it that comes late.
  private func render(
    _ room: RoomModel, _ speaker: Speaker = .frontLeft, rate: Int = 48000
  ) throws -> (whole: [[Double]], late: [[Double]]) {
    let wet = try Render.impulse(
      speaker, in: "stereo", hrtf, rate: rate, options: options(room, tail: true))
    let early = try Render.impulse(
      speaker, in: "stereo", hrtf, rate: rate, options: options(room, tail: false))
    #expect(wet.latency == early.latency)
    let late = zip(wet.ears, early.ears).map { wet, early in
      wet.indices.map { wet[$0] - ($0 < early.count ? early[$0] : 0) }
    }
    return (
      wet.ears.map { Array($0.dropFirst(wet.latency)) },
      late.map { Array($0.dropFirst(wet.latency)) }
    )
  }

  private func decibels(_ one: Double, _ other: Double) -> Double { 10 * log10(one / other) }

  // MARK: Figures

  @Test(
    "each octave of the late tail decays in the stated time within 5 %",
    arguments: RoomModel.allCases, [48000, 44100])
  func theTailDecaysAsIsStated(room: RoomModel, rate: Int) throws {
    let stated = RoomAcoustics(room, hasTail: true, hrtf, rate: rate)
    let late = try render(room, rate: rate).late
    #expect(stated.octaves.count == 7)
    for octave in stated.octaves {
      let wanted = try #require(octave.decaySeconds)
      let found = OctaveEnergy(late, around: octave.frequency, rate: rate).decay
      let error = 100 * (found / wanted - 1)
      QualityRecord.add("\(room) room: decay time", "kemar", error)
      #expect(error.magnitude < 5, "\(octave.frequency) Hz: \(found) s instead of \(wanted) s")
    }
    let tail = try #require(stated.tailSeconds)
    #expect((Double(late[0].count) / Double(rate) - tail).magnitude < 0.04)
  }

  @Test(
    "the direct-to-reverberant ratio is the stated one within 0.5 dB, and 1 dB in each octave",
    arguments: RoomModel.allCases)
  func theDirectSoundIsAsStrongAgainstTheRestAsIsStated(room: RoomModel) throws {
    let stated = RoomAcoustics(room, hasTail: true, hrtf, rate: 48000)
    let dry = try Render.impulse(.frontLeft, in: "stereo", hrtf)
    let direct = dry.ears.map { Array($0.dropFirst(dry.latency)) }
    let rest = zip(try render(room).whole, direct).map { whole, direct in
      whole.indices.map { whole[$0] - ($0 < direct.count ? direct[$0] : 0) }
    }
    var middle = 0.0
    for octave in stated.octaves {
      let found = decibels(
        OctaveEnergy(dry.ears, around: octave.frequency, rate: 48000).whole,
        OctaveEnergy(rest, around: octave.frequency, rate: 48000).whole)
      let error = found - octave.directToReverberantDB
      if octave.frequency == 500 || octave.frequency == 1000 { middle += found / 2 }
      #expect(error.magnitude < 1, "\(octave.frequency) Hz: \(found) dB")
    }
    QualityRecord.add(
      "\(room) room: direct-to-reverberant ratio", "kemar",
      middle - stated.directToReverberantDB)
    #expect((middle - stated.directToReverberantDB).magnitude < 0.5)
  }

  @Test(
    "a room without a tail has no decay times and a direct-to-reverberant ratio over 1 dB higher")
  func figuresWithoutATailAreThoseOfTheEarlyReflections() {
    let plain = RoomAcoustics(.medium, hasTail: false, hrtf, rate: 48000)
    let full = RoomAcoustics(.medium, hasTail: true, hrtf, rate: 48000)
    #expect(plain.tailSeconds == nil)
    #expect(plain.octaves.allSatisfy { $0.decaySeconds == nil })
    #expect(plain.directToReverberantDB > full.directToReverberantDB + 1)
    #expect(RoomAcoustics(.small, hasTail: true, hrtf, rate: 8000).octaves.count == 5)
  }

  // MARK: Against all images

  /// The tail joins the early reflections as the images would that it stands for: no gap, no hump.
  @Test(
    "early reflections and tail have the energy of all images within 3 dB in each 20 ms",
    arguments: RoomModel.allCases, [250.0, 1000, 4000])
  func theDecayIsThatOfAllImages(room: RoomModel, frequency: Double) throws {
    let format = Render.format("7.1.4")
    let bank = try BedFilters(hrtf, format, options(room, tail: true))
    let dry = try BedFilters(hrtf, format, SceneOptions())
    let (late, gains) = try #require(bank.late)
    let width = 0.02
    var (found, direct) = ([Double](repeating: 0, count: 10), 0.0)
    // Channels in the horizontal plane.
    for (index, channel) in bank.mainChannels.enumerated() where channel < 8 {
      let ears = [(bank.left, dry.left, late.left), (bank.right, dry.right, late.right)]
      let start = bank.latency - bank.lead
      let weights = (0..<LateRoom.buses).map { gains[index][$0] }
      let rest = ears.map { wet, dry, late in
        AllImages.reflections(
          wet[channel], dry[channel], late, weights, start: start, latency: bank.latency)
      }
      let octave = OctaveEnergy(rest, around: frequency, rate: 48000)
      for window in found.indices {
        found[window] += octave.energy(Double(window) * width..<Double(window + 1) * width)
      }
      direct +=
        OctaveEnergy([dry.left[channel], dry.right[channel]], around: frequency, rate: 48000).whole
    }
    let parts = (0..<8).map { (part: Int) -> Double in
      frequency * 0.7071 * (1 + (Double(part) + 0.5) / 8)
    }
    let wanted = parts.map {
      AllImages.energy(
        room, $0, azimuths: [0, 30, -30, 90, -90, 135, -135], width: width, windows: found.count,
        from: 1)
    }
    for window in found.indices {
      let sum = wanted.map { $0[window] }.reduce(0, +) / Double(wanted.count)
      let error = decibels(found[window] / direct, sum)
      // Below −50 dB nothing is heard of the difference.
      guard decibels(sum, 1) > -50 else { continue }
      #expect(error.magnitude < 3, "window \(window): \(error) dB")
    }
  }

  // MARK: How it sounds

  /// Both ears get as much in common at each frequency as in a diffuse field of the set.
  @Test("the tail's interaural coherence is that of the set's diffuse field within 0.15")
  func theEarsAreAsAlikeAsInADiffuseField() throws {
    let designer = HRIRDesigner(hrtf, rate: 48000)
    let room = LateRoom(.medium, designer, rate: 48000)
    let field = UnitVector.lattice(300).map { designer.pair(at: $0) }
    let pairs = zip(room.left, room.right).map { HRIRDesigner.Pair(left: $0, right: $1) }
    for middle in (0...6).map({ 125 * pow(2, Double($0)) }) {
      let (wanted, found) = (coherence(field, around: middle), coherence(pairs, around: middle))
      #expect((wanted - found).magnitude < 0.15, "\(middle) Hz")
    }
    #expect(coherence(pairs, around: 125) > 0.8)
    #expect(coherence(pairs, around: 4000).magnitude < 0.2)
  }

  /// Real part of the ears' cross-spectrum over the octave, relative to their powers.
  private func coherence(_ pairs: [HRIRDesigner.Pair], around middle: Double) -> Double {
    let fft = DoubleFFT(length: 2 * (pairs.map(\.left.count).max() ?? 1))
    let width = 48000 / Double(fft.length)
    var (cross, left, right) = (0.0, 0.0, 0.0)
    for pair in pairs {
      let (a, b) = (Render.spectrum(pair.left, fft), Render.spectrum(pair.right, fft))
      for bin in Int(middle * 0.7071 / width)...Int(middle * 1.4142 / width) {
        cross += a.re[bin] * b.re[bin] + a.im[bin] * b.im[bin]
        left += a.re[bin] * a.re[bin] + a.im[bin] * a.im[bin]
        right += b.re[bin] * b.re[bin] + b.im[bin] * b.im[bin]
      }
    }
    return cross / (left * right).squareRoot()
  }

  /// As many samples lie beyond their standard deviation as of Gaussian noise (J. S. Abel, P. Huang: "A Simple, Robust Measure
  /// of Reverberation Echo Density", AES 121, 2006).
  @Test("the tail's echo density averages over 0.85 of that of Gaussian noise")
  func theTailIsDense() throws {
    let late = try render(.medium).late[0]
    let densities = stride(from: 2880, to: 12000, by: 960).map { start -> Double in
      let part = late[start..<start + 960]
      let deviation = (part.reduce(0) { $0 + $1 * $1 } / 960).squareRoot()
      return Double(part.count { $0.magnitude > deviation }) / 960 / 0.3173
    }
    // Low frequencies, of which a window has few periods, make single ones uneven.
    #expect(densities.reduce(0, +) / Double(densities.count) > 0.85)
    #expect(densities.allSatisfy { $0 > 0.6 })
  }

  /// Unevenness by chance over many periods is evened out; over few periods a tail stays as rough as any noise.
  @Test(
    "the tail's level at 125 Hz changes from 20 ms to 20 ms as that of white noise within 25 %",
    arguments: RoomModel.allCases)
  func theTailIsAsUnevenAsNoise(room: RoomModel) throws {
    var source = SeededNoise(seed: 1)
    let noise = source.samples(240_000, peak: 1).map(Double.init)
    let wanted = OctaveEnergy([noise], around: 125, rate: 48000).unevenness(
      0.05..<4.95, width: 0.02)
    let late = LateRoom(room, HRIRDesigner(hrtf, rate: 48000), rate: 48000)
    let found = (late.left + late.right).map {
      OctaveEnergy([$0], around: 125, rate: 48000).unevenness(0.04..<0.4, width: 0.02)
    }
    let mean = found.reduce(0, +) / Double(found.count)
    #expect((mean / wanted - 1).magnitude < 0.25, "\(mean) dB instead of \(wanted) dB")
  }

  @Test(
    "left and right are equally reverberant within 1.5 dB, in phase and out of phase",
    arguments: RoomModel.allCases)
  func leftAndRightAreEquallyReverberant(room: RoomModel) throws {
    let left = try render(room, .frontLeft).late
    let right = try render(room, .frontRight).late
    for middle in [250.0, 500, 1000, 2000, 4000] {
      for ear in 0..<2 {
        let gap = decibels(
          OctaveEnergy([left[ear]], around: middle, rate: 48000).whole,
          OctaveEnergy([right[1 - ear]], around: middle, rate: 48000).whole)
        #expect(gap.magnitude < 1.5, "\(middle) Hz, ear \(ear): \(gap) dB")
      }
    }
    // Signals out of phase on both loudspeakers are as reverberant as those in phase.
    let sums = (0..<2).map { ear in zip(left[ear], right[ear]).map { $0 + $1 } }
    let differences = (0..<2).map { ear in zip(left[ear], right[ear]).map { $0 - $1 } }
    let gap = decibels(
      OctaveEnergy(sums, around: 1000, rate: 48000).whole,
      OctaveEnergy(differences, around: 1000, rate: 48000).whole)
    #expect(gap.magnitude < 1.5, "\(gap) dB")
  }

  /// The pieces that the noise is made of begin up to 11 ms before the images that they stand for.
  @Test("the first 240 samples of the tail hold less than −25 dB of its energy")
  func hardlyAnythingComesBeforeTheImagesOfThirdOrder() throws {
    let late = try render(.small).late
    let before = late.reduce(0) { $0 + Render.energy(Array($1.prefix(240))) }
    let whole = late.reduce(0) { $0 + Render.energy($1) }
    #expect(decibels(max(before, 1e-30), whole) < -25)
  }
}
