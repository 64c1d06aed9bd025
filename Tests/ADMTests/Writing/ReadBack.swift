// SPDX-License-Identifier: Apache-2.0
import AudioCore

@testable import ADM

/// A document of ``ADMWriter``, read by the package's own parser.
struct ReadBack {
  /// Selection that is played.
  let selection: Selection
  /// Names of the objects.
  let objectNames: [ElementID: String]
  /// Findings of the parser.
  let findings: [ADMFinding]
  private let rate: Int

  /// Reads what is written for `programme`, by default with exact times.
  init(_ programme: WrittenProgramme, times: ADMTimeForm = .fraction) throws {
    let log = FindingLog()
    let writer = try ADMWriter(programme, times: times)
    let tracks = programme.elements.reduce(0) { $0 + $1.tracks }
    let document = try DocumentParser.parse(writer.document, findings: log)
    objectNames = (document?.objects ?? []).reduce(into: [:]) { $0[$1.id] = $1.name }
    let table = try ChannelTable(writer.channelTable.bytes, channels: tracks, findings: log)
    selection = try Selection(document, table, channels: tracks, findings: log)
    findings = log.findings
    rate = programme.sampleRate
  }

  /// The state of the only channel of item `item` at `sample`, by ITU-R BS.2127, 7.2, but with states in
  /// place of gains; `nil` where no block holds.
  func state(of item: Int, at sample: Int64) -> ObjectState? {
    let format = selection.items[item].channels[0].format
    var before: (state: ObjectState, end: ADMTime)?
    for block in format.blocks {
      guard let end = block.start.adding(block.duration) else { return nil }
      let target = state(block, format.details(of: block))
      if sample >= block.start.firstSample(at: rate), sample < end.firstSample(at: rate) {
        guard let before, before.end == block.start else { return target }
        let jump = format.details(of: block).object.interpolation ?? .zero
        let length = block.flags.contains(.jumps) ? jump : block.duration
        let first = block.start.seconds * Double(rate)
        let ramp = length.seconds * Double(rate)
        let part = ramp > 0 ? min(1, (Double(sample) - first) / ramp) : 1
        return part < 1 ? before.state.moved(to: target, by: part) : target
      }
      before = (target, end)
    }
    return nil
  }

  private func state(_ block: AudioBlock, _ details: BlockDetails) -> ObjectState {
    let (a, b, c) = (block.position.first, block.position.second, block.position.third)
    let isCartesian = block.flags.contains(.isCartesian)
    var rules = ObjectRules.none
    rules.isHeadLocked = block.flags.contains(.isHeadLocked)
    rules.headphones = details.bypassesHeadphones ? .off : .unstated
    if block.flags.contains(.isLocked) {
      rules.lock = ObjectRules.ChannelLock(within: details.object.lockDistance)
    }
    if let range = isCartesian ? details.object.positionRange : details.object.azimuthRange {
      rules.divergence = ObjectRules.Divergence(value: details.object.divergence, range: range)
    }
    rules.zones = details.object.zones.map { zone in
      switch zone {
      case .box(let least, let greatest):
        return .box(
          x: least.first...greatest.first, y: least.second...greatest.second,
          z: least.third...greatest.third)
      case .sector(let from, let to, let elevations):
        return .sector(fromAzimuth: from, toAzimuth: to, elevations: elevations)
      }
    }
    return ObjectState(
      position: isCartesian
        ? .cartesian(x: a, y: b, z: c)
        : .polar(Direction(azimuth: a, elevation: b), distance: c),
      gain: block.gain,
      extent: ObjectExtent(
        width: block.size.first, height: block.size.second, depth: block.size.third),
      diffuse: block.diffuse, rules: rules)
  }
}
