// SPDX-License-Identifier: Apache-2.0

/// Reads one audioBlockFormat (BS.2076-2, 5.4.3).
struct BlockParser {
  /// The coordinates that a block has stated.
  private struct Coordinates: OptionSet {
    let rawValue: UInt8
    static let azimuth = Coordinates(rawValue: 1)
    static let elevation = Coordinates(rawValue: 2)
    static let distance = Coordinates(rawValue: 4)
    static let x = Coordinates(rawValue: 8)
    static let y = Coordinates(rawValue: 16)
    static let z = Coordinates(rawValue: 32)
    static let polar: Coordinates = [.azimuth, .elevation, .distance]
    static let cartesian: Coordinates = [.x, .y, .z]
  }

  private let reader: ElementReader
  private let kind: ContentKind
  private var block = AudioBlock()
  /// Details of the block, beside its own values.
  private(set) var details = BlockDetails()
  private var coordinates: Coordinates = []
  /// Value of the element cartesian; `nil` when it is missing.
  private var saysCartesian: Bool?

  /// A parser for the block that the reader is at, in a channel of this kind.
  init(_ reader: ElementReader, _ kind: ContentKind) {
    self.reader = reader
    self.kind = kind
  }

  /// Reads the block to its end.
  mutating func parse() throws(ADMError) -> AudioBlock {
    if let start = try reader.time("rtime") {
      block.start = start
      block.flags.insert(.hasStart)
    }
    if let duration = try reader.time("duration") {
      block.duration = duration
      block.flags.insert(.hasDuration)
    }
    while let child = try reader.nextChild() { try read(child) }
    switch kind {
    case .objects, .directSpeakers: try settlePosition()
    case .hoa, .matrix, .binaural: break
    }
    return block
  }

  private mutating func read(_ name: ElementName) throws(ADMError) {
    switch name {
    case .gain: block.gain = try reader.gain()
    case .importance: block.importance = UInt8(try reader.integer(in: 0...10))
    case .headLocked: set(.isHeadLocked, try reader.flag())
    case .headphoneVirtualise:
      details.bypassesHeadphones = try reader.flag("bypass") ?? false
      details.directToReverberant = try reader.number("DRR", in: -1000...1000) ?? 130
      try reader.skip()
    default:
      let isKnown: Bool
      switch kind {
      case .objects: isKnown = try readObject(name)
      case .directSpeakers: isKnown = try readSpeaker(name)
      case .hoa: isKnown = try readScene(name)
      case .matrix: isKnown = try readMatrix(name)
      case .binaural: isKnown = false
      }
      if !isKnown { try reader.skipUnknown(in: "audioBlockFormat of \(kind.definition)") }
    }
  }

  private mutating func set(_ flag: AudioBlock.Flags, _ isOn: Bool) {
    if isOn { block.flags.insert(flag) } else { block.flags.remove(flag) }
  }

  // MARK: Kinds

  private mutating func readObject(_ name: ElementName) throws(ADMError) -> Bool {
    switch name {
    case .position: try readPosition()
    case .cartesian: saysCartesian = try reader.flag()
    case .width: block.size.first = try reader.number(in: 0...360)
    case .height: block.size.second = try reader.number(in: 0...360)
    case .depth: block.size.third = try reader.number(in: 0...1e6)
    case .diffuse: block.diffuse = try reader.number(in: 0...1)
    case .screenRef: set(.refersToScreen, try reader.flag())
    case .channelLock:
      details.object.lockDistance = try reader.number("maxDistance", in: 0...1e6)
      set(.isLocked, try reader.flag())
    case .objectDivergence:
      details.object.azimuthRange = try reader.number("azimuthRange", in: 0...180)
      details.object.positionRange = try reader.number("positionRange", in: 0...1e6)
      details.object.divergence = try reader.number(in: 0...1)
    case .jumpPosition:
      details.object.interpolation = try reader.seconds("interpolationLength")
      set(.jumps, try reader.flag())
    case .zoneExclusion: try readZones()
    default: return false
    }
    return true
  }

  private mutating func readSpeaker(_ name: ElementName) throws(ADMError) -> Bool {
    switch name {
    case .position: try readPosition()
    case .cartesian: saysCartesian = try reader.flag()
    case .speakerLabel:
      guard details.speaker.labels.count < 64 else {
        throw reader.failure(.limit, "a block has more than 64 speakerLabels")
      }
      details.speaker.labels.append(try reader.text())
    default: return false
    }
    return true
  }

  private mutating func readScene(_ name: ElementName) throws(ADMError) -> Bool {
    var scene = details.scene ?? SceneDetails()
    guard try scene.read(name, reader) else { return false }
    details.scene = scene
    return true
  }

  private mutating func readMatrix(_ name: ElementName) throws(ADMError) -> Bool {
    var matrix = details.matrix ?? MatrixDetails()
    switch name {
    case .outputChannelFormatIDRef: matrix.output = try reader.reference()
    case .matrix:
      while let child = try reader.nextChild() {
        guard child == .coefficient else {
          try reader.skipUnknown(in: "matrix")
          continue
        }
        matrix.coefficients.append(try coefficient())
      }
    default: return false
    }
    details.matrix = matrix
    return true
  }

  private func coefficient() throws(ADMError) -> MatrixDetails.Coefficient {
    for name: StaticString in ["gainVar", "phase", "phaseVar", "delayVar"]
    where reader.string(name) != nil {
      throw reader.failure(.unsupported, "matrix coefficients with \(name) aren't supported")
    }
    let gain = try reader.gain("gain") ?? 1
    let delay = try reader.number("delay", in: 0...10_000) ?? 0
    return MatrixDetails.Coefficient(input: try reader.reference(), gain: gain, delay: delay)
  }

