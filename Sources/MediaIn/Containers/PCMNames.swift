import ISOBMFF
import LibAV

extension PCMFacts {
  /// libavcodec's name of the format, e.g. `pcm_s24be`.
  var name: String { "pcm_\(isFloat ? "f" : "s")\(bits)\(isLittleEndian ? "le" : "be")" }

  /// QuickTime's names for the same format (QuickTime File Format, Sound Sample Descriptions). libavformat knows
  /// those in every version, but `ipcm` only as 16 bits and `fpcm` not at all before 6.1.
  var patches: [FilePatch] {
    let type =
      switch (isFloat, bits) {
      case (true, let bits): "fl\(bits)"
      case (false, 16): isLittleEndian ? "sowt" : "twos"
      case (false, let bits): "in\(bits)"
      }
    return [
      FilePatch(offset: entry, bytes: Array(type.utf8)),
      // `enda` states the order of bytes in its first two.
      FilePatch(offset: configuration, bytes: Array("enda".utf8) + [0, isLittleEndian ? 1 : 0]),
    ]
  }
}
