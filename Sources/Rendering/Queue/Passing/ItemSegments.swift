import AudioCore
import PlayQueue
import Report
import SegmentStore

/// Finds rendered items in the cache, and stores new ones there.
final class ItemSegments {
  private let cache: SegmentCache
  private let digests: SourceDigests
  private let common: SegmentKey.Builder
  private var used: Set<SegmentKey> = []
  /// Whether items that are found are rendered as well and compared.
  let isVerified: Bool

  /// The cache that `policy` describes, for items of `run`, whose files `digests` knows; nothing is kept that isn't in
  /// its key.
  init(_ policy: SegmentPolicy, _ run: RunIdentity, _ digests: SourceDigests) {
    cache = SegmentCache(path: policy.folder, limit: policy.limit)
    self.digests = digests
    isVerified = policy.isVerified
    var key = SegmentKey.Builder()
    key.add("tools", text: run.tools)
    key.add("decoding", text: run.decoding)
    common = key
  }

  /// The key of an item's samples; `nil` for an item that isn't kept.
  /// - Throws: ``MediaError`` when the settings can't be put into words.
  func key(
    _ track: QueueTrack, _ key: QueueTrack.Key, _ range: Range<Int64>, _ rendering: ItemRendering,
    _ margins: ItemChain.Margins, rate: Int
  ) throws -> SegmentKey? {
    // The files of a playlist, and what lies on the network, aren't known by their bytes; what a tap makes in
    // another way each time isn't known at all. Why a file can't be read,
    // its decoder says.
    guard track.isOneFile, rendering.isDeterministic, let digest = try? digests.digest(of: key.path)
    else { return nil }
    var builder = common
    builder.add("source", text: digest)
    builder.add("track", integer: Int64(key.track ?? -1))
    builder.add("from", integer: range.lowerBound)
    builder.add("to", integer: range.upperBound)
    builder.add("programme", text: try ReportJSON.line(rendering.programme))
    builder.add("renderer", text: try ReportJSON.line(rendering.plan))
    builder.add("taps", text: try ReportJSON.line(rendering.taps))
    builder.add("delays of taps", text: rendering.tapDelays.joined(separator: "; "))
    builder.add("hrtf", text: rendering.hrtf ?? "")
    builder.add("layout", text: rendering.format.layout.name)
    builder.add("lead", integer: Int64(margins.lead))
    builder.add("trail", integer: Int64(margins.trail))
    builder.add("rate", integer: Int64(rate))
    used.insert(builder.key)
    return builder.key
  }

  /// The samples of `key`; `nil` where they aren't there.
  func find(_ key: SegmentKey?) -> SegmentReader? { key.flatMap(cache.open) }

  /// What stores the samples of `key`, `head` of them before the item itself; `nil` where they aren't kept.
  func writer(_ key: SegmentKey?, _ format: AudioFormat, head: Int64) -> SegmentWriter? {
    key.flatMap {
      cache.writer($0, channels: format.channels, rate: format.sampleRate, head: max(0, head))
    }
  }

  /// Makes the cache as small as it has to be; what this run used goes last.
  func close() {
    digests.save()
    cache.trim(keeping: used)
  }
}
