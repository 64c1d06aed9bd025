// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The process in which HDF5 parses SOFA files: this one or another one.
///
/// The library can crash on damaged files. A program that has to survive that lets another process run
/// ``bytes(path:sha256:views:)`` and return the result; both ways give the same bits. Spatial itself
/// starts no process: the caller passes the way as a value.
public struct SOFAReading: Sendable {
  private let elsewhere: Read?

  /// A way of reading the file at `path`, whose content has this SHA-256: what ``bytes(path:sha256:views:)`` gives.
  public typealias Read =
    @Sendable (_ path: String, _ sha256: String, _ views: [Int]) throws -> [UInt8]

  /// Reading in this process.
  public static let inProcess = SOFAReading(nil)

  /// Reading by `read`, which returns what ``bytes(path:sha256:views:)`` gave in another process, or
  /// throws a ``MediaError``.
  public init(_ read: @escaping Read) { self.init(Optional(read)) }

  private init(_ read: Read?) { elsewhere = read }

  /// The measurements in the SOFA file at `path` as bytes, those of directions checked for plausibility; `sha256` is
  /// that of its content in 64 hexadecimal digits. Files of rooms are told by what they say; of them, `views` are read, the places of
  /// heads among all that the room was measured with, or the head that looks ahead where none is given.
  /// - Throws: ``MediaError`` of kind `inputMissing`, `inputUnreadable` or `unsupportedFeature`
  ///   when the file can't be used.
  public static func bytes(path: String, sha256: String, views: [Int] = []) throws -> [UInt8] {
    if let room = try room(path, views) { return room.bytes(sha256) }
    return try read(path).bytes(sha256)
  }

  /// Limits this process, which only reads one file, to `memory` bytes of its own, and makes it end together
  /// with the process that started it.
  /// - Throws: ``MediaError`` of kind `outOfResources` when the limits can't be set.
  public static func confine(memory: UInt64) throws {
    guard ProcessLimits.confine(memory: memory) == 0 else {
      throw MediaError(
        .outOfResources, "a process to read SOFA files in can't be limited; try again")
    }
  }

  /// The measurements in the SOFA file at `path`.
  /// - Throws: what ``bytes(path:sha256:views:)`` throws; ``MediaError`` of kind `inputUnreadable` when
  ///   another process returned measurements that are incomplete or implausible.
  func measurements(path: String, sha256: String) throws -> CachedMeasurements {
    guard let elsewhere else { return try SOFAReading.read(path) }
    let bytes = try elsewhere(path, sha256, [])
    guard !RoomMeasurements.isRoom(bytes) else {
      throw MediaError(
        .unsupportedFeature,
        "\(path) holds responses of loudspeakers in a room; give it with \(setting: .room)")
    }
    guard let found = CachedMeasurements(bytes: bytes, sha256) else {
      throw MediaError(
        .inputUnreadable,
        "\(path) can't be read as a SOFA file: the process reading it gave nothing whole")
    }
    try Plausibility(found.measurements, path: path).check()
    return found
  }

  /// The room in the SOFA file at `path`, as the heads `views` hear it, or the one that looks ahead where none is given.
  /// - Throws: what ``bytes(path:sha256:views:)`` throws; ``MediaError``: `unsupportedFeature` for a file of directions,
  ///   `inputUnreadable` when another process returned something incomplete.
  package func room(path: String, sha256: String, views: [Int] = []) throws -> RoomMeasurements {
    let found: RoomMeasurements?
    if let elsewhere {
      let bytes = try elsewhere(path, sha256, views)
      found = RoomMeasurements(bytes: bytes, sha256)
      guard found != nil || !RoomMeasurements.isRoom(bytes) else {
        throw MediaError(
          .inputUnreadable,
          "\(path) can't be read as a SOFA file: the process reading it gave nothing whole")
      }
    } else {
      found = try SOFAReading.room(path, views)
      // A file that is no SOFA file at all is refused as such.
      if found == nil { _ = try SOFAReading.read(path) }
    }
    guard let found else {
      throw MediaError(
        .unsupportedFeature,
        "\(path) holds responses of directions, not of loudspeakers in a room; give it with \(setting: .hrtf)"
      )
    }
    return found
  }

  /// The room in the file at `path`; `nil` where it holds something else.
  private static func room(_ path: String, _ views: [Int]) throws -> RoomMeasurements? {
    try RoomFile(path: path)?.measurements(views)
  }

  private static func read(_ path: String) throws -> CachedMeasurements {
    let file = try SOFAFile(path: path)
    return CachedMeasurements(measurements: try file.measurements(), citation: file.citation)
  }
}
