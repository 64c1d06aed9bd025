import AudioCore
import Essentials
import PlayQueue
import Rendering

/// The inputs of `render --join` as one queue.
enum JoinedInputs {
  /// The queue of `inputs`: files, each with an optional `#t=START,END`, and `silence:LENGTH`.
  /// - Throws: ``MediaError`` of kind `usage` naming the input.
  static func queue(_ inputs: [String]) throws -> PlayQueue {
    PlayQueue(
      try inputs.flatMap { text in
        try FolderInputs.files(in: text)?.map(whole) ?? [item(text, option: "--join")]
      })
  }

  private static func whole(_ path: String) -> QueueItem {
    QueueItem(.file(path: path, track: nil, range: QueueRange()))
  }

  /// The item of one source as it is typed behind `option`: a file with an optional `#t=START,END`, or `silence:LENGTH`.
  /// - Throws: ``MediaError`` of kind `usage` naming the source.
  static func item(_ text: String, option: String) throws -> QueueItem {
    guard text != "-" else {
      throw MediaError(.usage, "\(option): standard input can't be joined; store it in a file")
    }
    if case .silence(let silence) = MediaLocation(text) {
      return QueueItem(.silence(silence.length))
    }
    let parts = text.components(separatedBy: "#t=")
    guard parts.count <= 2 else {
      throw MediaError(.usage, "\(option) \(text): give one #t=START,END")
    }
    var range = QueueRange()
    if parts.count == 2 {
      let times = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard times.count <= 2 else {
        throw MediaError(.usage, "\(option) \(text): give #t=START,END")
      }
      if !times[0].isEmpty { range.start = try TimeSpec(times[0], option: "\(option) \(text)") }
      if times.count == 2, !times[1].isEmpty {
        range.end = try TimeSpec(times[1], option: "\(option) \(text)")
      }
    }
    return QueueItem(.file(path: parts[0], track: nil, range: range))
  }
}
