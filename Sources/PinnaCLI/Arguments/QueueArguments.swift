// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Essentials
import Inspection
import PlayQueue
import Rendering

/// How the items of a queue follow each other, and how lists of files are read.
struct QueueArguments: ParsableArguments {
  @Option(parsing: .unconditional, help: "Overlap of each item and the one before, e.g. 2s.")
  var crossfade: Given<TimeSpec>?
  @Option(help: "Curve of these crossfades: equal-power, equal-gain or linear-db.")
  var crossfadeCurve: Given<FadeCurve>?
  @Option(parsing: .unconditional, help: "Silence between items, e.g. 1.5s.")
  var gap: Given<TimeSpec>?
  @Option(help: "What the loudness target refers to: programme, item or both.")
  var queueLoudness: Given<PlayQueue.LoudnessScope>?
  @Option(help: "Chapters of a queue: items, keep (with those of the files) or none.")
  var chapters: Given<PlayQueue.ChapterMode>?
  @OptionGroup var lists: ListArguments

  /// Joining that the flags ask for.
  /// - Throws: ``MediaError`` of kind `usage`.
  func joining() throws -> Joining {
    var joining = try lists.joining()
    guard crossfade == nil || gap == nil else {
      throw MediaError(.usage, "--crossfade and --gap: give only one of them")
    }
    joining.crossfade = try crossfade?.value(.crossfade)
    joining.gap = try gap?.value(.itemGap)
    if let crossfadeCurve { joining.curve = try crossfadeCurve.value(.crossfadeCurve) }
    joining.loudness = try queueLoudness?.value(.queueLoudness)
    joining.chapters = try chapters?.value(.chapters)
    return joining
  }
}

/// How lists of files are read.
struct ListArguments: ParsableArguments {
  @Option(help: "Gaps of a cue sheet: append, prepend or drop.")
  var cueGaps = Given(CueGaps.append)
  @Option(
    help: ArgumentHelp(
      "Text encoding of a list: utf-8, windows-1252, windows-1251, shift-jis, gb18030, big5 or euc-kr."
    ))
  var textEncoding: String?

  /// Joining that the flags ask for.
  /// - Throws: ``MediaError`` of kind `usage`.
  func joining() throws -> Joining {
    var joining = Joining()
    joining.cueGaps = try cueGaps.value(.cueGaps)
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

/// The cache that keeps rendered items of queues between runs.
struct CacheArguments: ParsableArguments {
  @Option(
    help:
      "Keep rendered items of queues for the next run: off, auto (~/.cache/pinna/segments) or a folder."
  )
  var cache = "off"
  @Option(help: "Largest size of that folder.")
  var cacheSize = Given<Int>(default: "4G")
  @Flag(help: "Render items that the cache holds as well, and fail where they differ.")
  var verifyCache = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fail when a sample before this time of the queue differs from the run before that wrote the same output."
    ))
  var expectUnchangedBefore: Given<TimeSpec>?

  /// Policy that the flags ask for; `nil` for no cache.
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
      folder: folder, limit: Int64(try cacheSize.bytes(.cacheSize)))
    policy.isVerified = verifyCache
    policy.unchangedBefore = try expectUnchangedBefore?.value(.unchangedBefore)
    return policy
  }
}
