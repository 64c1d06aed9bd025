import ArgumentParser
import AudioCore
import Essentials
import Inspection
import Rendering

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
