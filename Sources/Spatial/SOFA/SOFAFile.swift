// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// A set of directions in a SOFA file (AES69-2022), whose responses have one of the forms of ``SOFAResponses``.
struct SOFAFile {
  /// The conventions of sets of directions, with the data type that each has.
  static let conventions = [
    "SimpleFreeFieldHRIR": "FIR", "SimpleFreeFieldHRTF": "TF", "SimpleFreeFieldHRSOS": "SOS",
    // The name before AES69-2020.
    "SimpleFreeFieldSOS": "SOS",
  ]
  /// Most measurements.
  private static let most = 1 << 16

  /// The file's name without its folders.
  let name: String
  private let file: HDF5File
  private let type: String

  /// Opens the file at `path`, which has to follow one of ``conventions``.
  /// - Throws: ``MediaError`` of kind `inputMissing`, `inputUnreadable` or `unsupportedFeature`.
  init(path: String) throws {
    name = SOFAFile.name(of: path)
    file = try HDF5File(path: path)
    guard let convention = file.text("SOFAConventions") else {
      throw MediaError(
        .inputUnreadable, "\(path) can't be read as a SOFA file: it names no convention")
    }
    guard let type = SOFAFile.conventions[convention] else {
      throw MediaError(
        .unsupportedFeature,
        "\(path) follows \(convention), which isn't read; give a set of SimpleFreeFieldHRIR, SimpleFreeFieldHRTF or SimpleFreeFieldHRSOS "
          + "with \(setting: .hrtf), or a room of MultiSpeakerBRIR, SingleRoomSRIR or SingleRoomDRIR with \(setting: .room)"
      )
    }
    self.type = type
    guard file.text("DataType") == type else {
      throw malformed("its data aren't of the type \(type), which \(convention) has")
    }
  }

  /// The last part of `path`.
  static func name(of path: String) -> String { PathParts.of(path).last ?? "" }

  /// Database, title and organisation as the file states them; `nil` when it doesn't.
  var citation: String? {
    let fields = ["Title", "DatabaseName", "Organization", "References"].compactMap {
      file.text($0).flatMap { $0.isEmpty ? nil : $0 }
    }
    return fields.isEmpty ? nil : fields.joined(separator: "; ")
  }

  /// The responses of the file, checked for plausibility.
  ///
  /// When responses at several distances were measured, the furthest are taken.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` or `unsupportedFeature`.
  func measurements() throws -> HRTFMeasurements {
    try checkListener()
    let places = try places()
    let far = places.map(\.z).max() ?? 0
    let kept = places.indices.filter { !far.isFinite || places[$0].z >= far * 0.9 }
    let directions = kept.map { index -> Direction in
      let azimuth = Double(places[index].x)
      return Direction(
        azimuth: azimuth > 180 ? azimuth - 360 : azimuth, elevation: Double(places[index].y))
    }
    var found = try SOFAResponses(file, type, measurements: places.count, kept: kept)
    var delays = try delays(kept, of: places.count, rate: found.sampleRate)
    func checked() throws -> HRTFMeasurements {
      let measurements = HRTFMeasurements(
        sampleRate: found.sampleRate, taps: found.taps, directions: directions,
        responses: found.values, delays: delays.samples, delayUnit: delays.unit)
      try Plausibility(measurements, path: file.path).check()
      return measurements
    }
    // Some files state the right ear first and have the left one there, which is heard from the responses.
    guard try hasRightEarFirst() else { return try checked() }
    let stored = try? checked()
    found.exchangeEars()
    delays.exchangeEars()
    do { return try checked() } catch {
      guard let stored else { throw error }
      return stored
    }
  }

  /// Azimuth and elevation in degrees and distance in metres of each measurement.
  private func places() throws -> [SIMD3<Float>] {
    guard let (sizes, values) = try file.all("SourcePosition"), sizes.count == 2, sizes[1] == 3,
      (1...SOFAFile.most).contains(sizes[0])
    else { throw malformed("it doesn't say where its sources are") }
    let isCartesian = file.text("Type", of: "SourcePosition") == "cartesian"
    return (0..<sizes[0]).map { row in
      let place = SIMD3(values[3 * row], values[3 * row + 1], values[3 * row + 2])
      return isCartesian ? SOFAFile.spherical(place) : place
    }
  }

  private static func spherical(_ place: SIMD3<Float>) -> SIMD3<Float> {
    let way = SIMD3<Double>(place)
    let distance = UnitVector.dot(way, way).squareRoot()
    guard distance > 0, distance.isFinite else { return SIMD3(.nan, .nan, Float(distance)) }
    let direction = UnitVector.direction(of: way / distance)
    return SIMD3(Float(direction.azimuth), Float(direction.elevation), Float(distance))
  }

  /// Refuses a listener that looks elsewhere than along x with z above, by which directions would be others.
  private func checkListener() throws {
    let usual: [(name: String, way: SIMD3<Double>)] = [
      ("ListenerView", SIMD3(1, 0, 0)), ("ListenerUp", SIMD3(0, 0, 1)),
    ]
    for (name, expected) in usual {
      guard let (sizes, values) = try file.all(name) else { continue }
      guard sizes.count == 2, sizes[1] == 3 else {
        throw malformed("its \(name) has no three axes")
      }
      // Files may leave the type of ListenerUp out; then either reading is taken.
      let type = file.text("Type", of: name)
      for row in 0..<sizes[0] {
        let stated = SIMD3((0..<3).map { Double(values[3 * row + $0]) })
        let readings = [
          type == "spherical" ? nil : stated,
          type == "cartesian"
            ? nil : UnitVector.of(Direction(azimuth: stated.x, elevation: stated.y)),
        ].compactMap(\.self)
        // A hundredth is half a degree, which no set is measured to.
        guard
          readings.contains(where: { way in
            let length = UnitVector.dot(way, way).squareRoot()
            return length > 0 && UnitVector.dot(way, expected) / length > 1 - 5e-5
          })
        else {
          throw MediaError(
            .unsupportedFeature, about: file.path,
            "its listener looks elsewhere than ahead (\(name)), which isn't read; give a set whose listener stays"
          )
        }
      }
    }
  }

  /// Whether the first receiver is the right ear: the left one lies at positive y (AES69-2022, 4.5).
  private func hasRightEarFirst() throws -> Bool {
    guard let (sizes, values) = try file.all("ReceiverPosition"), sizes.count >= 2, sizes[0] == 2,
      sizes[1] == 3, values.count >= 6, file.text("Type", of: "ReceiverPosition") != "spherical"
    else { return false }
    let step = values.count / 6
    return values[step] < 0 && values[4 * step] > 0
  }

  /// Delays of both ears of each kept measurement.
  private func delays(_ kept: [Int], of count: Int, rate: Int) throws -> MeasuredDelays {
    guard let (_, values) = try file.all("Data.Delay"), !values.isEmpty else {
      return MeasuredDelays(none: 2 * kept.count)
    }
    guard values.count == 2 || values.count == 2 * count else {
      throw malformed("its delays don't fit")
    }
    let raw = kept.flatMap { index -> [Double] in
      let start = values.count == 2 ? 0 : 2 * index
      return [Double(values[start]), Double(values[start + 1])]
    }
    guard let delays = MeasuredDelays(stored: raw, rate: rate) else {
      throw malformed("its delays aren't within 0.1 s")
    }
    return delays
  }

  private func malformed(_ what: String) -> MediaError { SOFAFile.malformed(file.path, what) }

  static func malformed(_ path: String, _ what: String) -> MediaError {
    MediaError(.inputUnreadable, "\(path) isn't a usable HRTF set: \(what)")
  }
}
