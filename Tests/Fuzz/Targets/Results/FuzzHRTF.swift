// SPDX-License-Identifier: Apache-2.0
import AudioCore

@testable import Spatial

/// The first byte chooses a form of measured responses: what the process that reads SOFA files hands on, the samples of
/// a file for HeSuVi, the numbers of a SOFA file, or the beginning of such a file. The libraries that read SOFA files
/// aren't ours, and run in a process of their own.
func fuzzHRTF(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let content = Array(bytes.dropFirst())
  switch choice & 3 {
  case 0: fuzzRoom(content)
  case 1: fuzzChannels(content)
  case 2: fuzzMeasurements(content)
  default:
    let path = FuzzInput.path(content, name: "input.sofa")
    try? HDF5Envelope.check(path: path)
  }
}

private let digest = String(repeating: "0b", count: 32)

private func fuzzRoom(_ bytes: [UInt8]) {
  // Version, rate, taps and loudspeakers, then the digest that isn't in the input, and all else.
  let fields = bytes.prefix(16)
  guard fields.count == 16 else { return }
  let content = Array("PinnaRRM".utf8) + fields + Array(digest.utf8) + bytes.dropFirst(16)
  guard let room = RoomMeasurements(bytes: content, digest) else { return }
  demand(room.bytes(digest) == content, "a room is written as it was read")
  for speaker in room.directions.indices {
    for ear in 0..<2 { demand(!room.response(speaker, ear).isEmpty, "a response has samples") }
  }
  if let set = try? ChannelSet(id: "input", room: room) { check(set) }
}

private func fuzzChannels(_ bytes: [UInt8]) {
  var feed = ByteFeed(bytes)
  let choice = feed.byte()
  let count = [7, 14, 13][choice % 3]
  let rate = [44_100, 48_000, 88_200, 96_000, 8000][(choice >> 4) % 5]
  let length = min(64, 1 + bytes.count / 4 / count)
  let planes = (0..<count).map { _ in (0..<length).map { _ in feed.sample() } }
  if let set = try? ChannelSet(id: "input", planes: planes, rate: rate) { check(set) }
}

private func check(_ set: ChannelSet) {
  demand(set.gainDB.isFinite, "a gain is a number")
  demand(set.taps > 0 && set.speakers > 0, "a set has responses")
  demand((0...set.taps).contains(set.onset), "the direct sound is in the response")
}

private func fuzzMeasurements(_ bytes: [UInt8]) {
  var feed = ByteFeed(bytes)
  let (count, taps) = (20 + feed.byte() % 8, 1 + feed.byte() % 8)
  let rate = 8000 + feed.byte() * 1474
  let directions = (0..<count).map { _ in
    Direction(azimuth: Double(feed.byte()) * 3 - 380, elevation: Double(feed.byte()) - 128)
  }
  let stored = (0..<2 * count).map { _ in Double(feed.byte()) * (feed.byte() & 1 == 0 ? 1e-4 : 4) }
  guard let delays = MeasuredDelays(stored: stored, rate: rate) else { return }
  let measurements = HRTFMeasurements(
    sampleRate: rate, taps: taps, directions: directions,
    responses: (0..<2 * count * taps).map { _ in feed.sample() }, delays: delays.samples,
    delayUnit: delays.unit)
  try? Plausibility(measurements, path: "input").check()
  let citation = FuzzInput.text(feed.rest).flatMap { $0.isEmpty ? nil : $0 }
  let content = CachedMeasurements(measurements: measurements, citation: citation).bytes(digest)
  guard let again = CachedMeasurements(bytes: content, digest) else {
    return demand(false, "measurements that were written can be read")
  }
  demand(again.bytes(digest) == content, "measurements are read as they were written")
  demand(again.citation == citation, "a citation is read as it was written")
  demand(
    CachedMeasurements(bytes: content.dropLast(), digest) == nil, "what is cut isn't believed")
}
