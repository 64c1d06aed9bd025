import AudioCore
import Essentials
import MediaOut
import Platform
import Report
import Verify

/// A folder of goldens: one folder a case, with `case.json` and `expected.json`.
package struct GoldenFolder: Sendable {
  /// Where the cases lie.
  package let path: String

  /// The folder at `path`.
  package init(path: String) { self.path = path }

  /// Names of all cases, sorted.
  /// - Throws: ``MediaError`` when the folder can't be read, or has a name in it that isn't UTF-8.
  package func ids() throws -> [String] {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let code = errno
    guard folder >= 0 else {
      guard code == ENOENT || code == ENOTDIR else { throw LocalFile.openFailure(path, code) }
      throw MediaError(
        .inputMissing, about: path, "no folder of goldens is there; give \(setting: .goldenFolder)")
    }
    let names = FolderNames.of(folder)
    // Bytes that aren't UTF-8 are read as this character. A case that is passed over would count as passed.
    if let odd = names.first(where: {
      $0.unicodeScalars.contains("\u{FFFD}") && access("\(path)/\($0)", F_OK) != 0
    }) {
      throw MediaError(.usage, about: "\(path)/\(odd)", "its name isn't UTF-8; rename it")
    }
    return names.filter {
      FileManager.default.fileExists(atPath: file($0, "case.json"))
    }.sortedAsNames()
  }

  /// Path of a file of a case.
  package func file(_ id: String, _ name: String) -> String { "\(path)/\(id)/\(name)" }

  /// Reads a case.
  /// - Throws: ``MediaError`` when it is missing, malformed or named otherwise than its folder.
  package func golden(_ id: String) throws -> GoldenCase {
    let golden: GoldenCase = try read(id, "case.json")
    guard PathName(golden.id) == PathName(id) else {
      throw MediaError(.usage, "\(file(id, "case.json")): its id is \(golden.id), not \(id)")
    }
    guard !golden.why.isEmpty, !golden.oracle.name.isEmpty else {
      throw MediaError(.usage, "\(file(id, "case.json")): why and oracle.name must say something")
    }
    return golden
  }

  /// Whether a case has expected values.
  package func isRecorded(_ id: String) -> Bool {
    FileManager.default.fileExists(atPath: file(id, "expected.json"))
  }

  /// Reads what a case expects.
  /// - Throws: ``MediaError`` of kind `verificationFailed` when nothing is recorded.
  package func expected(_ id: String) throws -> GoldenOutcome {
    guard isRecorded(id) else {
      throw MediaError(
        .verificationFailed, about: id,
        "\(file(id, "expected.json")) is missing; record it, look at it and commit it")
    }
    return try read(id, "expected.json")
  }

  /// Writes a case; its folder is made.
  /// - Throws: ``MediaError`` when it can't be written.
  package func write(_ golden: GoldenCase) throws {
    try make(golden.id)
    try TextFile.write(ReportJSON.pretty(golden), to: file(golden.id, "case.json"))
  }

  /// Writes what a case expects; its folder is made.
  /// - Throws: ``MediaError`` when it can't be written.
  package func write(_ outcome: GoldenOutcome, id: String) throws {
    try make(id)
    try TextFile.write(ReportJSON.pretty(outcome), to: file(id, "expected.json"))
  }

  private func make(_ id: String) throws {
    let folder = "\(path)/\(id)"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch { throw MediaError(.outputUnwritable, about: folder, "the folder can't be made") }
  }

  private func read<Value: Decodable>(_ id: String, _ name: String) throws -> Value {
    let place = file(id, name)
    let data: Data
    do {
      data = Data(try LocalFile(path: place).wholeContent())
    } catch let error as MediaError where error.kind == .inputMissing {
      throw MediaError(
        .inputMissing, about: place, "no such file; pinna golden list shows all cases")
    }
    do { return try JSONDecoder().decode(Value.self, from: data) } catch {
      throw MediaError(.usage, about: place, "isn't a golden's \(name): \(error)")
    }
  }
}
