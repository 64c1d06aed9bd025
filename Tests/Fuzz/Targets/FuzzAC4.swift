// SPDX-License-Identifier: Apache-2.0
import AC4
import AudioCore

/// The bytes are an elementary stream of AC-4, and one raw frame. Errors are expected; a trap, a hang or
/// a sample that isn't finite is a finding.
func fuzzAC4(_ bytes: [UInt8]) {
  var inspector = AC4Inspector()
  _ = try? inspector.inspect(rawFrame: bytes)
  var scanner = AC4FrameScanner()
  scanner.push(bytes)
  scanner.finish()
  var frames: [[UInt8]] = []
  while let frame = scanner.next(), frames.count < 16 { frames.append(frame.rawFrame) }
  decode(frames)
  decode([bytes, bytes])
  for count in [2, 4] where frames.count >= count {
    if let joined = try? AC4FrameJoiner.join(Array(frames.prefix(count))) { decode([joined]) }
  }
}

/// Decodes frames as a programme: what is damaged is concealed.
private func decode(_ frames: [[UInt8]]) {
  guard let first = frames.first, let decoder = try? AC4Decoder(rawFrame: first) else { return }
  let output = ProgrammeBlock(
    Programme(sampleRate: decoder.format.sampleRate, elements: decoder.elements), capacity: 8192)
  for frame in frames {
    do { try decoder.decode(rawFrame: frame, into: output) } catch { decoder.conceal(into: output) }
    check(output)
  }
  decoder.flush(into: output)
  check(output)
}

private func check(_ output: ProgrammeBlock) {
  for channel in 0..<output.audio.channels {
    precondition(
      output.audio.channel(channel).allSatisfy { $0.isFinite }, "a sample isn't finite")
  }
  output.removeAll()
}
