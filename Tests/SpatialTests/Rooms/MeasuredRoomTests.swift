// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Rooms that were measured: each channel is heard through the responses of the loudspeaker in its place.
@Suite struct MeasuredRoomTests {
  /// A room of loudspeakers at `azimuths` whose responses have a direct sound at sample 100 and noise that falls by 60 dB in half
  /// a second behind it.
  private func room(
    _ azimuths: [Double], samples: Int = 24_000, rate: Int = 48_000
  ) -> RoomMeasurements {
    var responses: [Float] = []
    for index in 0..<2 * azimuths.count {
      var noise = SeededNoise(seed: UInt64(index) + 1)
      var response = noise.samples(samples, peak: 0.03)
      for sample in response.indices {
        response[sample] *=
          sample < 100 ? 0 : Float(pow(10, -6 * Double(sample - 100) / Double(rate)))
      }
      response[100] = index % 2 == 0 ? 1 : 0.5
      responses += response
    }
    return RoomMeasurements(
      sampleRate: rate, taps: samples,
      directions: azimuths.map { Direction(azimuth: $0) }, responses: responses,
      delays: azimuths.flatMap { _ in [0, 0] })
  }

  private func noise(_ channels: Int, _ frames: Int) -> [[Float]] {
    (0..<channels).map { channel in
      var noise = SeededNoise(seed: UInt64(channel) + 40)
      return noise.samples(frames, peak: 0.25)
    }
  }

  private func refusal(_ room: RoomMeasurements) -> String {
    do {
      _ = try ChannelSet(id: "hall.sofa", room: room)
      return ""
    } catch {
      return (error as? MediaError)?.message ?? "another error"
    }
  }

  @Test("channels of 5.1 equal direct convolution with the room's responses within −120 dB")
  func channelsAreHeardThroughTheirLoudspeakers() throws {
    let measured = room([110, -30, 0, 30, -110], samples: 4000)
    let set = try ChannelSet(id: "hall.sofa", room: measured)
    let format = Render.format("5.1")
    var signal = noise(6, 3000)
    signal[3] = [Float](repeating: 0, count: 3000)
    let stage = ChannelSetRenderer(set, lfeGainDB: nil)
    let ears = try StageVerifier.run(stage, format: format, signal: signal, blockSize: 0)
    #expect(stage.latency == 100)
    // L, R, C, (LFE), Ls, Rs in the order of the room.
    let places = [3, 1, 2, 0, 0, 4]
    for ear in 0..<2 {
      let filters = places.map { measured.response($0, ear).map { Double($0) * set.gain } }
      let wanted = Render.direct(signal, filters)
      #expect(ears[ear].count == wanted.count)
      #expect(Render.difference(ears[ear].map(Double.init), wanted) <= -120)
    }
    #expect(set.speakers == 5 && set.taps == 4000)
  }

  @Test("a rendering through a measured room has the same bits for blocks of any size")
  func outputDoesNotDependOnBlockSize() throws {
    let set = try ChannelSet(id: "hall.sofa", room: room([30, -30, 0, 110, -110], samples: 96_000))
    let difference = try StageVerifier.firstDifference(
      format: Render.format("5.1"), signal: noise(6, 3000),
      make: { ChannelSetRenderer(set, lfeGainDB: 10) })
    #expect(difference == nil)
  }

