import ISOBMFF
import Verify

/// Number and SHA-256 of the samples of a fragmented movie's first track of a kind.
struct TrackDigest {
  /// Bytes read at once.
  private static let piece: Int64 = 1 << 20

  /// Samples.
  private(set) var count = 0
  /// SHA-256 of their bytes, one after the other.
  let digest: String

  /// Reads all samples of the first track with `handler`, e.g. `vide`.
  init(_ source: ByteSource, handler: String) {
    var sum = PCMDigest()
    var samples: Int64 = 0
    if let reader = FragmentedMovieReader(source),
      let track = reader.tracks.first(where: { $0.handler == handler })
    {
      reader.forEachFragment { fragment in
        for run in fragment.tracks where run.trackID == track.id {
          samples += run.sampleCount
          for extent in run.extents { TrackDigest.add(extent, source, to: &sum) }
        }
        return true
      }
    }
    count = Int(clamping: samples)
    digest = sum.hexadecimal
  }

  private static func add(
    _ extent: TrackFragment.Extent, _ source: ByteSource, to sum: inout PCMDigest
  ) {
    var offset = max(0, extent.offset)
    let end = min(source.size, extent.offset + extent.size)
    while offset < end {
      let bytes = source.bytes(at: offset, count: Int(min(piece, end - offset)))
      guard !bytes.isEmpty else { return }
      bytes.withUnsafeBytes { sum.update($0) }
      offset += Int64(bytes.count)
    }
  }
}
