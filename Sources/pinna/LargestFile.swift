import AudioCore
import Glibc

/// The limit on the size of files that a process may write.
enum LargestFile {
  /// `error`, unless it is about a file that grew over this process's limit: then the error that says
  /// so, which trying again doesn't help.
  static func explained(_ error: MediaError) -> MediaError {
    guard error.kind == .diskFull, error.message.contains(String(cString: strerror(EFBIG))),
      let limit = WorkerCommand.largestFile.withLock({ $0 })
    else { return error }
    let name = error.message.prefix { $0 != ":" }
    return MediaError(
      .outputUnwritable,
      "\(name): would be larger than the \(limit) bytes a file may have (--max-output-size); allow "
        + "more, or look at the input")
  }
}
