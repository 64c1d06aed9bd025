// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import AC4

/// Writes `audio_data` in SIMPLE mode with random coding configurations and matrices, and knows what
/// comes out.
struct SyntheticElement: SyntheticAudio {
  /// Window lengths of each channel in coded order.
  var windows: [[Int]]
  /// Lines of each channel in coded order, after all matrices.
  var lines: [[Double]]

  /// Without meaning here, since nothing depends on earlier frames.
  var isIFrame = true
  /// The track whose windows each channel has.
  var tracks: [Track?]

  let frameLength: Int
  let mode: AC4ChannelMode
  let surrounds: [Int]
  let added: [Int]

  init(_ frameLength: Int, _ mode: AC4ChannelMode) {
    self.frameLength = frameLength
    self.mode = mode
    let shift = mode.hasLFE ? 1 : 0
    surrounds = [3 + shift, 4 + shift]
    added = [5 + shift, 6 + shift]
    windows = Array(repeating: [], count: mode.channels)
    lines = Array(repeating: [], count: mode.channels)
    tracks = Array(repeating: nil, count: mode.channels)
  }

  mutating func write(_ bits: inout BitWriter, _ noise: inout SeededNoise) {
    let widths = [1, 2, 1, 3, 3, 2, 2, 2, 2, 2, 2]
    bits.write(0, widths[mode.rawValue])
    writeLowFrequency(&bits, &noise)
    switch mode.rawValue {
    case 0: writeMono(0, &bits, &noise)
    case 1: writePair(&bits, &noise)
    case 2:
      if Bool.random(using: &noise) {
        bits.write(1, 1)
        writeThree(&bits, &noise)
      } else {
        bits.write(0, 1)
        writePair(&bits, &noise)
        writeMono(2, &bits, &noise)
      }
    default:
      let hasMono = writeCore(&bits, &noise)
      if mode.rawValue >= 5 {
        writeAdded(&bits, &noise)
      }
      if hasMono { writeMono(2, &bits, &noise) }
    }
  }

  mutating func writeLowFrequency(_ bits: inout BitWriter, _ noise: inout SeededNoise) {
    guard mode.hasLFE else { return }
    let track = Track(lowFrequency: frameLength, &noise)
    track.writeLowFrequencyInfo(&bits)
    track.writeData(&bits)
    keep(3, track)
  }

  mutating func keep(_ channel: Int, _ track: Track) {
    tracks[channel] = track
    windows[channel] = track.windows
    lines[channel] = track.lines
  }

  mutating func writeMono(
    _ channel: Int, _ bits: inout BitWriter, _ noise: inout SeededNoise
  ) {
    let track = Track(frameLength, &noise)
    bits.write(0, 1)
    track.writeInfo(&bits)
    track.writeData(&bits)
    keep(channel, track)
  }

  /// `stereo_data`, its channels apart.
  mutating func writePair(_ bits: inout BitWriter, _ noise: inout SeededNoise) {
    bits.write(0, 1)
    let tracks = (0..<2).map { _ in Track(frameLength, &noise) }
    for track in tracks {
      bits.write(0, 1)
      track.writeInfo(&bits)
    }
    for (channel, track) in tracks.enumerated() {
      track.writeData(&bits)
      keep(channel, track)
    }
  }

  mutating func writeCore(_ bits: inout BitWriter, _ noise: inout SeededNoise) -> Bool {
    let configuration = Int.random(in: 0...3, using: &noise)
    bits.write(configuration, 2)
    switch configuration {
    case 0:
      let isSideways = Bool.random(using: &noise)
      bits.write(isSideways)
      writeTwo(isSideways ? (0, surrounds[0]) : (0, 1), &bits, &noise)
      writeTwo(isSideways ? (1, surrounds[1]) : (surrounds[0], surrounds[1]), &bits, &noise)
      return true
    case 1:
      writeThree(&bits, &noise)
      writeTwo((surrounds[0], surrounds[1]), &bits, &noise)
      return false
    case 2:
      writeTogether([0, 1] + surrounds, 4, nil, &bits, &noise)
      return true
    default:
      let selection = Int.random(in: 0..<12, using: &noise)
      writeTogether([0, 1, 2] + surrounds, 5, selection, &bits, &noise)
      return false
    }
  }

  mutating func writeThree(_ bits: inout BitWriter, _ noise: inout SeededNoise) {
    writeTogether([0, 1, 2], 2, Int.random(in: 0..<12, using: &noise), &bits, &noise)
  }

  /// The added pair, with or without matrices between it and the core.
  mutating func writeAdded(_ bits: inout BitWriter, _ noise: inout SeededNoise) {
    let isMatrixed = Bool.random(using: &noise)
    bits.write(isMatrixed)
    let partners = mode.rawValue <= 6 ? surrounds : [0, 1]
    let carriers = partners.compactMap { tracks[$0] }
    guard isMatrixed else { return writeTwo((added[0], added[1]), &bits, &noise) }
    bits.write(2, 2)
    bits.write(2, 2)
    bits.write(0, 1)
    let own = carriers.map { Track(windowsOf: $0, &noise) }
    for track in own { track.writeInfo(&bits) }
    for (place, track) in own.enumerated() {
      track.writeData(&bits)
      keep(added[place], track)
      let coded = lines[added[place]]
      for (line, isCoded) in carriers[place].mask.enumerated() where isCoded {
        let (one, two) = (lines[partners[place]][line], coded[line])
        lines[partners[place]][line] = one + two
        lines[added[place]][line] = one - two
      }
    }
  }

  /// `two_channel_data`.
  mutating func writeTwo(
    _ channels: (Int, Int), _ bits: inout BitWriter, _ noise: inout SeededNoise
  ) {
    guard Bool.random(using: &noise) else {
      bits.write(0, 1)
      let tracks = (0..<2).map { _ in Track(frameLength, &noise) }
      for track in tracks { track.writeInfo(&bits) }
      for (track, channel) in zip(tracks, [channels.0, channels.1]) {
        track.writeData(&bits)
        keep(channel, track)
      }
      return
    }
    bits.write(1, 1)
    writeTogether([channels.0, channels.1], 1, nil, &bits, &noise)
  }

  /// Tracks with common windows, then `count` matrices and `chel_matsel`.
  private mutating func writeTogether(
    _ channels: [Int], _ count: Int, _ selection: Int?, _ bits: inout BitWriter,
    _ noise: inout SeededNoise
  ) {
    let first = Track(frameLength, &noise)
    let tracks = [first] + (1..<channels.count).map { _ in Track(like: first, &noise) }
    first.writeInfo(&bits)
    if let selection { bits.write(selection, 4) }
    var matrices: [[Double]] = []
    for _ in 0..<count {
      let isMidSide = Bool.random(using: &noise)
      bits.write(isMidSide ? 2 : 0, 2)
      matrices.append(isMidSide ? [1, 1, 1, -1] : [1, 0, 0, 1])
    }
    for track in tracks { track.writeData(&bits) }
    let whole = ChannelMatrix.rows(channels.count, selection, matrices)
    let written = tracks.map(\.lines)
    for (row, channel) in channels.enumerated() {
      keep(channel, first)
      lines[channel] = written[0].indices.map { line in
        written.indices.reduce(0.0) { $0 + whole[row][$1] * written[$1][line] }
      }
    }
  }
}
