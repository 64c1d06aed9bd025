// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Settings
import Spatial

/// The bytes are loudspeaker positions, as text of an option or as a file.
func fuzzSpeakers(_ bytes: [UInt8]) {
  if let text = FuzzInput.text(bytes), let positions = try? SpeakerPositions(parsing: text) {
    check(positions)
  }
  let path = FuzzInput.path(bytes, name: "speakers.yaml")
  if let entries = try? SpeakerFile.entries(path: path),
    let positions = try? SpeakerPositions(entries)
  {
    check(positions)
  }
}

private func check(_ positions: SpeakerPositions) {
  for entry in positions.entries {
    demand(
      entry.direction.azimuth > -180 && entry.direction.azimuth <= 180
        && entry.direction.elevation.magnitude <= 90, "\(entry) is a direction")
  }
  for name in ["stereo", "5.1", "7.1.4"] {
    guard let layout = ChannelLayout(name: name) else { continue }
    if let directions = try? positions.directions(in: layout) {
      demand(directions.count == layout.count, "each channel has a direction")
    }
  }
}