  private mutating func readZones() throws(ADMError) {
    while let child = try reader.nextChild() {
      guard child == .zone else {
        try reader.skipUnknown(in: "zoneExclusion")
        continue
      }
      guard details.object.zones.count < 64 else {
        throw reader.failure(.limit, "a block has more than 64 zones")
      }
      details.object.zones.append(try zone())
      try reader.skip()
    }
  }

  private func zone() throws(ADMError) -> ExcludedZone {
    let box = [
      try reader.number("minX"), try reader.number("minY"), try reader.number("minZ"),
      try reader.number("maxX"), try reader.number("maxY"), try reader.number("maxZ"),
    ].compactMap(\.self)
    if box.count == 6 {
      return .box(
        least: Position(box[0], box[1], box[2]), greatest: Position(box[3], box[4], box[5]))
    }
    guard box.isEmpty, let from = try reader.number("minAzimuth", in: -180...180),
      let to = try reader.number("maxAzimuth", in: -180...180),
      let least = try reader.number("minElevation", in: -90...90),
      let greatest = try reader.number("maxElevation", in: least...90)
    else {
      throw reader.failure(
        .value,
        "a zone needs minX to maxZ, or minAzimuth, maxAzimuth, minElevation and maxElevation")
    }
    return .sector(fromAzimuth: from, toAzimuth: to, elevations: least...greatest)
  }

  // MARK: Position

  private mutating func readPosition() throws(ADMError) {
    let name = reader.string("coordinate") ?? ""
    let bound = reader.string("bound")
    try readEdge(of: name)
    let place: WritableKeyPath<Position, Double>
    let boundPlace: WritableKeyPath<PositionBounds, Double?>
    let range: ClosedRange<Double>
    let coordinate: Coordinates
    switch name {
    case "azimuth":
      (place, boundPlace, range, coordinate) = (\.first, \.first, -1e6...1e6, .azimuth)
    case "elevation":
      (place, boundPlace, range, coordinate) = (\.second, \.second, -90...90, .elevation)
    case "distance":
      (place, boundPlace, range, coordinate) = (\.third, \.third, 0...1e6, .distance)
    case "X": (place, boundPlace, range, coordinate) = (\.first, \.first, -1e6...1e6, .x)
    case "Y": (place, boundPlace, range, coordinate) = (\.second, \.second, -1e6...1e6, .y)
    case "Z": (place, boundPlace, range, coordinate) = (\.third, \.third, -1e6...1e6, .z)
    default:
      throw reader.failure(
        .value,
        "position has the coordinate \"\(name.prefix(80))\"; azimuth, elevation, distance, X, Y "
          + "and Z are known")
    }
    var value = try reader.number(in: range)
    if coordinate == .azimuth { value = wrapped(value) }
    switch bound {
    case nil:
      block.position[keyPath: place] = value
      coordinates.insert(coordinate)
    case "min" where kind == .directSpeakers: details.speaker.least[keyPath: boundPlace] = value
    case "max" where kind == .directSpeakers: details.speaker.greatest[keyPath: boundPlace] = value
    default:
      throw reader.failure(
        .value,
        "position has the bound \"\((bound ?? "").prefix(80))\"; min and max are known, in "
          + "DirectSpeakers")
    }
  }

  private mutating func readEdge(of coordinate: String) throws(ADMError) {
    guard let edge = reader.string("screenEdgeLock") else { return }
    switch (edge, coordinate) {
    case ("left", "azimuth"), ("left", "X"): details.screenEdge.horizontal = .left
    case ("right", "azimuth"), ("right", "X"): details.screenEdge.horizontal = .right
    case ("bottom", "elevation"), ("bottom", "Z"): details.screenEdge.vertical = .bottom
    case ("top", "elevation"), ("top", "Z"): details.screenEdge.vertical = .top
    default:
      throw reader.failure(
        .value,
        "screenEdgeLock is \"\(edge.prefix(80))\" for the coordinate \(coordinate.prefix(80))")
    }
  }

  /// The azimuth within ±180°.
  private func wrapped(_ azimuth: Double) -> Double {
    guard abs(azimuth) > 180 else { return azimuth }
    let turned = azimuth - 360 * (azimuth / 360).rounded()
    reader.findings.note(
      .wrapped, "the azimuth \(azimuth) is beyond ±180; it is taken as \(turned)")
    return turned
  }

  private mutating func settlePosition() throws(ADMError) {
    let isCartesian = !coordinates.isDisjoint(with: .cartesian)
    guard !isCartesian || coordinates.isDisjoint(with: .polar) else {
      throw reader.failure(.value, "the position of a block has coordinates of two kinds")
    }
    if let saysCartesian, saysCartesian != isCartesian, !coordinates.isEmpty {
      reader.findings.note(
        .contradiction, kind: "cartesian",
        "the element cartesian is \(saysCartesian ? 1 : 0), but the coordinates say otherwise; they count"
      )
    }
    let needed: Coordinates = isCartesian ? [.x, .y] : [.azimuth, .elevation]
    if !coordinates.isSuperset(of: needed) {
      guard kind == .directSpeakers else {
        throw reader.failure(
          .value, "the position of a block needs azimuth and elevation, or X and Y")
      }
      reader.findings.note(
        .lenientValue, kind: "position", "a loudspeaker's block lacks coordinates; it is in front")
    }
    // Distance is 1 when it isn't stated, but Z is 0, and so is a missing Y.
    if isCartesian {
      block.flags.insert(.isCartesian)
      if !coordinates.contains(.z) { block.position.third = 0 }
    }
  }
}
