import AudioCore
import Platform

/// A SOFA file with the responses of loudspeakers in a room at a head that looks ahead (AES69-2022): of MultiSpeakerBRIR, whose
/// loudspeakers are emitters, and of SingleRoomSRIR and its like, in which each has a measurement of its own.
struct RoomFile {
  /// Conventions of rooms whose data aren't by emitters.
  private static let conventions = ["SingleRoomSRIR", "SingleRoomDRIR"]
  /// Most numbers that are read.
  private static let mostSamples = 1 << 26
  /// Most measurements and loudspeakers.
  private static let most = 1 << 14

  private let file: HDF5File
  /// Measurements, ears, loudspeakers (1 where each has its own measurement), samples.
  private let sizes: (measurements: Int, ears: Int, emitters: Int, taps: Int)
  private let hasEmitters: Bool

  /// The room in the file at `path`; `nil` where it holds no room or isn't read at all, which libmysofa says better.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` or `unsupportedFeature`.
  init?(path: String) throws {
    guard let file = try? HDF5File(path: path) else { return nil }
    self.file = file
    guard let convention = file.text("SOFAConventions"), let type = file.text("DataType") else {
      return nil
    }
    // AES69-2022 calls FIR-E what AES69-2015 called FIRE.
    hasEmitters = type == "FIRE" || type == "FIR-E"
    guard hasEmitters || type == "FIR" && RoomFile.conventions.contains(convention) else {
      return nil
    }
    guard let found = file.dimensions("Data.IR"), found.count == (hasEmitters ? 4 : 3),
      found.allSatisfy({ $0 > 0 })
    else { throw RoomFile.malformed(path, "its responses have other dimensions than \(type) has") }
    sizes = (found[0], found[1], hasEmitters ? found[2] : 1, found[found.count - 1])
    guard sizes.ears == 2 else {
      throw MediaError(
        .unsupportedFeature,
        "\(path) has \(sizes.ears == 1 ? "one receiver" : "\(sizes.ears) receivers"); a room for headphones has two ears"
      )
    }
    guard sizes.measurements <= RoomFile.most, sizes.emitters <= RoomFile.most else {
      throw RoomFile.malformed(path, "it has too many measurements")
    }
  }

  /// The responses of all loudspeakers at the head that looks ahead most.
  /// - Throws: ``MediaError`` of kind `inputUnreadable`.
  func measurements() throws -> RoomMeasurements {
    let rate = try sampleRate()
    guard Double(sizes.taps) <= RoomMeasurements.longest * Double(rate) else {
      throw malformed(
        "its responses last \(sizes.taps / rate) s; give responses of at most \(Int(RoomMeasurements.longest)) s"
      )
    }
    let views = try vectors("ListenerView") ?? [SIMD3(1, 0, 0)]
    let ahead = views.indices.max { views[$0].x < views[$1].x } ?? 0
    let view = views[ahead]
    // Where one view stands for all, so does each measurement.
    let kept =
      hasEmitters
      ? [views.count == 1 ? 0 : ahead]
      : (0..<sizes.measurements).filter {
        VoicePath.angle(views[views.count == 1 ? 0 : $0], view) < 1
      }
    let speakers = hasEmitters ? sizes.emitters : kept.count
    guard speakers * 2 * sizes.taps <= RoomFile.mostSamples else {
      throw malformed("it holds more responses than a room has loudspeakers")
    }
    var responses: [Float] = []
    for measurement in kept {
      responses +=
        try hasEmitters
        ? emitters(measurement)
        : file.numbers(
          "Data.IR", from: [measurement, 0, 0], count: [1, 2, sizes.taps])
    }
    return RoomMeasurements(
      sampleRate: rate, taps: sizes.taps, directions: try directions(kept, view),
      responses: responses, delays: try delays(kept, speakers, rate))
  }

  /// Responses of one measurement: loudspeaker × ear × tap.
  private func emitters(_ measurement: Int) throws -> [Float] {
    let (count, taps) = (sizes.emitters, sizes.taps)
    let values = try file.numbers(
      "Data.IR", from: [measurement, 0, 0, 0], count: [1, 2, count, taps])
    var sorted: [Float] = []
    sorted.reserveCapacity(values.count)
    for emitter in 0..<count {
      for ear in 0..<2 {
        let first = (ear * count + emitter) * taps
        sorted += values[first..<first + taps]
      }
    }
    return sorted
  }

