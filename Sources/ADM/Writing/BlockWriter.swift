import AudioCore
import Markup

/// Writes the blocks of objects (audioBlockFormat, ITU-R BS.2076-2, 5.4.3.3). What has its default isn't
/// written.
struct BlockWriter {
  private let rate: Int
  private let form: ADMTimeForm

  /// A writer of times at `rate` Hz.
  init(rate: Int, _ form: ADMTimeForm) {
    self.rate = rate
    self.form = form
  }

  /// Writes block number `number`, from 1, of `channel`.
  func write(_ plan: BlockPlan, _ number: Int, of channel: WrittenChannel, to xml: inout XMLWriter)
  {
    xml.begin(
      "audioBlockFormat",
      [
        ("audioBlockFormatID", "AB_\(channel.digits)_" + number.hexadecimal(8)),
        ("rtime", time(plan.start)), ("duration", duration(plan.start, plan.duration)),
      ])
    let state = plan.state
    writePosition(state.position, to: &xml)
    writeNumber("gain", state.gain, unless: 1, to: &xml)
    writeNumber("width", state.extent.width, unless: 0, to: &xml)
    writeNumber("height", state.extent.height, unless: 0, to: &xml)
    writeNumber("depth", state.extent.depth, unless: 0, to: &xml)
    writeNumber("diffuse", state.diffuse, unless: 0, to: &xml)
    writeRules(state.rules, state.position, to: &xml)
    switch plan.way {
    case .atOnce: xml.element("jumpPosition", [], "1")
    case .within(let seconds): xml.element("jumpPosition", [("interpolationLength", seconds)], "1")
    case .whole: xml.element("jumpPosition", [], "0")
    }
    xml.end()
  }

  /// Writes block number `number`, from 1, of a loudspeaker's `channel`; one that always holds has no times.
  func writeSpeaker(
    _ plan: BlockPlan, _ number: Int, of channel: WrittenChannel, isWhole: Bool,
    to xml: inout XMLWriter
  ) {
    let times =
      isWhole
      ? [] : [("rtime", time(plan.start)), ("duration", duration(plan.start, plan.duration))]
    xml.begin(
      "audioBlockFormat",
      [("audioBlockFormatID", "AB_\(channel.digits)_" + number.hexadecimal(8))] + times)
    let state = plan.state
    writePosition(state.position, to: &xml)
    if case .speaker(let speaker) = state.rules.role {
      for label in speaker.labels { xml.element("speakerLabel", [], label) }
      writeBounds(speaker.least, "min", state.position, to: &xml)
      writeBounds(speaker.greatest, "max", state.position, to: &xml)
    }
    writeNumber("gain", state.gain, unless: 1, to: &xml)
    writeListening(state.rules, to: &xml)
    xml.end()
  }

  private func writeBounds(
    _ bounds: SpeakerChannel.Bounds, _ bound: String, _ position: ObjectPosition,
    to xml: inout XMLWriter
  ) {
    for (name, value) in zip(names(of: position), [bounds.first, bounds.second, bounds.third]) {
      guard let value else { continue }
      xml.element("position", [("coordinate", name), ("bound", bound)], "\(value)")
    }
  }

  private func names(of position: ObjectPosition) -> [String] {
    if case .cartesian = position { return ["X", "Y", "Z"] }
    return ["azimuth", "elevation", "distance"]
  }

  /// Sample `sample` as a time.
  func time(_ sample: Int64) -> String { time(WrittenTime(sample: sample)) }

  /// The length of `samples`.
  func duration(_ samples: Range<Int64>) -> String {
    duration(WrittenTime(sample: samples.lowerBound), WrittenTime(sample: Int64(samples.count)))
  }

  private func time(_ time: WrittenTime) -> String {
    switch form {
    case .decimal: return WrittenTime.text(nanoseconds: time.nanoseconds(rate: rate))
    case .fraction: return time.text(rate: rate)
    }
  }

  /// A length after `start` that ends exactly where the next block, rounded as well, begins.
  private func duration(_ start: WrittenTime, _ duration: WrittenTime) -> String {
    guard form == .decimal else { return time(duration) }
    let end = start + duration
    return WrittenTime.text(
      nanoseconds: end.nanoseconds(rate: rate) - start.nanoseconds(rate: rate))
  }

  private func writeNumber(
    _ name: String, _ value: Double, unless usual: Double, to xml: inout XMLWriter
  ) {
    if value != usual { xml.element(name, [], "\(value)") }
  }

  private func writePosition(_ position: ObjectPosition, to xml: inout XMLWriter) {
    if case .cartesian = position { xml.element("cartesian", [], "1") }
    for (name, value) in zip(names(of: position), position.coordinates) {
      xml.element("position", [("coordinate", name)], "\(value)")
    }
  }

  private func writeRules(
    _ rules: ObjectRules, _ position: ObjectPosition, to xml: inout XMLWriter
  ) {
    if let lock = rules.lock {
      xml.element("channelLock", lock.within.map { [("maxDistance", "\($0)")] } ?? [], "1")
    }
    if let divergence = rules.divergence {
      var name = "azimuthRange"
      if case .cartesian = position { name = "positionRange" }
      xml.element(
        "objectDivergence", [(name, "\(divergence.range)")], "\(divergence.value)")
    }
    if !rules.zones.isEmpty {
      xml.begin("zoneExclusion")
      for zone in rules.zones { xml.element("zone", attributes(of: zone)) }
      xml.end()
    }
    writeListening(rules, to: &xml)
  }

  private func writeListening(_ rules: ObjectRules, to xml: inout XMLWriter) {
    if rules.isHeadLocked { xml.element("headLocked", [], "1") }
    // How much of a room is wanted stands in Dolby's metadata only.
    if rules.headphones == .off { xml.element("headphoneVirtualise", [("bypass", "1")]) }
  }

  private func attributes(of zone: ObjectRules.Zone) -> [XMLWriter.Attribute] {
    switch zone {
    case .box(let x, let y, let z):
      return [
        ("minX", "\(x.lowerBound)"), ("maxX", "\(x.upperBound)"), ("minY", "\(y.lowerBound)"),
        ("maxY", "\(y.upperBound)"), ("minZ", "\(z.lowerBound)"), ("maxZ", "\(z.upperBound)"),
      ]
    case .sector(let from, let to, let elevations):
      return [
        ("minAzimuth", "\(from)"), ("maxAzimuth", "\(to)"),
        ("minElevation", "\(elevations.lowerBound)"), ("maxElevation", "\(elevations.upperBound)"),
      ]
    }
  }
}
