// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness

import Platform

/// Compares the CPU time of the loudness meter with libebur128's on the same 60 s of audio.
///
/// Both run in this process, on its CPU clock, in turn; of seven rounds the best counts. The
/// time is that of making the meter, feeding it blocks of 4096 frames and asking for the results. Each gets
/// the samples the way it wants them, planar or interleaved; converting isn't timed. Missing a goal
/// isn't a failure; other results are.
@main
struct MeterBench {
  static let rounds = 7
  static let block = 4096

  static func main() throws {
    var rows: [Row] = []
    for name in ["stereo", "5.1"] {
      guard let layout = ChannelLayout(name: name) else { continue }
      let format = AudioFormat(sampleRate: 48_000, layout: layout)
      let goals = name == "stereo" ? (4.0, 8.0) : (7.0, 12.0)
      let programme = Programme.broadcast(format: format, seconds: 60)
      rows.append(
        try compare(programme, "\(name): I", truePeak: false, goal: goals.0))
      rows.append(
        try compare(programme, "\(name): I, LRA, true peak", truePeak: true, goal: goals.1))
      let tones = Programme.tones(format: format, seconds: 60)
      rows.append(
        try compare(tones, "\(name): the same, nothing to skip", truePeak: true, goal: nil))
    }
    print(Row.table(rows))
    fflush(nil)
    if rows.contains(where: { !$0.agrees }) { exit(1) }
  }

  /// Measures `programme` in turn with both meters.
  private static func compare(
    _ programme: Programme, _ name: String, truePeak: Bool, goal: Double?
  ) throws -> Row {
    let peer = PeerMeter(programme, truePeak: truePeak)
    var row = Row(name: name, goal: goal)
    for _ in 0..<rounds {
      let start = CPUClock.now()
      let meter = try LoudnessMeter(format: programme.format, measuresTruePeak: truePeak)
      for buffer in programme.buffers { try meter.add(buffer) }
      let ours = meter.measurement()
      let middle = CPUClock.now()
      let theirs = peer.measure()
      let end = CPUClock.now()
      row.ours = min(row.ours, middle - start)
      row.peer = min(row.peer, end - middle)
      row.agrees = row.agrees && theirs?.agrees(with: ours) == true
    }
    return row
  }
}
