// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// A SOFA file with the responses of loudspeakers in a room at the heads that were there (AES69-2022): of MultiSpeakerBRIR, whose
/// loudspeakers are emitters, and of SingleRoomSRIR and its like, in which each has a measurement of its own.
struct RoomFile {
  /// Conventions of rooms whose data aren't by emitters.
  private static let conventions = ["SingleRoomSRIR", "SingleRoomDRIR"]
  /// Most numbers of responses that are read in all, 256 MiB.
  private static let mostSamples = 1 << 26
  /// Most numbers that are read at once where it isn't a single measurement.
  private static let mostAtOnce = 1 << 24
  /// Most measurements and loudspeakers.
  private static let most = 1 << 14

  private let file: HDF5File
  /// Measurements, ears, loudspeakers (1 where each has its own measurement), samples.
  private let sizes: (measurements: Int, ears: Int, emitters: Int, taps: Int)
  private let hasEmitters: Bool

  /// The room in the file at `path`; `nil` where it holds no room or isn't read at all, which ``SOFAFile`` reports.
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

  /// The responses of all loudspeakers at the heads `views` of ``RoomMeasurements/yaws``; none stands for the head that looks ahead
  /// most.
  /// - Throws: ``MediaError`` of kind `inputUnreadable`, or `unsupportedFeature` for more responses than are read.
  func measurements(_ views: [Int] = []) throws -> RoomMeasurements {
    let rate = try sampleRate()
    guard Double(sizes.taps) <= RoomMeasurements.longest * Double(rate) else {
      throw malformed(
        "its responses last \(sizes.taps / rate) s; give responses of at most \(Int(RoomMeasurements.longest)) s"
      )
    }
    let heads = try heads()
    let all = heads.heads
    let views = views.isEmpty ? [heads.ahead] : views
    guard views.allSatisfy(all.indices.contains) else {
      throw MediaError(.inputUnreadable, about: file.path, "changed while it was read; try again")
    }
    let speakers = hasEmitters ? sizes.emitters : all[heads.ahead].measurements.count
    try checkSize(views.count, speakers)
    return RoomMeasurements(
      sampleRate: rate, taps: sizes.taps, directions: try directions(heads),
      yaws: all.map(\.yaw), views: views,
      responses: try responses(views.flatMap { all[$0].measurements }),
      delays: try delays(all, views, rate))
  }

  private func heads() throws -> RoomHeads {
    guard let sources = try vectors("SourcePosition"), !sources.isEmpty else {
      throw malformed("it doesn't say where its loudspeakers are")
    }
    return RoomHeads(
      RoomHeads.Places(
        views: try vectors("ListenerView") ?? [SIMD3(1, 0, 0)],
        ups: try vectors("ListenerUp") ?? [SIMD3(0, 0, 1)],
        listeners: try vectors("ListenerPosition") ?? [.zero], sources: sources),
      measurements: sizes.measurements, hasEmitters: hasEmitters)
  }

  /// Refuses so many views of so many loudspeakers where they are more than is read.
  private func checkSize(_ views: Int, _ speakers: Int) throws {
    let each = speakers * 2 * sizes.taps
    guard each <= RoomFile.mostSamples else {
      throw malformed("it holds more responses than a room has loudspeakers")
    }
    guard views * each <= RoomFile.mostSamples else {
      throw MediaError(
        .unsupportedFeature, about: file.path,
        "the head comes by \(views) views of the room, and at most \(RoomFile.mostSamples / each) of this size are read; turn the head "
          + "less far in \(setting: .trajectory)")
    }
  }

  /// Responses of `measurements`, one after another: loudspeaker × ear × tap each.
  private func responses(_ measurements: [Int]) throws -> [Float] {
    let (emitters, taps) = (sizes.emitters, sizes.taps)
    let each = 2 * emitters * taps
    var sorted: [Float] = []
    sorted.reserveCapacity(measurements.count * each)
    var position = 0
    while position < measurements.count {
      let first = measurements[position]
      // Neighbours are read at once, because a compressed block of the file may hold many of them.
      var count = 1
      while position + count < measurements.count, measurements[position + count] == first + count,
        (count + 1) * each <= RoomFile.mostAtOnce
      { count += 1 }
      let values = try file.numbers(
        "Data.IR", from: [first] + (hasEmitters ? [0, 0, 0] : [0, 0]),
        count: [count, 2] + (hasEmitters ? [emitters, taps] : [taps]))
      for block in 0..<count {
        for response in 0..<2 * emitters {
          // Files have them by ears first.
          let place = response % 2 * emitters + response / 2
          let start = block * each + place * taps
          sorted += values[start..<start + taps]
        }
      }
      position += count
    }
    return sorted
  }

  private func sampleRate() throws -> Int {
    guard let rate = try file.all("Data.SamplingRate")?.values.first, rate.isFinite,
      (8000...384_000).contains(rate)
    else { throw malformed("its sampling rate isn't within 8…384 kHz") }
    return Int(rate.rounded())
  }

  /// Directions of the loudspeakers, seen from the head that looks ahead.
  private func directions(_ heads: RoomHeads) throws -> [Direction] {
    func direction(_ way: SIMD3<Double>) throws -> Direction {
      let length = UnitVector.dot(way, way).squareRoot()
      guard length.isFinite, length > 0.05 else {
        throw malformed("one of its loudspeakers is where the head is")
      }
      let found = UnitVector.direction(of: way / length)
      return Direction(
        azimuth: (found.azimuth - heads.azimuth).remainder(dividingBy: 360),
        elevation: found.elevation)
    }
    guard hasEmitters else {
      return try heads.heads[heads.ahead].measurements.indices.map { try direction(heads.way($0)) }
    }
    guard let places = try emitterPlaces() else {
      throw malformed("it doesn't say where its loudspeakers are")
    }
    return try places.map { try direction(heads.way(0) + $0) }
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

  /// Whole samples by which each response, view × loudspeaker × ear, begins later than it is stored. The delay common to all heads
  /// is left out, so that it is the same for each of them.
  private func delays(_ heads: [RoomHeads.Head], _ views: [Int], _ rate: Int) throws -> [Int] {
    let speakers = hasEmitters ? sizes.emitters : heads[views[0]].measurements.count
    guard let (found, values) = try file.all("Data.Delay") else {
      return [Int](repeating: 0, count: 2 * speakers * views.count)
    }
    let row = 2 * sizes.emitters
    guard found.count >= 2, found[1] == 2,
      values.count == row || values.count == row * sizes.measurements,
      values.allSatisfy({ $0.isFinite && (0...Float(rate)).contains($0) })
    else { throw malformed("its Data.Delay doesn't fit the responses") }
    func shifts(_ measurement: Int) -> [Int] {
      let start = values.count == row ? 0 : row * measurement
      return (0..<row).map { response in
        let place = start + response % 2 * sizes.emitters + response / 2
        return Int(values[place].rounded())
      }
    }
    let least = heads.flatMap(\.measurements).flatMap(shifts).min() ?? 0
    return views.flatMap { heads[$0].measurements }.flatMap(shifts).map { $0 - least }
  }

  private func malformed(_ what: String) -> MediaError { RoomFile.malformed(file.path, what) }

  private static func malformed(_ path: String, _ what: String) -> MediaError {
    MediaError(.inputUnreadable, "\(path) isn't a usable room: \(what)")
  }
}
