import AudioCore

/// Writes the blocks of objects (audioBlockFormat, ITU-R BS.2076-2, 5.4.3.3). What has its default isn't
/// written.
struct BlockWriter {
  private let rate: Int

  /// A writer of times at `rate` Hz.
  init(rate: Int) { self.rate = rate }

  /// Writes block number `number`, from 1, of `channel`.
  func write(_ plan: BlockPlan, _ number: Int, of channel: WrittenChannel, to xml: inout XMLWriter)
  {
    xml.begin(
      "audioBlockFormat",
      [
        ("audioBlockFormatID", "AB_\(channel.digits)_" + number.hexadecimal(8)),
        ("rtime", time(plan.start)), ("duration", time(plan.duration)),
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

  /// Sample `sample` as a time with an exact fraction of a second (ITU-R BS.2076-2, 8.4).
  func time(_ sample: Int64) -> String {
    let (seconds, rest) = sample.quotientAndRemainder(dividingBy: Int64(rate))
    func digits(_ value: Int64, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return digits(seconds / 3600, 2) + ":" + digits(seconds / 60 % 60, 2) + ":"
      + digits(seconds % 60, 2) + "." + digits(rest, 5) + "S\(rate)"
  }

  private func writeNumber(
    _ name: String, _ value: Double, unless usual: Double, to xml: inout XMLWriter
  ) {
    if value != usual { xml.element(name, [], "\(value)") }
  }

  private func writePosition(_ position: ObjectPosition, to xml: inout XMLWriter) {
    let coordinates: [(String, Double)]
    switch position {
    case .polar(let direction, let distance):
      coordinates = [
        ("azimuth", direction.azimuth), ("elevation", direction.elevation), ("distance", distance),
      ]
    case .cartesian(let x, let y, let z):
      xml.element("cartesian", [], "1")
      coordinates = [("X", x), ("Y", y), ("Z", z)]
    }
    for (name, value) in coordinates {
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
