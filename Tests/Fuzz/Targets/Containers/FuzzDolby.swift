@testable import MediaIn

/// The bytes are syncframes of AC-3 or E-AC-3. Units are the same however the bytes arrive, and lose none of them.
func fuzzDolby(_ bytes: [UInt8]) {
  _ = DolbyHeader(bytes)
  let whole = units(bytes, by: max(1, bytes.count))
  let pieces = units(bytes, by: 7)
  demand(whole.units == pieces.units, "units don't depend on how bytes arrive")
  demand(whole.isComplete == pieces.isComplete, "the end doesn't depend on how bytes arrive")
  if whole.isComplete {
    demand(Array(whole.units.joined()) == bytes, "units are the bytes of the stream")
  }
}

/// The units of a stream that comes in pieces of `step` bytes, and whether it ends with a whole frame.
private func units(_ bytes: [UInt8], by step: Int) -> (units: [[UInt8]], isComplete: Bool) {
  var parser = DolbyAccessUnits()
  var units: [[UInt8]] = []
  do {
    for start in stride(from: 0, to: bytes.count, by: step) {
      let found = try parser.push(Array(bytes[start..<min(bytes.count, start + step)]))
      if !found.isEmpty { check(parser.frames) }
      units += found
    }
    if let last = try parser.finish() {
      check(parser.frames)
      units.append(last)
    }
    return (units, true)
  } catch {
    // Units in front of the damage come with the piece that holds it, or before.
    return ([], false)
  }
}

private func check(_ frames: [DolbySyncframe]) {
  for frame in frames {
    demand((1...6).contains(frame.channels), "a frame has 1 to 6 channels")
    demand(frame.samples % 256 == 0 && frame.samples <= 1536, "blocks have 256 samples")
    demand(frame.sampleRate > 0 && frame.size >= 2, "a frame has a rate and a size")
    demand((-31...(-1)).contains(frame.header.dialnorm), "dialnorm is -31 to -1")
  }
  let payload = DolbyConfiguration.payload(frames)
  demand(payload?.isEmpty == false, "a unit has a configuration")
}