  @Test("a room of two loudspeakers plays stereo and refuses 5.1 with the name FC")
  func channelsWithoutALoudspeakerAreNamed() throws {
    let set = try ChannelSet(id: "hall.sofa", room: room([30, -30]))
    let error = #expect(throws: MediaError.self) {
      try ChannelSetRenderer(set, lfeGainDB: 10).prepare(Render.format("5.1"))
    }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("of FC, ") == true, "\(error?.message ?? "")")
    #expect(throws: Never.self) {
      try ChannelSetRenderer(set, lfeGainDB: 10).prepare(Render.format("stereo"))
    }
  }

  /// The decay and the direct sound against the rest are those of what the responses were made of.
  @Test("decay and direct-to-reverberant ratio of a room are those its responses were made of")
  func figuresAreThoseOfTheResponses() throws {
    let measured = room([30, -30, 0], samples: 36_000)
    let figures = RoomAcoustics(try ChannelSet(id: "hall.sofa", room: measured))
    #expect((try #require(figures.tailSeconds) - 0.748).magnitude < 0.001)
    for octave in figures.octaves where octave.frequency >= 500 {
      let decay = try #require(octave.decaySeconds)
      #expect((decay / 0.5 - 1).magnitude < 0.1, "\(octave.frequency) Hz: \(decay) s")
    }
    // White noise of this power in all, against the impulses.
    let rest = (0..<2).reduce(0.0) { sum, ear in
      sum
        + measured.response(0, ear).dropFirst(221).reduce(0.0) {
          $0 + Double($1) * Double($1)
        }
    }
    #expect((figures.directToReverberantDB - 10 * log10(1.25 / rest)).magnitude < 1.5)
  }

  @Test("responses that make no room are refused") func whatIsNoRoomIsRefused() throws {
    let good = room([30, -30])
    func changed(_ change: (inout [Float]) -> Void) -> RoomMeasurements {
      var responses = good.responses
      change(&responses)
      return RoomMeasurements(
        sampleRate: 48_000, taps: good.taps, directions: good.directions, responses: responses,
        delays: good.delays)
    }
    #expect(refusal(good) == "")
    #expect(refusal(changed { $0[70_000] = .nan }).contains("no numbers"))
    let silent = changed {
      $0.replaceSubrange(0..<48_000, with: [Float](repeating: 0, count: 48_000))
    }
    #expect(refusal(silent).contains("the loudspeaker at 30.0°/0.0°, which is silent"))
    let late = changed { responses in
      for ear in 0..<2 { responses[ear * 24_000 + 100] = 0.001 }
      for ear in 0..<2 { responses[ear * 24_000 + 6100] = 0.2 }
    }
    #expect(refusal(late).contains("no direct sound"), "\(refusal(late))")
    let far = RoomMeasurements(
      sampleRate: 48_000, taps: good.taps, directions: good.directions, responses: good.responses,
      delays: [0, 0, 1000, 1000])
    #expect(refusal(far).contains("1000 samples after"), "\(refusal(far))")
  }

  @Test("a room is read back from its bytes, and wrong yaws, views, digests and lengths are not")
  func bytesHoldTheRoom() throws {
    let sha256 = String(repeating: "a1", count: 32)
    let measured = room([30, -30], samples: 300)
    let bytes = measured.bytes(sha256)
    #expect(RoomMeasurements(bytes: bytes, sha256) == measured)
    let turned = RoomMeasurements(
      sampleRate: 48_000, taps: 2, directions: measured.directions, yaws: [-10, 0, 180],
      views: [2, 0], responses: (0..<16).map(Float.init), delays: Array(0..<8))
    #expect(RoomMeasurements(bytes: turned.bytes(sha256), sha256) == turned)
    for (yaws, views) in [([0.0, 0], [0]), ([0, 181], [0]), ([0], [1]), ([0, .nan], [0])] {
      let odd = RoomMeasurements(
        sampleRate: 48_000, taps: 2, directions: [Direction(azimuth: 0)], yaws: yaws, views: views,
        responses: [0, 1, 2, 3], delays: [0, 0])
      #expect(RoomMeasurements(bytes: odd.bytes(sha256), sha256) == nil, "\(yaws) \(views)")
    }
    #expect(RoomMeasurements(bytes: bytes, String(repeating: "b2", count: 32)) == nil)
    #expect(RoomMeasurements(bytes: Array(bytes.dropLast()), sha256) == nil)
    for size in [0, 7, 8, 40, 88, 120] {
      #expect(RoomMeasurements(bytes: Array(bytes.prefix(size)), sha256) == nil)
    }
  }

  // MARK: Files

  @Test(
    "MultiSpeakerBRIR and SingleRoomSRIR files give rate, directions and responses as written",
    .enabled(if: RoomFileMaker.isThere, "h5py is not installed"),
    arguments: ["MultiSpeakerBRIR", "SingleRoomSRIR"])
  func filesOfBothKindsAreRead(convention: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("hall.sofa")
    try RoomFileMaker.write(path, azimuths: [30, -30, 110], convention: convention)
    let read = try SOFAReading.inProcess.room(path: path, sha256: "")
    #expect(read.sampleRate == 48_000 && read.taps == 24_000)
    #expect(read.directions.count == 3)
    for (found, wanted) in zip(read.directions, [30.0, -30, 110]) {
      #expect((found.azimuth - wanted).magnitude < 1e-4 && found.elevation.magnitude < 1e-4)
    }
    for speaker in 0..<3 {
      let ears = [read.response(speaker, 0), read.response(speaker, 1)]
      #expect(ears[0][100 + speaker] == 1 && ears[1][100 + speaker] == 0.5)
      #expect(ears[0][99] == 0)
    }
  }

  @Test(
    "mono, 60 s long, 10 Hz and cut room files are refused with the reason",
    .enabled(if: RoomFileMaker.isThere, "h5py is not installed"))
  func damagedAndOtherFilesAreRefused() throws {
    let folder = try TemporaryFolder()
    func refusal(_ name: String, _ change: String, _ convention: String = "MultiSpeakerBRIR") throws
      -> MediaError?
    {
      let path = folder.file(name)
      try RoomFileMaker.write(path, azimuths: [30, -30], convention: convention, change: change)
      do {
        _ = try SOFAReading.inProcess.room(path: path, sha256: "")
        return nil
      } catch { return error as? MediaError }
    }
    let mono = try refusal("mono.sofa", "ir = ir[:, :1]")
    #expect(mono?.kind == .unsupportedFeature)
    #expect(mono?.message.contains("one receiver") == true, "\(mono?.message ?? "")")
    let long = try refusal("long.sofa", "ir = np.zeros((2, 2, 2, 48000 * 60), np.float32)")
    #expect(long?.kind == .inputUnreadable)
    #expect(long?.message.contains("last 60 s") == true, "\(long?.message ?? "")")
    let slow = try refusal("slow.sofa", "rate = 10")
    #expect(slow?.message.contains("8…384 kHz") == true)
    // A file that ends early.
    try RoomFileMaker.write(folder.file("whole.sofa"), azimuths: [30, -30])
    let whole = try Data(contentsOf: folder.url("whole.sofa"))
    for part in [0, 100, 2000, whole.count / 2, whole.count - 1] {
      try whole.prefix(part).write(to: folder.url("cut.sofa"))
      let error = #expect(throws: MediaError.self) {
        try SOFAReading.inProcess.room(path: folder.file("cut.sofa"), sha256: "")
      }
      #expect(error?.kind == .inputUnreadable, "\(part): \(error?.message ?? "")")
    }
  }

  /// Data that don't fit aren't taken as if they weren't there.
  @Test(
    "views and positions that don't fit a room file are refused by name",
    .enabled(if: RoomFileMaker.isThere, "h5py is not installed"),
    arguments: [
      ("ListenerView", "[[1, 0, 0]] * 3"), ("ListenerPosition", "[[1, 1]]"),
      ("SourcePosition", "[[float('nan'), 0, 0]]"), ("EmitterPosition", "[[[1], [0], [0]]] * 3"),
    ])
  func placesThatDontFitAreRefused(name: String, values: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("odd.sofa")
    try RoomFileMaker.write(
      path, azimuths: [30, -30], afterwards: "del file['\(name)']; place('\(name)', \(values))")
    let error = #expect(throws: MediaError.self) {
      try SOFAReading.inProcess.room(path: path, sha256: "")
    }
    #expect(error?.kind == .inputUnreadable)
    #expect(error?.message.contains("\(name) doesn't fit") == true, "\(error?.message ?? "")")
  }

  @Test(
    "delays of a room file that don't fit, are negative or too long are refused",
    .enabled(if: RoomFileMaker.isThere, "h5py is not installed"),
    arguments: [
      ("np.zeros(4)", "doesn't fit"), ("np.full((1, 2, 2), -1.0)", "doesn't fit"),
      ("np.zeros((1, 2, 600000))", "more than"),
    ])
  func delaysThatDontFitAreRefused(values: String, words: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("odd.sofa")
    try RoomFileMaker.write(
      path, azimuths: [30, -30],
      afterwards:
        "del file['Data.Delay']; file.create_dataset('Data.Delay', data=\(values))")
    let error = #expect(throws: MediaError.self) {
      try SOFAReading.inProcess.room(path: path, sha256: "")
    }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  /// Files that are whole and hold something else say what they hold, with either option.
  @Test(
    "SOFA files of sound fields and headphones are refused by their convention",
    .enabled(if: RoomFileMaker.isThere, "h5py is not installed"),
    arguments: [
      ("FreeFieldHRTF", "TF-E", "follows FreeFieldHRTF, which isn't read; give a set of"),
      (
        "SimpleHeadphoneIR", "FIR",
        "follows SimpleHeadphoneIR, which isn't read; give a set of SimpleFreeFieldHRIR"
      ),
    ])
  func otherConventionsAreNamed(convention: String, type: String, words: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("other.sofa")
    try RoomFileMaker.write(
      path, azimuths: [30, -30], convention: convention, samples: 200,
      afterwards: "text(file, DataType='\(type)')")
    for read in [
      { _ = try SOFAReading.inProcess.room(path: path, sha256: "") },
      { _ = try SOFAReading.inProcess.measurements(path: path, sha256: "") },
    ] {
      let error = #expect(throws: MediaError.self) { try read() }
      #expect(error?.kind == .unsupportedFeature)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
  }

  @Test(
    "an HRTF set is refused as a room because it holds responses of directions",
    .enabled(if: SOFARefusalTests.hasKemar, "libmysofa's set is not installed"))
  func aSetOfDirectionsIsNoRoom() throws {
    let error = #expect(throws: MediaError.self) {
      try SOFAReading.inProcess.room(path: SOFARefusalTests.kemar, sha256: "")
    }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("responses of directions") == true)
  }
}
