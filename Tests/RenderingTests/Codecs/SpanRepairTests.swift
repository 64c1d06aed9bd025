// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Loudness
import Platform
import Signal
import TestSupport
import Testing

@testable import MediaOut
@testable import Rendering

/// The packets around a lifted peak are encoded again, and nothing else changes.
@Suite struct SpanRepairTests {
  /// An encoding of a programme with loud hits, and what it decodes to.
  private struct Encoding {
    let settings: SoundSettings
    let sound: AudioBuffer
    let store: PacketStore
    let grid: PacketGrid
    let decoder: SpanDecoder

    let replacement: PacketReplacement

    init(_ codec: AudioEncoding = .aac, options: [String: String]? = nil, click: Int? = nil) throws
    {
      replacement = try #require(codec.traits.replacement)
      let planes = TestProgramme.planes(channels: 2, seconds: 7, level: 0.2)
      sound = AudioBuffer(channels: 2)
      sound.grow(by: planes[0].count)
      for (index, plane) in planes.enumerated() {
        for frame in plane.indices { sound.channel(index)[frame] = plane[frame] }
      }
      if let click {
        for channel in 0..<2 {
          for frame in click..<click + 40 {
            sound.channel(channel)[frame] = frame % 2 == 0 ? 0.9 : -0.9
          }
        }
      }
      var coding = OutputCoding(codec, bitRate: 96_000)
      coding.encoderOptions = options ?? replacement.options
      settings = SoundSettings(
        format: AudioFormat(sampleRate: 48_000, layout: .stereo), coding: coding,
        frames: Int64(sound.frames))
      let encoder = try FrameEncoder(settings.coding, format: settings.format)
      store = try PacketStore()
      let sink = PacketStoreSink(encoder, store)
      try sink.write(sound)
      try sink.close()
      grid = PacketGrid(
        frame: encoder.frameSize, padding: encoder.encoder.initialPadding, packets: store.count)
      decoder = try SpanDecoder(of: encoder.encoder, format: settings.format, grid: grid)
    }

    var packets: [EncodedPacket] {
      get throws { try (0..<store.count).map(store.packet) }
    }

    /// All that the packets decode to, from the first start-up sample on.
    func decoded(_ packets: [EncodedPacket]) throws -> AudioBuffer {
      try SpanDecoder(
        of: FrameEncoder(settings.coding, format: settings.format).encoder, format: settings.format,
        grid: grid
      ).decode(packets)
    }

    /// The true peaks above `limit`.
    func peaks(above limit: Float) throws -> [PeakLocator.Peak] {
      PeakLocator(format: settings.format, limit: limit)
        .find(in: try decoded(packets), at: grid.start(of: 0))
        .filter { (0..<settings.frames).contains($0.position) }
    }

    func repair(_ limit: Float) throws -> (results: [SpanRepair.Result], jobs: Int) {
      let repair = SpanRepair(
        settings: settings, replacement: replacement, grid: grid, limit: limit, decoder: decoder,
        store: store)
      var dips = GainDips(sampleRate: 48_000)
      let reach = dips
      let jobs = PeakJob.jobs(for: try peaks(above: limit), grid: grid) { reach.reach(of: $0) }
      var window = SoundWindow(channels: 2)
      window.append(sound, from: 0)
      let results = try jobs.compactMap { job in
        let result = try repair.run(job, in: window, with: dips).result
        dips = result?.dips ?? dips
        return result
      }
      return (results, jobs.count)
    }
  }

  /// A limit that some peaks of the programme pass.
  private func limit(_ encoding: Encoding) throws -> Float {
    0.8 * (try encoding.peaks(above: 0.1).map(\.level).max() ?? 0)
  }

  @Test(
    "repairing a span holds its peaks and leaves all other packets",
    arguments: [AudioEncoding.aac, .mp3, .opus])
  func thePeaksAreHeldAndAllOtherPacketsStay(codec: AudioEncoding) throws {
    let encoding = try Encoding(codec)
    let limit = try limit(encoding)
    let before = try encoding.packets
    let heard = try encoding.decoded(before)
    let (results, jobs) = try encoding.repair(limit)
    #expect(jobs > 1 && results.count == jobs)
    #expect(results.allSatisfy { $0.left == nil && $0.span.count < 8 })
    let after = try encoding.packets
    let changed = before.indices.filter { before[$0] != after[$0] }
    // At the beginning both encodings start alike, so a new packet may be equal to the old one.
    #expect(Set(changed).isSubset(of: results.flatMap { Array($0.span) }))
    #expect(results.allSatisfy { result in changed.contains { result.span.contains($0) } })
    #expect(zip(before, after).allSatisfy { $0.time == $1.time && $0.duration == $1.duration })
    // Packets that were decoded before move the peaks of Opus a little.
    let held = codec == .opus ? limit * Float(Decibels.amplitude(0.05)) : limit
    #expect(try encoding.peaks(above: held).isEmpty)
    // All frames sound the same that no replaced packet reaches.
    let repaired = try encoding.decoded(after)
    let settling = encoding.replacement.settling
    let touched = Set(results.flatMap { Array($0.span.lowerBound...$0.span.upperBound + settling) })
    for number in before.indices where !touched.contains(number) {
      let range = number * encoding.grid.frame..<(number + 1) * encoding.grid.frame
      for channel in 0..<2 {
        let pairs = zip(heard.channel(channel)[range], repaired.channel(channel)[range])
        // Opus forgets what came before within rounding; the others have no memory.
        let error = pairs.map { ($0 - $1).magnitude }.max() ?? 0
        #expect(error <= (codec == .opus ? 0.003 : 0), "packet \(number)")
      }
    }
  }

