// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The folder that a root lies in, as far as a set needs it. Names have no folders in them.
package struct MasterFolder {
  /// Whether the folder has a file of this name.
  package let has: (String) -> Bool
  /// Bytes of a file, at most one more than `limit`.
  package let bytes: (_ name: String, _ limit: Int) throws -> [UInt8]
  /// Random access to a file.
  package let source: (_ name: String) throws -> ByteSource

  /// A folder.
  package init(
    has: @escaping (String) -> Bool,
    bytes: @escaping (_ name: String, _ limit: Int) throws -> [UInt8],
    source: @escaping (_ name: String) throws -> ByteSource
  ) {
    (self.has, self.bytes, self.source) = (has, bytes, source)
  }
}

/// The names of a set's files.
package struct MasterNames: Sendable, Equatable {
  /// End of a root's name.
  package static let rootEnd = ".atmos"

  /// Name of the events' file.
  package let metadata: String
  /// Name of the sound's file.
  package let audio: String

  /// The files of a root: as it names them, else beside it. Names that a root states are stale when somebody has renamed
  /// the set.
  /// - Throws: ``DAMFError`` of code `namePath`, `audioMissing` or `metadataMissing`.
  package init(
    _ root: MasterRoot, in folder: (String) -> Bool, log: DAMFLog
  ) throws(DAMFError) {
    let stem =
      root.file.lowercased().hasSuffix(MasterNames.rootEnd)
      ? String(root.file.dropLast(MasterNames.rootEnd.count)) : root.file
    let names = root.presentation
    try MasterNames.check(names.metadata, "metadata", root.file)
    try MasterNames.check(names.audio, "audio", root.file)
    let metadata = MasterNames.chosen(
      names.metadata, [root.file + ".metadata"], "metadata", root.file, folder, log)
    guard let metadata else {
      throw MasterNames.missing(.metadataMissing, "events", root.file + ".metadata", root.file)
    }
    let audio = MasterNames.chosen(
      names.audio, [root.file + ".audio", stem + ".caf"], "audio", root.file, folder, log)
    guard let audio else {
      throw MasterNames.missing(.audioMissing, "sound", root.file + ".audio", root.file)
    }
    (self.metadata, self.audio) = (metadata, audio)
  }

  /// The root that the file `name` belongs to, when it is one of a set's other two; `nil` for any other name.
  package static func root(besides name: String) -> String? {
    for end in [".metadata", ".audio"] where name.lowercased().hasSuffix(rootEnd + end) {
      return String(name.dropLast(end.count))
    }
    return nil
  }

  private static func check(
    _ name: String?, _ key: String, _ root: String
  ) throws(DAMFError) {
    guard let name else { return }
    let isPlain = !name.utf8.contains {
      $0 == 0 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
    }
    guard isPlain, name != "..", name != "." else {
      throw DAMFError(
        .namePath, "the name leads out of the root's folder; give a name without a folder",
        at: DAMFPlace(root, keys: "presentations." + key))
    }
  }

  private static func chosen(
    _ named: String?, _ others: [String], _ key: String, _ root: String,
    _ has: (String) -> Bool, _ log: DAMFLog
  ) -> String? {
    if let named, has(named) { return named }
    guard let found = others.first(where: has) else { return nil }
    log.note(
      .staleName, kind: key, at: DAMFPlace(root, keys: "presentations." + key),
      "the file named by the root isn't there; \(found) beside it is used")
    return found
  }

  private static func missing(
    _ code: DAMFError.Code, _ what: String, _ name: String, _ root: String
  ) -> DAMFError {
    DAMFError(
      code, "the file with the \(what) isn't beside the root; put \(name) there",
      at: DAMFPlace(root))
  }
}

/// A set of master files, read and checked; samples aren't read.
package struct MasterSet: Sendable {
  /// The root.
  package let root: MasterRoot
  /// Names of the other two files.
  package let names: MasterNames
  /// Facts of the sound.
  package let audio: CAFFacts
  /// Samples in a second, Hz.
  package let sampleRate: Int
  /// Number of events in the file.
  package let eventCount: Int
  /// Elements and their changes.
  package let scene: MasterScene

  /// Reads the set whose root is the file `name`.
  /// - Parameters:
  ///   - name: name of the root, without its folder.
  ///   - folder: the folder.
  ///   - followsModes: whether modes for headphones are taken from the events.
  ///   - log: gets what was repaired, passed over or taken leniently.
  /// - Throws: ``DAMFError``, and what `folder` throws.
  package init(
    _ name: String, in folder: MasterFolder, followsModes: Bool = true, log: DAMFLog
  ) throws {
    let rootText = try MasterText(
      folder.bytes(name, MasterText.longestRoot), file: name, longest: MasterText.longestRoot)
    root = try RootParser.parse(rootText, log: log)
    names = try MasterNames(root, in: folder.has, log: log)
    let text = try MasterText(
      folder.bytes(names.metadata, MasterText.longestMetadata), file: names.metadata,
      longest: MasterText.longestMetadata)
    let events = try EventParser.parse(text, of: root, log: log)
    audio = try CAFHeader.read(folder.source(names.audio), file: names.audio)
    try audio.check(
      channels: root.presentation.channels.count, rate: events.sampleRate, file: names.audio,
      log: log)
    sampleRate = events.sampleRate
    eventCount = events.count
    scene = MasterScene(
      root, events, frames: audio.frames, followsModes: followsModes, log: log)
  }
}
