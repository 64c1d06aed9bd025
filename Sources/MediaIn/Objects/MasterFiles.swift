// SPDX-License-Identifier: Apache-2.0
import AudioCore
import DAMF
import Platform

/// A set of Dolby Atmos master files (DAMF) on the disk: its root was named, and the other two files lie beside it.
package struct MasterFiles {
  /// The set.
  package let set: MasterSet
  /// The file with the sound.
  package let audio: LocalFile
  /// The other files that were read: the root and the events.
  package let localFiles: [String]
  /// Findings on what was repaired, accepted or passed over.
  package let findings: [DAMFFinding]

  /// Whether the name of the file at `path` is that of a root.
  package static func isRoot(_ path: String) -> Bool {
    path.lowercased().hasSuffix(MasterNames.rootEnd)
  }

  /// Refuses one of a set's other two files, whose root lies beside it.
  /// - Throws: ``MediaError`` of kind `usage`, with the file to give.
  package static func refusePart(_ path: String) throws {
    guard let root = MasterNames.root(besides: path), PathParts.real(root) != nil else { return }
    throw MediaError(
      .usage, about: path, "is a part of a set of master files; give its root, \(root)")
  }

  /// Opens the set whose root lies at `path`.
  /// - Throws: ``MediaError`` for a set that is damaged, incomplete or outside of `bounds`.
  package init(path: String, bounds: InputBounds, followsModes: Bool) throws {
    let (folder, name) = PathParts.split(path)
    let place = { (name: String) in folder + name }
    let open = { (name: String) in
      let file = try bounds.open(place(name))
      try MasterFiles.checkFolder(of: file, root: path)
      return file
    }
    let log = DAMFLog()
    let files = MasterFolder(
      has: { PathParts.real(place($0)) != nil && !PathParts.isFolder(place($0)) },
      bytes: { name, limit in
        let file = try open(name)
        let bytes = file.bytes(at: 0, count: limit + 1)
        try file.checkReads()
        return bytes
      }, source: { try open($0).source })
    do {
      set = try MasterSet(name, in: files, followsModes: followsModes, log: log)
    } catch let error as DAMFError {
      throw error.mediaError(about: path)
    }
    audio = try open(set.names.audio)
    localFiles = [path, place(set.names.metadata)]
    findings = log.findings
  }

  /// Refuses a link that leads out of the root's folder: a set from a stranger could name any file so.
  private static func checkFolder(of file: LocalFile, root: String) throws {
    guard let folder = PathParts.real(PathParts.folder(of: root)), let place = file.place,
      PathParts.rest(of: place, below: folder) == nil, file.path != root
    else { return }
    throw MediaError(
      .inputUnreadable, about: file.path,
      "is a link out of the folder of \(root); copy the file there")
  }

  /// Writes down what was found.
  package func report(to log: DiagnosticLog) {
    for finding in findings {
      let text =
        finding.count == 1 ? finding.message : "\(finding.message) (\(finding.count) times)"
      switch finding.code {
      case .staleName, .duplicateKey, .unknownKey, .unknownVersion, .comma, .unusualRate, .notUsed:
        log.decide(.objectMetadata, "accepted", why: text)
      case .unknownMode, .unknownZones, .range, .order, .late, .behindEnd, .unknownID,
        .channelOrder, .noPlace, .cutFrame:
        log.degrade(.objectsRepaired, text)
      }
    }
  }
}