  /// The residual against the sound in the two frames where the encodings meet, compared with that of the
  /// first encoding in the same frames and in the two next to them.
  @Test(
    "the seams of a repaired span have no more error than the interior",
    arguments: [
      (AudioEncoding.aac, ["aac_pns": "0"]), (.aac, [:]), (.mp3, ["reservoir": "0"]), (.opus, [:]),
    ])
  func theSeamsAreAsGoodAsTheInterior(codec: AudioEncoding, options: [String: String]) throws {
    let encoding = try Encoding(codec, options: options)
    let limit = try limit(encoding)
    let heard = try encoding.decoded(encoding.packets)
    let results = try encoding.repair(limit).results
    let held = try encoding.decoded(encoding.packets)
    #expect(!results.isEmpty)
    for result in results {
      #expect(result.seamDB <= 1)
      // Before the first packet there is no other one, and so no seam.
      for frame in [result.span.lowerBound, result.span.upperBound + 1]
      where frame > 0 && frame < encoding.grid.packets - 1 {
        for channel in 0..<2 {
          let seam = residual(held, frame, channel, encoding)
          let interior = (frame - 1...frame + 1).map { residual(heard, $0, channel, encoding) }
          #expect(10 * log10(seam / (interior.max() ?? 0)) <= 1, "frame \(frame)")
        }
      }
    }
  }

  @Test("encoding a span of the same sound gives the same packets")
  func theSameSoundGivesTheSamePackets() throws {
    let (first, second) = (try Encoding(), try Encoding())
    _ = try first.repair(try limit(first))
    _ = try second.repair(try limit(second))
    #expect(try first.packets == second.packets)
  }

  /// A click in the first encoding makes its windows short there, and a packet of long windows doesn't fit
  /// behind one that leads over to short windows: the span grows until both ends fit.
  @Test func theSpanGrowsWhereTheWindowsDontFit() throws {
    let clean = try Encoding().sound
    var hasGrown = false
    for frame in 137...141 {
      let encoding = try Encoding(click: 144_000)
      let peak = PeakLocator.Peak(position: Int64(frame * 1024 + 500), level: 1.53)
      let dips = GainDips(sampleRate: 48_000)
      let job = try #require(
        PeakJob.jobs(for: [peak], grid: encoding.grid) { dips.reach(of: $0) }.first)
      let repair = SpanRepair(
        settings: encoding.settings, replacement: encoding.replacement, grid: encoding.grid,
        limit: 1.5, decoder: encoding.decoder, store: encoding.store)
      var window = SoundWindow(channels: 2)
      window.append(clean, from: 0)
      guard let result = try repair.run(job, in: window, with: dips).result else { continue }
      #expect(result.seamDB <= 1)
      if result.span.count > job.span.count { hasGrown = true }
    }
    #expect(hasGrown)
  }

  /// A span that is decoded alone has its peaks where the whole has them.
  @Test func aSpanHasThePeaksOfTheWhole() throws {
    let encoding = try Encoding(click: 100_000)
    let peak = try #require(try encoding.peaks(above: 0.7).max { $0.level < $1.level })
    let frame = Int64(encoding.grid.frame)
    let number = Int((peak.position - encoding.grid.start(of: 0)) / frame)
    let sound = try encoding.decoder.sound(of: number - 2...number + 1) {
      try encoding.store.packet($0)
    }
    let found = encoding.decoder.peaks(in: sound, from: number, above: 0.7)
    let same = found.min {
      ($0.position - peak.position).magnitude < ($1.position - peak.position).magnitude
    }
    #expect(same?.position == peak.position)
    #expect(((same?.level ?? 0) - peak.level).magnitude < 1e-4)
  }

  private func residual(
    _ decoded: AudioBuffer, _ frame: Int, _ channel: Int, _ encoding: Encoding
  ) -> Double {
    let start = Int(encoding.grid.start(of: frame))
    return (0..<encoding.grid.frame).reduce(0) { sum, index in
      let place = start + index
      // The start-up samples lie before the sound.
      let meant =
        (0..<encoding.sound.frames).contains(place) ? encoding.sound.channel(channel)[place] : 0
      let error = Double(decoded.channel(channel)[frame * encoding.grid.frame + index] - meant)
      return sum + error * error
    }
  }
}
