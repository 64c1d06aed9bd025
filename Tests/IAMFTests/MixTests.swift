// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import IAMF

/// Mixes for two loudspeakers against those of an independent decoder. The matrices to two loudspeakers
/// are those of the shared tables.
@Suite(
  .tags(.media, .system), .fullRunOnly,
  .enabled(if: IAMFOracle.isPresent, "../shared is missing"))
struct MixTests {
  private static let stereo = "0+2+0"

  /// The weights of each channel of `output` in the left and the right loudspeaker.
  private func matrix(_ output: ElementReconstructor.Output) throws -> [[Double]] {
    let tables = try IAMFOracle.table("loudspeaker_gains.json")
    let gains = try #require(tables["gain"] as? [String: [String: [[Double]]]])
    let orders = try #require(tables["channel_order"] as? [String: [String]])
    func rows(_ key: String) throws -> [[Double]] { try #require(gains[key]?[MixTests.stereo]) }
    guard case .channels(let channels) = output else {
      guard case .scene(let count) = output else { return [] }
      return try rows("A\(Int(Double(count).squareRoot()) - 1)")
    }
    if channels == [.l, .r] { return [[1, 0], [0, 1]] }
    // The order of the tables, where it isn't that of their list.
    let wide = "FL FR FC LFE1 BL BR FLc FRc SiL SiR TpFL TpFR TpBL TpBR TpSiL TpSiR"
    let listed = ["9.1.6": wide.split(separator: " ").map(String.init), "0+1+0": ["C"]]
    let key = MixTests.tableName(channels)
    let order = try #require(listed[key] ?? orders[key])
    let table = try rows(key)
    return try channels.map { table[try #require(order.firstIndex(of: $0.rawValue))] }
  }

  /// The table that has all of `channels`.
  private static func tableName(_ channels: [ElementChannel]) -> String {
    if channels == [.c] { return "0+1+0" }
    if channels.contains(.flc) { return "9.1.6" }
    if channels.contains(.ltr) { return "4+5+0" }
    return channels.contains(.ls) ? "0+5+0" : "4+7+0"
  }

  /// The stereo layer where there is one, else the highest.
  private func layer(_ element: PlayableElement) -> Int? {
    element.layerChannels.firstIndex(of: [.l, .r])
  }

  @Test(
    "every mix for two loudspeakers is an independent decoder's within 3e-7, or 2e-4 for Opus and AAC",
    arguments: [
      "7_1_4_Flac.iamf", "noise_1024samp_5p1_opus.iamf", "noise_1024samp_stereo_flac.iamf",
      "sample_fragmented_iamf.mp4", "syn_expanded_916_lpcm16.iamf",
      "syn_foa_stereo_gains_flac_frag.mp4", "syn_scalable_1_2_71_aac_recon.iamf",
      "syn_scalable_2_512_714_lpcm24.iamf", "syn_scalable_312_514_lpcm16.mp4",
      "syn_scalable_4layer_opus_recon.mp4", "syn_soa_projection_two_mixes_flac.iamf",
      "syn_stereo_trims_lpcm16be.iamf", "tones_100ms_3OA_stereo_opus.iamf",
    ])
  func mixesAreThoseOfTheOracle(name: String) throws {
    let facts = try #require(try IAMFOracle.json("expected.json")[name] as? [String: Any])
    let mixes = try #require(facts["mixes"] as? [String: [String: Any]])
    let file = try MediaFile(name)
    #expect(file.description.playableMixes.count == mixes.count)
    for mix in file.description.playableMixes {
      let wanted = try #require(mixes["\(mix.presentation?.id ?? -1)"])
      let scale = Float(try #require(wanted["scale_of_flac"] as? Double))
      let path = try #require(wanted["stereo_file"] as? String)
      let planes = try IAMFOracle.planes(path, channels: 2)
      let found = try mixed(file, mix)
      for (one, other) in zip(found, planes) {
        let isCut = name == "7_1_4_Flac.iamf" && other.count == 48_000
        #expect(one.count == other.count || isCut)
        let difference = zip(one, other).reduce(0) { max($0, abs($1.0 * scale - $1.1)) }
        let isCoded = name.contains("opus") || name.contains("aac")
        #expect(difference < (isCoded ? 2e-4 : 3e-7), "\(name): \(difference)")
      }
      try expectGains(file, mix, wanted)
    }
  }

  /// A mix for two loudspeakers, trimmed.
  private func mixed(_ file: MediaFile, _ mix: PlayableMix) throws -> [[Float]] {
    let lengths = try PlayedFile.lengths(file, mix)
    var rendered: [[AudioBuffer]] = []
    for entry in mix.elements {
      let element = try #require(file.description.playableElements[entry.id])
      let reconstructor = ElementReconstructor(element, layer: layer(element))
      let rows = try matrix(reconstructor.output)
      let units = try PlayedFile.reconstructed(file, element, reconstructor, lengths)
      rendered.append(units.map { MixTests.rendered($0, rows) })
    }
    let mixer = PresentationMixer(mix, channels: 2)
    var clock = TrimmingClock()
    var planes: [[Float]] = [[], []]
    for (index, unit) in file.units.enumerated() {
      let output = AudioBuffer(channels: 2)
      mixer.mix(rendered.map { $0[index] }, unit, into: output)
      let range = clock.range(lengths[index], unit.trim(file.description.substreams(of: mix)))
      for channel in 0..<2 { planes[channel] += output.channel(channel)[range] }
    }
    return planes
  }

  private static func rendered(_ channels: AudioBuffer, _ rows: [[Double]]) -> AudioBuffer {
    let result = AudioBuffer(channels: 2)
    result.appendSilence(channels.frames)
    for ear in 0..<2 {
      var sums = [Double](repeating: 0, count: channels.frames)
      for (channel, row) in rows.enumerated() {
        Signals.add(channels.channel(channel), by: row[ear], to: &sums)
      }
      _ = result.channel(ear).update(fromContentsOf: Signals.floats(sums))
    }
    return result
  }

  /// The gains of the first, middle and last presented sample.
  private func expectGains(
    _ file: MediaFile, _ mix: PlayableMix, _ wanted: [String: Any]
  ) throws {
    let gains = try #require(wanted["gain_first_middle_last"] as? [String: [Double]])
    let lengths = try PlayedFile.lengths(file, mix)
    var tracks = mix.elements.map { ("\($0.id)", $0.gain) }
    tracks.append(("out", mix.parts[0].outputGain))
    for (name, gain) in tracks {
      var track = GainTrack(gain, sampleRate: mix.sampleRate)
      var clock = TrimmingClock()
      var line: [Float] = []
      for (unit, count) in zip(file.units, lengths) {
        let buffer = AudioBuffer(channels: 1)
        buffer.grow(by: count)
        track.write(unit, to: buffer.channel(0))
        line +=
          buffer.channel(0)[
            clock.range(count, unit.trim(file.description.substreams(of: mix)))]
      }
      let levels = try #require(gains[name])
      let found = [line[0], line[line.count / 2], line[line.count - 1]]
      for (one, other) in zip(found, levels) { #expect(abs(Double(one) - other) < 2e-6, "\(name)") }
    }
  }

  /// Stated loudness is a value, and placeholders are told from measurements.
  @Test("stated loudness is read exactly, and placeholders are recognised")
  func loudnessIsStated() throws {
    let measured = try MediaFile("7_1_4_Flac.iamf").description.mixes[0].subMixes[0].loudness
    #expect(measured.map(\.layout) == [.loudspeakers(.a), .loudspeakers(.j)])
    #expect(measured.map(\.integrated) == [-19.4375, -17.37890625])
    #expect(!measured.contains { $0.isPlaceholder || $0.isImplausible })
    let empty = try MediaFile("noise_1024samp_5p1_opus.iamf").description.mixes[0].subMixes[0]
    #expect(empty.loudness.allSatisfy { $0.isPlaceholder && $0.isImplausible })
  }
}
