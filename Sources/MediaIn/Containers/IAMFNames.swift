import ISOBMFF
import LibAV

extension IAMFFacts {
  /// Names that no version of libavformat knows, so that each sample stays one packet. From 7.0 on it would split
  /// samples into substreams, and refuse files whose parameters it doesn't understand.
  var patches: [FilePatch] {
    [
      FilePatch(offset: entry, bytes: Array("priv".utf8)),
      FilePatch(offset: configuration, bytes: Array("free".utf8)),
    ]
  }
}
