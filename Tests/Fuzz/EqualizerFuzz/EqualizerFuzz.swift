import AudioCore
import Effects

/// What libFuzzer calls with each input: the bytes are the text of an equaliser. What can be read is applied to an
/// impulse. Refusals are expected; a trap, a hang or memory without bound is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEqualizer(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  guard let equalizer = try? EqualizerText.read(text, name: "text") else { return 0 }
  let tap = EqualizerTap(equalizer) { _, _ in nil }
  let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
  guard (try? tap.prepare(format)) != nil else { return 0 }
  let (input, output) = (AudioBuffer(channels: 2), AudioBuffer(channels: 2))
  input.appendSilence(64)
  input.channel(0)[0] = 1
  try? tap.process(input, into: output)
  try? tap.finish(into: output)
  return 0
}
