import Signal

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
