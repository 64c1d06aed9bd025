import CFFmpeg

/// Bytes in a packet of PCM. libavformat before 6.1 hands out 4 KiB, and a packet costs more than decoding it.
private let pcmPacketSize: Int64 = 32768

extension InputContext {
  /// Demuxers of RIFF files, which can be told how large their packets shall be.
  private static let sizedDemuxers: Set = ["wav", "w64"]

  /// Lets the demuxer hand out larger packets, where every stream is PCM: a decoder of anything else may give up
  /// the rest of a packet at the first damaged frame.
  func enlargePackets(_ context: UnsafeMutablePointer<AVFormatContext>) {
    let isPCM = streams.allSatisfy { $0.codec.hasPrefix("pcm_") }
    guard isPCM, InputContext.sizedDemuxers.contains(formatName) else { return }
    // A demuxer that doesn't know the option keeps its size, which is slower and nothing else.
    av_opt_set_int(context.pointee.priv_data, "max_size", pcmPacketSize, 0)
  }
}
