import AudioCore
import Platform
import PlayQueue

/// What a queue says, before the files that it names are opened.
public struct QueueContents: Sendable {
  /// One track: an item with the parts that belong to it.
  public struct Track: Sendable, Hashable {
    /// Its items.
    public var items: ItemSpan
    /// Its title, or the name of its file; empty for silence without a title.
    public var title: String
  }

  /// The queue.
  public let queue: PlayQueue

  /// The queue that `clip` has as its input; `nil` where the input is anything else.
  /// - Throws: ``MediaError`` for a queue that can't be read.
  public init?(of clip: Clip) throws {
    switch clip.input {
    case .queue(let queue): self.queue = queue
    case .file(let path):
      guard let found = try QueueOpener(clip: clip, log: DiagnosticLog()).open(path) else {
        return nil
      }
      queue = found.queue
    case .silence, .standardStream: return nil
    }
  }

  /// The files that the items are taken from, each once.
  package var files: [String] { queue.files + queue.tapFiles }

  /// The tracks, in their order. Silence without a title isn't one.
  public var tracks: [Track] {
    let firsts = queue.items.indices.filter { !queue.items[$0].isPart }
    let ends = firsts.dropFirst() + [queue.items.count]
    return zip(firsts, ends).compactMap { first, end in
      let item = queue.items[first]
      var title = item.title ?? ""
      if let path = item.file {
        if item.title == nil { title = OutputNames.stem(of: path) }
      } else if item.title == nil, end == first + 1 {
        return nil
      }
      return Track(items: ItemSpan(first + 1, end), title: title)
    }
  }
}
