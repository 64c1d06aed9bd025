import AudioCore
import Platform

/// Where libmysofa parses SOFA files: in this process or in another one.
///
/// It can crash on damaged files. A program that has to survive that lets another process run
/// ``bytes(path:sha256:)`` and return the result; both ways give the same bits. Spatial itself
/// starts no process: the caller passes the way as a value.
public struct SOFAReading: Sendable {
  private let elsewhere: (@Sendable (_ path: String, _ sha256: String) throws -> [UInt8])?

  /// Reading in this process.
  public static let inProcess = SOFAReading(nil)

  /// Reading by `read`, which returns what ``bytes(path:sha256:)`` gave in another process, or
  /// throws a ``MediaError``.
  public init(_ read: @escaping @Sendable (_ path: String, _ sha256: String) throws -> [UInt8]) {
    self.init(Optional(read))
  }

  private init(_ read: (@Sendable (String, String) throws -> [UInt8])?) { elsewhere = read }

  /// The measurements in the SOFA file at `path` as bytes, checked for plausibility; `sha256` is
  /// that of its content in 64 hexadecimal digits.
  /// - Throws: ``MediaError`` of kind `inputMissing`, `inputUnreadable` or `unsupportedFeature`
  ///   when the file can't be used.
  public static func bytes(path: String, sha256: String) throws -> [UInt8] {
    try read(path).bytes(sha256)
  }

  /// Limits this process to `memory` bytes of its own, and makes it end together with the process
  /// that started it. It is meant for a process that only reads one file.
  /// - Throws: ``MediaError`` of kind `outOfResources` when the limits can't be set.
  public static func confine(memory: UInt64) throws {
    guard ProcessLimits.confine(memory: memory) == 0 else {
      throw MediaError(
        .outOfResources, "a process to read SOFA files in can't be limited; try again")
    }
  }

  /// The measurements in the SOFA file at `path`.
  /// - Throws: what ``bytes(path:sha256:)`` throws; ``MediaError`` of kind `inputUnreadable` when
  ///   another process returned measurements that are incomplete or implausible.
  func measurements(path: String, sha256: String) throws -> CachedMeasurements {
    guard let elsewhere else { return try SOFAReading.read(path) }
    guard let found = CachedMeasurements(bytes: try elsewhere(path, sha256), sha256) else {
      throw MediaError(
        .inputUnreadable,
        "\(path) can't be read as a SOFA file: the process reading it gave nothing whole")
    }
    try Plausibility(found.measurements, path: path).check()
    return found
  }

  private static func read(_ path: String) throws -> CachedMeasurements {
    let file = try SOFAFile(path: path)
    return CachedMeasurements(measurements: try file.measurements(), citation: file.citation)
  }
}
