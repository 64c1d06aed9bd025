import ArgumentParser
import AudioCore
import PlayQueue
import Rendering

/// How the items of a queue follow each other, and how lists of files are read.
struct QueueArguments: ParsableArguments {
  @Option(parsing: .unconditional, help: "Overlap of each item and the one before, e.g. 2s.")
  var crossfade: String?
  @Option(help: "Curve of these crossfades: equal-power, equal-gain or linear-db.")
  var crossfadeCurve: String?
  @Option(parsing: .unconditional, help: "Silence between items, e.g. 1.5s.")
  var gap: String?
  @Option(help: "What the loudness target refers to: programme, item or both.")
  var queueLoudness: String?
  @Option(help: "Chapters of a queue: items, keep (with those of the files) or none.")
  var chapters: String?
  @OptionGroup var lists: ListArguments

  /// What the flags say.
  /// - Throws: ``MediaError`` of kind `usage`.
  func joining() throws -> Joining {
    var joining = try lists.joining()
    guard crossfade == nil || gap == nil else {
      throw MediaError(.usage, "--crossfade and --gap: give only one of them")
    }
    joining.crossfade = try crossfade.map { try TimeSpec($0, option: "--crossfade") }
    joining.gap = try gap.map { try TimeSpec($0, option: "--gap") }
    if let crossfadeCurve {
      joining.curve = try Choice.parse(crossfadeCurve, "--crossfade-curve")
    }
    joining.loudness = try queueLoudness.map { try Choice.parse($0, "--queue-loudness") }
    joining.chapters = try chapters.map { try Choice.parse($0, "--chapters") }
    return joining
  }
}
