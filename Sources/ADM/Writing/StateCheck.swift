import AudioCore

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
