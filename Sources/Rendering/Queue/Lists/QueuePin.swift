import AudioCore
import Platform
import PlayQueue
import Report

/// Takes the programme's gain from the report of a render, so that it can be pinned in the queue's file.
package enum QueuePin {
  /// The gain in dB of the first output of `report`, which is called `name` in messages.
  /// - Throws: ``MediaError`` of kind `usage` when the report isn't about `file`, or when no loudness was measured.
  package static func gain(
    from report: RenderReport, called name: String, for file: QueueFile
  ) throws -> Double {
    guard let rendered = report.queue else {
      throw MediaError(
        .usage, about: name, "isn't about a queue; give the report of a render of \(file.path)")
    }
    try check(rendered, name, file)
    guard let output = report.outputs.first, let loudness = output.loudness,
      loudness.mode != "off", loudness.outcome != "silent"
    else {
      throw MediaError(
        .usage, about: name,
        "has no gain that was solved; give the report of a finished render with a loudness target")
    }
    guard (-120...40).contains(output.gainDB) else {
      throw MediaError(
        .usage, about: name, "has a gain of \(output.gainDB) dB; a queue takes -120…40 dB")
    }
    return output.gainDB
  }

  /// Compares the items' number and files. The report's paths may begin at another folder than the queue's.
  private static func check(_ rendered: QueueReport, _ name: String, _ file: QueueFile) throws {
    let items = file.queue.items
    guard rendered.items.count == items.count else {
      throw MediaError(
        .usage, about: name,
        "is about another queue: it has \(rendered.items.count) items, \(file.path) has \(items.count)"
      )
    }
    let place = ListPlace(list: file.path)
    var folder: [String]?
    for (index, item) in items.enumerated() {
      let own = item.file.map { PathParts.of(place.name(of: $0) ?? $0) }
      let other = rendered.items[index].source.map { PathParts.of($0.path) }
      let before =
        (own == nil) == (other == nil) ? other.map { Array($0.dropLast(own?.count ?? 0)) } : nil
      let isSame = own == nil ? other == nil : other?.suffix(own?.count ?? 0) == own?[...]
      guard isSame, folder == nil || before == nil || folder == before else {
        throw MediaError(
          .usage, about: name,
          "is about another queue: item \(index + 1) is \(rendered.items[index].source?.path ?? "silence") there and "
            + "\(item.file ?? "silence") in \(file.path)")
      }
      folder = folder ?? before
    }
  }
}
