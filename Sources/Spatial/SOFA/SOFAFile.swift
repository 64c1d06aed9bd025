import AudioCore
import CMySofa
import Platform

/// A SOFA file opened through libmysofa; owns the C structure.
final class SOFAFile {
  /// The file's name without its folders.
  let name: String
  private let path: String
  private let handle: UnsafeMutablePointer<MYSOFA_HRTF>

  /// Opens the file at `path` and checks that it follows SimpleFreeFieldHRIR (AES69-2015).
  /// - Throws: ``MediaError`` of kind `inputMissing`, `inputUnreadable` or `unsupportedFeature`.
  init(path: String) throws {
    self.path = path
    name = SOFAFile.name(of: path)
    try HDF5Envelope.check(path: path)
    var status: Int32 = 0
    // libmysofa reads standard input when the name is a bare dash.
    let loaded = mysofa_load(PathParts.joined(".", path), &status)
    guard let loaded, status == 0 else {
      if let loaded { mysofa_free(loaded) }
      throw SOFAFile.refusal(path, status)
    }
    let verdict = mysofa_check(loaded)
    guard verdict == 0 else {
      mysofa_free(loaded)
      throw SOFAFile.refusal(path, verdict)
    }
    mysofa_tospherical(loaded)
    handle = loaded
  }

  deinit { mysofa_free(handle) }

  /// The last part of `path`.
  static func name(of path: String) -> String { PathParts.of(path).last ?? "" }

  private static func refusal(_ path: String, _ status: Int32) -> MediaError {
    // Codes from MYSOFA_INVALID_COORDINATE_TYPE on are conventions that libmysofa doesn't read.
    let unreadable: Set<Int32> = [-1, 0, 10000, 10002, 10003]
    if unreadable.contains(status) || (1..<10000).contains(status) {
      return MediaError(
        .inputUnreadable, "\(path) can't be read as a SOFA file (libmysofa error \(status))")
    }
    return MediaError(
      .unsupportedFeature,
      "\(path) isn't a SimpleFreeFieldHRIR set of two ears (libmysofa error \(status))")
  }

  /// Database, title and organisation as the file states them; `nil` when it doesn't.
  var citation: String? {
    let fields = ["Title", "DatabaseName", "Organization", "References"].compactMap(attribute)
    return fields.isEmpty ? nil : fields.joined(separator: "; ")
  }

  private func attribute(_ wanted: String) -> String? {
    SOFAFile.attribute(wanted, in: handle.pointee.attributes)
  }

  private static func attribute(
    _ wanted: String, in first: UnsafeMutablePointer<MYSOFA_ATTRIBUTE>?
  ) -> String? {
    var next = first
    while let current = next {
      if let key = current.pointee.name, String(cString: key) == wanted,
        let value = current.pointee.value
      {
        let text = String(cString: value)
        return text.isEmpty ? nil : text
      }
      next = current.pointee.next
    }
    return nil
  }

  /// The responses of the file, checked for plausibility.
  ///
  /// When responses at several distances were measured, the furthest are taken.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` or `unsupportedFeature`.
  func measurements() throws -> HRTFMeasurements {
    let set = handle.pointee
    let count = Int(set.M)
    let taps = Int(set.N)
    guard set.R == 2, set.C == 3, count > 0, taps > 0, taps <= 1 << 16,
      Int(set.DataIR.elements) == count * 2 * taps,
      Int(set.SourcePosition.elements) == count * 3,
      let samples = set.DataIR.values, let places = set.SourcePosition.values
    else { throw malformed("its dimensions don't agree") }
    let far = (0..<count).map { places[3 * $0 + 2] }.max() ?? 0
    let kept = (0..<count).filter { !far.isFinite || places[3 * $0 + 2] >= far * 0.9 }
    let directions = kept.map { index -> Direction in
      let azimuth = Double(places[3 * index])
      return Direction(
        azimuth: azimuth > 180 ? azimuth - 360 : azimuth, elevation: Double(places[3 * index + 1]))
    }
    var responses: [Float] = []
    responses.reserveCapacity(kept.count * 2 * taps)
    for index in kept {
      let start = samples + index * 2 * taps
      responses.append(contentsOf: UnsafeBufferPointer(start: start, count: 2 * taps))
    }
    let rate = try sampleRate()
    let delays = try delays(kept, rate: rate)
    let measurements = HRTFMeasurements(
      sampleRate: rate, taps: taps, directions: directions, responses: responses,
      delays: delays.samples, delayUnit: delays.unit)
    try Plausibility(measurements, path: path).check()
    return measurements
  }

  private func sampleRate() throws -> Int {
    let array = handle.pointee.DataSamplingRate
    guard array.elements > 0, let values = array.values, values[0].isFinite,
      (8000...384_000).contains(values[0])
    else { throw malformed("its sampling rate isn't within 8…384 kHz") }
    return Int(values[0].rounded())
  }

  /// Delays of both ears of each kept measurement.
  private func delays(_ kept: [Int], rate: Int) throws -> MeasuredDelays {
    let array = handle.pointee.DataDelay
    let count = Int(handle.pointee.M)
    let held = Int(array.elements)
    guard held > 0, let values = array.values else {
      return MeasuredDelays(none: 2 * kept.count)
    }
    guard held == 2 || held == 2 * count else { throw malformed("its delays don't fit") }
    let raw = kept.flatMap { index -> [Double] in
      let start = held == 2 ? 0 : 2 * index
      return [Double(values[start]), Double(values[start + 1])]
    }
    guard let delays = MeasuredDelays(stored: raw, rate: rate) else {
      throw malformed("its delays aren't within 0.1 s")
    }
    return delays
  }

  private func malformed(_ what: String) -> MediaError {
    MediaError(.inputUnreadable, "\(path) isn't a usable HRTF set: \(what)")
  }
}
