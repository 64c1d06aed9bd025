import AudioCore

/// Turns an `errno` met while writing into the right error.
package enum OutputFailure {
  /// The error for `code`, met while the written file `path` was read back.
  package static func readingBack(_ code: Int32, _ path: String) -> MediaError {
    guard ![EMFILE, ENFILE, ENOMEM].contains(code) else { return error(code, path) }
    return MediaError(
      .verificationFailed, about: path,
      "the written file can't be read back (\(String(cString: strerror(code)))); nothing was kept")
  }

  /// The error for `code` at `path`.
  package static func error(_ code: Int32, _ path: String) -> MediaError {
    if let refusal = Sandbox.writeRefusal(path, code) {
      return MediaError(.outputUnwritable, about: path, refusal)
    }
    let text = String(cString: strerror(code))
    switch code {
    case ENOSPC, EDQUOT, EFBIG:
      return MediaError(
        .diskFull, about: path, "no space left to write it (\(text)); free some and run again")
    case EMFILE, ENFILE, ENOMEM:
      return MediaError(.outOfResources, about: path, "can't be written now (\(text)); try again")
    case EEXIST:
      return MediaError(
        .outputExists, about: path, "exists already; add \(setting: .overwrite) to replace it")
    case ENOENT, ENOTDIR:
      return MediaError(
        .outputUnwritable, about: path, "its folder doesn't exist (\(text)); create it first")
    default:
      return MediaError(
        .outputUnwritable, about: path, "can't be written (\(text)); check folder and permissions")
    }
  }
}
