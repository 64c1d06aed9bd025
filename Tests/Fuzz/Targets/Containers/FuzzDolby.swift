// SPDX-License-Identifier: Apache-2.0
@testable import MediaIn

/// The bytes are syncframes of AC-3 or E-AC-3. Units are the same however the bytes arrive, and hold all of them where no
/// place is damaged.
func fuzzDolby(_ bytes: [UInt8]) {
  _ = DolbyHeader(bytes)
  checkUnits(bytes)
  // Changed bytes hardly ever have a right checksum.
  checkUnits(sealed(bytes))
}

private func checkUnits(_ bytes: [UInt8]) {
  let whole = units(bytes, by: max(1, bytes.count))
  let pieces = units(bytes, by: 7)
  demand(whole.units == pieces.units, "units don't depend on how bytes arrive")
  demand(whole.isWhole == pieces.isWhole, "damage doesn't depend on how bytes arrive")
  if whole.isWhole {
    demand(Array(whole.units.joined()) == bytes, "units are the bytes of the stream")
  }
}

/// The frames in `bytes` with right checksums (ETSI TS 102 366, 6.10.1), up to the first place where none begins.
private func sealed(_ bytes: [UInt8]) -> [UInt8] {
  var sealed = bytes
  var start = 0
  while let frame = DolbySyncframe(Array(bytes[start...].prefix(256))), frame.size >= 8,
    start + frame.size <= bytes.count
  {
    let end = start + frame.size
    let sum = bytes[(start + 2)..<(end - 2)].reduce(UInt16(0)) { sum, byte in
      (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in
        sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1
      }
    }
    sealed[end - 2] = UInt8(sum >> 8)
    sealed[end - 1] = UInt8(sum & 0xFF)
    start = end
  }
  return sealed
}

/// The units of a stream that comes in pieces of `step` bytes, and whether no place of it is damaged.
private func units(_ bytes: [UInt8], by step: Int) -> (units: [[UInt8]], isWhole: Bool) {
  var parser = DolbyAccessUnits()
  var units: [DolbyAccessUnits.Unit] = []
  func take(_ found: [DolbyAccessUnits.Unit]) {
    if found.contains(where: { !$0.isDamaged }) { check(parser.frames) }
    units += found
  }
  for start in stride(from: 0, to: bytes.count, by: step) {
    take(parser.push(Array(bytes[start..<min(bytes.count, start + step)])))
  }
  take(parser.finish())
  let whole = units.filter { !$0.isDamaged }
  return (whole.map(\.bytes), whole.count == units.count)
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
