// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Effects

/// The bytes are the text of an equaliser. A readable one is applied to an impulse. Refusals are expected; a trap, a
/// hang or memory without bound is a finding.
func fuzzEqualizer(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  guard let equalizer = try? EqualizerText.read(text, name: "text") else { return }
  let tap = EqualizerTap(equalizer) { _, _ in nil }
  let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
  guard (try? tap.prepare(format)) != nil else { return }
  let (input, output) = (AudioBuffer(channels: 2), AudioBuffer(channels: 2))
  input.appendSilence(64)
  input.channel(0)[0] = 1
  try? tap.process(input, into: output)
  try? tap.finish(into: output)
}
