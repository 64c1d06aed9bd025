// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Markup

/// Writes the blocks of objects (audioBlockFormat, ITU-R BS.2076-2, 5.4.3.3). Values that are the default aren't
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
        ("audioBlockFormatID", "AB_\(channel.digits)_" + number.hexadecimal(8, uppercase: true)),
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
      [("audioBlockFormatID", "AB_\(channel.digits)_" + number.hexadecimal(8, uppercase: true))]
        + times)
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

/// A block of an object as it stands in the document.
struct BlockPlan: Equatable {
  /// How the object gets to the block's state (ITU-R BS.2127, 7.2).
  enum Way: Equatable {
    /// At once: jumpPosition without interpolationLength.
    case atOnce
    /// Within this many seconds, as a decimal number: jumpPosition with interpolationLength.
    case within(String)
    /// Over the whole block: no jumpPosition.
    case whole
  }

  /// When it begins.
  var start: WrittenTime
  /// How long it lasts, more than 0.
  var duration: WrittenTime
  /// The state that is reached.
  var state: ObjectState
  /// How it is reached.
  var way: Way

  /// The blocks that say what `blocks` say, up to sample `length`, at `rate` Hz.
  ///
  /// interpolationLength is a decimal number of seconds (ITU-R BS.2076-2, 5.4.3.3), which can't give
  /// every number of samples. A ramp that it can't give becomes a block of its own, over the whole of
  /// which the object moves, with another block of the same state behind it. A ramp that the next block
  /// cuts short ends in the state that is reached there.
  static func list(_ blocks: [WrittenBlock], length: Int64, rate: Int) -> [BlockPlan] {
    var plans: [BlockPlan] = []
    var reached: ObjectState?
    let last = WrittenTime(sample: length)
    for (index, block) in blocks.enumerated() where block.start < length {
      let start = WrittenTime(sample: block.start, lead: block.lead)
      let end =
        index + 1 < blocks.count
        ? min(last, WrittenTime(sample: blocks[index + 1].start, lead: blocks[index + 1].lead))
        : last
      guard start < end else { continue }
      var plan = BlockPlan(start: start, duration: end - start, state: block.state, way: .atOnce)
      if let before = reached, block.ramp > 0 {
        let ramp = WrittenTime(samples: block.ramp)
        // Beginnings and lengths are rounded apart from each other.
        if (ramp - plan.duration).count.magnitude <= 2 {
          plan.way = .whole
        } else if plan.duration < ramp {
          plan.way = .whole
          plan.state = before.moved(
            to: block.state, by: Double(plan.duration.count) / Double(ramp.count))
        } else if let seconds = ramp.decimal(rate: rate) {
          plan.way = .within(seconds)
        } else {
          plans.append(
            BlockPlan(start: plan.start, duration: ramp, state: block.state, way: .whole))
          plan.start = plan.start + ramp
          plan.duration = plan.duration - ramp
        }
      }
      plans.append(plan)
      reached = plan.state
    }
    return plans
  }
}

/// Makes sure that the state of an object can be written: its values are in the ranges of ITU-R BS.2076-2,
/// 5.4.3.3.
enum StateCheck {
  /// - Throws: ``ADMError`` of code `value` for numbers out of range, `unsupported` for objects that are
  ///   channels of loudspeakers or ears.
  static func check(_ state: ObjectState, of name: String) throws(ADMError) {
    guard state.rules.role == .source else {
      throw ADMError(
        .unsupported,
        "the object \"\(name)\" is a loudspeaker's or an ear's channel, which can't be written as an "
          + "object")
    }
    try checkNumbers(of: state, name)
  }

  /// Makes sure that the state of a loudspeaker's channel can be written.
  /// - Throws: ``ADMError`` of code `value` for numbers out of range, `unsupported` for anything else than a
  ///   loudspeaker's channel.
  static func checkSpeaker(_ block: WrittenBlock, of name: String) throws(ADMError) {
    guard case .speaker = block.state.rules.role, block.ramp == 0 else {
      throw ADMError(
        .unsupported, "the channel \"\(name)\" isn't a loudspeaker's, or moves between its blocks")
    }
    try checkNumbers(of: block.state, name)
  }

  private static func checkNumbers(of state: ObjectState, _ name: String) throws(ADMError) {
    let fault = numbers(state).first { !$0.range.contains($0.value) }
    if let fault {
      throw ADMError(
        .value,
        "the object \"\(name)\" has the \(fault.name) \(fault.value), and \(fault.range.lowerBound) to "
          + "\(fault.range.upperBound) can be written")
    }
  }

  private typealias Number = (name: String, value: Double, range: ClosedRange<Double>)

  private static func numbers(_ state: ObjectState) -> [Number] {
    var numbers: [Number] = [
      ("gain", state.gain, 0...1000), ("diffuse part", state.diffuse, 0...1),
    ]
    let extent = state.extent
    switch state.position {
    case .polar(let direction, let distance):
      numbers.append(("azimuth", direction.azimuth, -180...180))
      numbers.append(("elevation", direction.elevation, -90...90))
      numbers.append(("distance", distance, 0...1e6))
      numbers.append(("width", extent.width, 0...360))
      numbers.append(("height", extent.height, 0...360))
      numbers.append(("depth", extent.depth, 0...1e6))
    case .cartesian(let x, let y, let z):
      numbers += [x, y, z].map { ("coordinate", $0, -1e6...1e6) }
      numbers += [extent.width, extent.height, extent.depth].map { ("extent", $0, 0...1) }
    }
    if let distance = state.rules.lock?.within { numbers.append(("lock", distance, 0...1e6)) }
    if let divergence = state.rules.divergence {
      numbers.append(("divergence", divergence.value, 0...1))
      numbers.append(("range of divergence", divergence.range, 0...180))
    }
    for zone in state.rules.zones {
      switch zone {
      case .box(let x, let y, let z):
        numbers += [x, y, z].flatMap { [$0.lowerBound, $0.upperBound] }
          .map { ("zone", $0, -1e6...1e6) }
      case .sector(let from, let to, let elevations):
        numbers += [from, to].map { ("zone", $0, -180...180) }
        numbers += [elevations.lowerBound, elevations.upperBound].map { ("zone", $0, -90...90) }
      }
    }
    return numbers
  }
}
