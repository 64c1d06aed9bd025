import AudioCore
import Essentials
import MediaOut
import Platform
import Report

/// The reports that the command line names.
enum ReportInput {
  /// Largest file read, in bytes: enough for the reports of several hundred films.
  private static let largest = 1 << 30

  /// All reports, in order.
  /// - Throws: ``MediaError`` when a file is missing, can't be read or is no report.
  static func items(_ paths: [String]) throws -> [ReportItem] {
    guard paths.count(where: { $0 == "-" }) <= 1 else {
      throw MediaError(.usage, "-: standard input can only be read once; give it once")
    }
    return try paths.flatMap { path in
      let name = path == "-" ? "standard input" : path
      return try ReportParser.items(try content(path, name), name: name, root: root(of: path))
    }
  }

  /// The output folder of the batch that `path` is a result of: results are in its `.pinna/items`.
  private static func root(of path: String) -> String? {
    guard path != "-", let real = PathParts.real(path) else { return nil }
    let parts = real.split(separator: "/").dropLast()
    guard parts.suffix(2) == [".pinna", "items"] else { return nil }
    return "/" + parts.dropLast(2).joined(separator: "/")
  }

  private static func content(_ path: String, _ name: String) throws -> Data {
    guard path != "-" else { return try read(STDIN_FILENO, name) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno, name) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw failure(errno, name) }
    guard facts.st_mode & S_IFMT != S_IFDIR else { throw failure(EISDIR, name) }
    // The descriptor blocks from here on, so that a named pipe or a shell's `<(…)` is waited for.
    _ = fcntl(descriptor, F_SETFL, 0)
    return try read(descriptor, name)
  }

  private static func read(_ descriptor: Int32, _ name: String) throws -> Data {
    var data = Data()
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Descriptor.readSome(descriptor, into: &block)
      guard count >= 0 else { throw failure(errno, name) }
      guard count > 0 else { return data }
      data.append(contentsOf: block[..<count])
      guard data.count <= largest else {
        throw MediaError(
          .inputUnreadable, about: name, "is larger than 1 GiB; give reports that pinna wrote")
      }
    }
  }

  private static func failure(_ code: Int32, _ name: String) -> MediaError {
    let text = String(cString: strerror(code))
    switch code {
    case ENOENT, ENOTDIR:
      return MediaError(.inputMissing, about: name, "doesn't exist; check the path")
    case EMFILE, ENFILE, ENOMEM:
      return MediaError(.outOfResources, about: name, "can't be read now (\(text)); try again")
    default:
      return MediaError(
        .inputUnreadable, about: name,
        "can't be read (\(text)); check what it is and its permissions")
    }
  }
}
