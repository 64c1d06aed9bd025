import ArgumentParser
import AudioCore
import Essentials
import Inspection
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

/// How lists of files are read.
struct ListArguments: ParsableArguments {
  @Option(help: "Gaps of a cue sheet: append, prepend or drop.")
  var cueGaps = CueGaps.append.rawValue
  @Option(
    help: ArgumentHelp(
      "Text encoding of a list: utf-8, windows-1252, windows-1251, shift-jis, gb18030, big5 or euc-kr."
    ))
  var textEncoding: String?

  /// What the flags say.
  /// - Throws: ``MediaError`` of kind `usage`.
  func joining() throws -> Joining {
    var joining = Joining()
    joining.cueGaps = try Choice.parse(cueGaps, "--cue-gaps")
    joining.textEncoding = try textEncoding.map(ListArguments.encoding)
    return joining
  }

  private static func encoding(_ name: String) throws -> TextEncoding {
    do {
      return try TextEncoding.named(name)
    } catch {
      throw MediaError(.usage, "--text-encoding: \(error.message)")
    }
  }
}

/// Where rendered items of queues are kept between runs.
struct CacheArguments: ParsableArguments {
  @Option(
    help:
      "Keep rendered items of queues for the next run: off, auto (~/.cache/pinna/segments) or a folder."
  )
  var cache = "off"
  @Option(help: "Largest size of that folder.")
  var cacheSize = "4G"
  @Flag(help: "Render items that the cache holds as well, and fail where they differ.")
  var verifyCache = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fail when a sample before this time of the queue differs from the run before that wrote the same output."
    ))
  var expectUnchangedBefore: String?

  /// What the flags say; `nil` for no cache.
  /// - Throws: ``MediaError`` of kind `usage`.
  func policy() throws -> SegmentPolicy? {
    guard cache != "off" else {
      guard !verifyCache else {
        throw MediaError(
          .usage, "--verify-cache: there is no cache; add --cache auto or a folder")
      }
      guard expectUnchangedBefore == nil else {
        throw MediaError(
          .usage,
          "--expect-unchanged-before: only a cache knows the run before; add --cache auto or a folder"
        )
      }
      return nil
    }
    let folder =
      cache == "auto"
      ? UserCache.folder("segments", ProcessInfo.processInfo.environment) : cache
    guard let folder else {
      throw MediaError(
        .usage,
        "--cache auto: there is no folder for it (PINNA_CACHE, XDG_CACHE_HOME, HOME); give one")
    }
    var policy = SegmentPolicy(
      folder: folder, limit: Int64(try Choice.size(cacheSize, "--cache-size")))
    policy.isVerified = verifyCache
    policy.unchangedBefore = try expectUnchangedBefore.map {
      try TimeSpec($0, option: "--expect-unchanged-before")
    }
    return policy
  }
}
