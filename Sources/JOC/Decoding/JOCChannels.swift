import AudioCore

/// Which channels of a downmix objects are mixed of, by their loudspeakers.
struct JOCChannels {
  /// Number of channels of the downmix.
  let count: Int
  /// Number of the LFE.
  let lfe: Int?
  /// Channels for each `joc_dmx_config_idx`; `nil` where one is missing.
  private let table: [[Int]?]

  /// The channels of a downmix.
  init(_ layout: ChannelLayout) {
    count = layout.count
    lfe = layout.speakers.firstIndex(of: .lowFrequency)
    let front: [Speaker] = [.frontLeft, .frontRight, .frontCenter]
    let back: [Speaker] = [.backLeft, .backRight]
    let side: [Speaker] = [.sideLeft, .sideRight]
    let top: [Speaker] = [.topFrontLeft, .topFrontRight]
    // A single pair of surround channels may be called either.
    let surround = front + (layout.speakers.contains(.sideLeft) ? side : back)
    let wanted = [surround, front + side + back, surround + top, surround, surround + top]
    table = wanted.map { speakers in
      let indices = speakers.compactMap { layout.speakers.firstIndex(of: $0) }
      return indices.count == speakers.count ? indices : nil
    }
  }

  /// Channels L R C Ls Rs, then those behind or above, for a `joc_dmx_config_idx` of 0…4; `nil` where one
  /// is missing.
  func indices(_ configuration: Int) -> [Int]? { table[configuration] }
}
