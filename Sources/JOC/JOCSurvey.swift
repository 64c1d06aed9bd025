// SPDX-License-Identifier: Apache-2.0
import ObjectMetadata
import Signal

/// Decides by the first access units of a stream of E-AC-3 whether it has objects that can be decoded. Signs in
/// the container don't tell for certain: only payloads that fit do.
package struct JOCSurvey {
  /// Access units that are worth looking at.
  package static let units = 10

  private let reader = JOCUnitReader()
  private var seen = 0
  private var fitting = 0
  private var found: JOCProgramme?
  /// Why the last unit can't be used whose payloads can't; `nil` while there is none.
  package private(set) var failure: JOCError?

  /// Updates of each object in the units that fit.
  private var updates = 0
  /// `joc_dmx_config_idx` of the last unit that fits.
  private var configuration = 0

  /// A survey of nothing.
  package init() {}

  /// Looks at the next access unit.
  package mutating func take(_ unit: UnsafeBufferPointer<UInt8>) {
    seen += 1
    do throws(JOCError) {
      guard try reader.read(unit) else { return }
      // The first metadata of real streams may be broken, so any unit may give the programme.
      let programme = try JOCProgramme(reader.objects)
      guard reader.coefficients.count == programme.mixed else {
        throw JOCError.malformed("joc_num_objects")
      }
      if let found, found.assignment != programme.assignment { return }
      found = found ?? programme
      fitting += 1
      updates += reader.objects.blocks.count
      configuration = reader.coefficients.configuration
    } catch { failure = error }
  }

  /// The programme, if four of five units so far have all that it needs.
  package var programme: JOCProgramme? { 5 * fitting >= 4 * seen ? found : nil }

  /// Updates of each object in a second; 0 without objects.
  package var updatesPerSecond: Double {
    fitting == 0 ? 0 : Double(updates) * 48_000 / Double(fitting * JOCDecoder.frame)
  }

  /// The downmix that objects are coded in.
  package var downmix: String {
    ["5.1", "7.1", "5.1.2", "5.1, surrounds at 90°", "5.1.2, surrounds at 90°"][configuration]
  }

  /// Whether an access unit has a container with the metadata and coefficients of objects.
  package static func hasObjects(_ unit: UnsafeBufferPointer<UInt8>) -> Bool {
    MetadataScanner.container(in: unit)?.isComplete == true
  }
}

/// Reads both payloads of access units; one value is reused.
final class JOCUnitReader {
  /// Metadata of the last unit that had some.
  let objects = ObjectFrame()
  /// Coefficients of the last unit that had some.
  let coefficients = CoefficientFrame()
  private let reader: CoefficientReader

  /// A reader that follows one reading of sparse coding.
  init(_ options: JOCOptions = JOCOptions()) {
    reader = CoefficientReader(options.readsSparseAsPrinted ? .printed : .chained)
  }

  /// Reads a unit; answers whether it has both payloads.
  /// - Throws: ``JOCError`` where one can't be used.
  func read(_ unit: UnsafeBufferPointer<UInt8>) throws(JOCError) -> Bool {
    guard let container = MetadataScanner.container(in: unit), container.isComplete else {
      return false
    }
    try readObjects(unit, container)
    try readCoefficients(unit, container)
    return true
  }

  /// Reads the metadata of objects of a container; answers whether it has some.
  @discardableResult
  func readObjects(
    _ unit: UnsafeBufferPointer<UInt8>, _ container: MetadataContainer
  ) throws(JOCError) -> Bool {
    guard let payload = container.objects else { return false }
    try ObjectReader.read(payload.bits(in: unit), size: payload.size, into: objects)
    return true
  }

  /// Reads the coefficients of a container; answers whether it has some.
  @discardableResult
  func readCoefficients(
    _ unit: UnsafeBufferPointer<UInt8>, _ container: MetadataContainer
  ) throws(JOCError) -> Bool {
    guard let payload = container.coefficients else { return false }
    try reader.read(payload.bits(in: unit), size: payload.size, into: coefficients)
    return true
  }
}