  private func sampleRate() throws -> Int {
    guard let rate = try file.all("Data.SamplingRate")?.values.first, rate.isFinite,
      (8000...384_000).contains(rate)
    else { throw malformed("its sampling rate isn't within 8…384 kHz") }
    return Int(rate.rounded())
  }

  /// Directions of the loudspeakers, seen from a head that looks along `view`.
  private func directions(_ kept: [Int], _ view: SIMD3<Double>) throws -> [Direction] {
    guard let sources = try vectors("SourcePosition"), !sources.isEmpty else {
      throw malformed("it doesn't say where its loudspeakers are")
    }
    let listeners = try vectors("ListenerPosition") ?? [.zero]
    func one(_ list: [SIMD3<Double>], _ index: Int) -> SIMD3<Double> {
      list.count == 1 ? list[0] : list[index]
    }
    let yaw = atan2(view.y, view.x) * 180 / .pi
    func direction(_ way: SIMD3<Double>) throws -> Direction {
      let length = UnitVector.dot(way, way).squareRoot()
      guard length.isFinite, length > 0.05 else {
        throw malformed("one of its loudspeakers is where the head is")
      }
      let found = UnitVector.direction(of: way / length)
      return Direction(
        azimuth: (found.azimuth - yaw).remainder(dividingBy: 360), elevation: found.elevation)
    }
    guard hasEmitters else {
      return try kept.map { try direction(one(sources, $0) - one(listeners, $0)) }
    }
    guard let places = try emitterPlaces() else {
      throw malformed("it doesn't say where its loudspeakers are")
    }
    return try places.map { try direction(one(sources, kept[0]) + $0 - one(listeners, kept[0])) }
  }

  /// Places of the emitters in metres, about the source.
  private func emitterPlaces() throws -> [SIMD3<Double>]? {
    guard let (found, values) = try file.all("EmitterPosition") else { return nil }
    guard found.count >= 2, found[0] == sizes.emitters, found[1] == 3 else {
      throw malformed("its EmitterPosition doesn't fit the responses")
    }
    let step = values.count / sizes.emitters / 3
    let isSpherical = file.text("Type", of: "EmitterPosition") == "spherical"
    return (0..<sizes.emitters).map { emitter in
      let place = SIMD3((0..<3).map { Double(values[(3 * emitter + $0) * step]) })
      return isSpherical ? RoomFile.cartesian(place) : place
    }
  }

  /// Points of the data set `name` in metres, one or as many as measurements; `nil` where there are none.
  private func vectors(_ name: String) throws -> [SIMD3<Double>]? {
    guard let (found, values) = try file.all(name) else { return nil }
    guard found.count == 2, found[1] == 3, found[0] == 1 || found[0] == sizes.measurements,
      values.allSatisfy(\.isFinite)
    else { throw malformed("its \(name) doesn't fit the responses") }
    let isSpherical = file.text("Type", of: name) == "spherical"
    return (0..<found[0]).map { row in
      let place = SIMD3((0..<3).map { Double(values[3 * row + $0]) })
      return isSpherical ? RoomFile.cartesian(place) : place
    }
  }

  private static func cartesian(_ place: SIMD3<Double>) -> SIMD3<Double> {
    place.z * UnitVector.of(Direction(azimuth: place.x, elevation: place.y))
  }

  /// Whole samples by which each response, loudspeaker × ear, begins later than it is stored.
  private func delays(_ kept: [Int], _ speakers: Int, _ rate: Int) throws -> [Int] {
    let none = [Int](repeating: 0, count: 2 * speakers)
    guard let (found, values) = try file.all("Data.Delay") else { return none }
    let row = 2 * (hasEmitters ? sizes.emitters : 1)
    guard found.count >= 2, found[1] == 2,
      values.count == row || values.count == row * sizes.measurements,
      values.allSatisfy({ $0.isFinite && (0...Float(rate)).contains($0) })
    else { throw malformed("its Data.Delay doesn't fit the responses") }
    var shifts: [Int] = []
    for measurement in kept {
      let start = values.count == row ? 0 : row * measurement
      let count = row / 2
      for speaker in 0..<count {
        for ear in 0..<2 { shifts.append(Int(values[start + ear * count + speaker].rounded())) }
      }
    }
    let least = shifts.min() ?? 0
    return shifts.map { $0 - least }
  }

  private func malformed(_ what: String) -> MediaError { RoomFile.malformed(file.path, what) }

  private static func malformed(_ path: String, _ what: String) -> MediaError {
    MediaError(.inputUnreadable, "\(path) isn't a usable room: \(what)")
  }
}
