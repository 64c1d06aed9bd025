import AudioCore
import MediaIn
import Platform
import PlayQueue

/// Where an input comes from or an output goes to.
public enum MediaLocation: Sendable, Hashable, Codable {
  /// A local file; as an input also an http or https URL.
  case file(String)
  /// Standard input or output.
  case standardStream
  /// Silence, as an input only.
  case silence(Silence)
  /// Items that are joined on one timeline, as an input only.
  case queue(PlayQueue)

  /// The file at `text`; `-` means the standard stream, and `silence:10s` means silence, optionally
  /// with a layout and a rate after further colons.
  public init(_ text: String) {
    if let silence = Silence(text) {
      self = .silence(silence)
    } else {
      self = text == "-" ? .standardStream : .file(text)
    }
  }

  /// Whether both are the same. A path is bytes: names of the same letters in other bytes are two files.
  public static func == (one: MediaLocation, other: MediaLocation) -> Bool {
    switch (one, other) {
    case (.file(let path), .file(let otherPath)): return PathName(path) == PathName(otherPath)
    case (.standardStream, .standardStream): return true
    case (.silence(let silence), .silence(let otherSilence)): return silence == otherSilence
    case (.queue(let queue), .queue(let otherQueue)): return queue == otherQueue
    default: return false
    }
  }

  /// Hashes the bytes that are compared.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .file(let path): hasher.combine(PathName(path))
    case .standardStream: hasher.combine("-")
    case .silence(let silence): hasher.combine(silence)
    case .queue(let queue): hasher.combine(queue)
    }
  }

  /// Whether this is the file at `path`, independent of the path's spelling and of links.
  package func isSameFile(as path: String) -> Bool {
    guard case .file(let own) = self else { return false }
    if FilePlace(own) == FilePlace(path) { return true }
    // Asked once: a file that appears, or can't be looked at, between two questions isn't another one.
    guard let identity = FilePlace.identity(own) else { return false }
    return identity == FilePlace.identity(path)
  }

  /// The path or URL, without user and password, or `-`.
  public var name: String {
    switch self {
    case .file(let path): return WebAddress.withoutCredentials(path)
    case .standardStream: return "-"
    case .silence(let silence): return "silence of \(silence.layout.name)"
    case .queue(let queue): return "queue of \(queue.items.count) items"
    }
  }
}
