/// Start-up samples of a decode by libavcodec where no header states them, at the output rate.
///
/// Measured with encoders that write no delay of their own. `Tests/RenderingTests/CodecTable.swift`
/// repeats the measurement for every codec and container; docs/explain/trimming.md shows the
/// results.
package enum CodecDelayTable {
  /// Samples for a codec and profile; `nil` for codecs that aren't in the table.
  package static func samples(codec: String, profile: String?) -> Int? {
    switch codec {
    case "aac": return profile?.contains("HE") == true ? 2048 : 1024
    case "ac3", "eac3": return 256
    case "mp3": return 1105
    case "mp2": return 481
    // The lossless layer of DTS-HD Master Audio comes out aligned with what went in.
    case "dts": return profile == "DTS-HD MA" ? 0 : 512
    case "vorbis": return 0
    case "opus": return 312
    default: return isLossless(codec: codec) ? 0 : nil
    }
  }

  /// Whether the codec gives back exactly what was encoded.
  package static func isLossless(codec: String) -> Bool {
    codec.hasPrefix("pcm_")
      || ["flac", "alac", "wavpack", "truehd", "mlp", "tta", "ape"].contains(codec)
  }
}
