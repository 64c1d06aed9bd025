import AudioCore
import MediaIn

extension PlaybackLayout {
  /// What an input is played on that is decoded once for all of `outputs`.
  init(_ outputs: [OutputRequest]) {
    let renditions = outputs.compactMap { output -> Rendition? in
      guard case .render(let rendition, _) = output.work else { return nil }
      return rendition
    }
    let layouts = Set(renditions.map(\.loudspeakers))
    guard layouts.count <= 1 else {
      self = .several
      return
    }
    guard let layout = layouts.first ?? nil else {
      self = .all
      return
    }
    self = .only(layout, followsFile: renditions.allSatisfy { $0.downmix == .stream })
  }
}

extension OutputRequest {
  /// Whether it must be known to which loudspeakers the programme's channels belong: not where all of them go into WAV at
  /// the level that they have.
  var needsPlaces: Bool {
    guard case .render(let rendition, let container) = work,
      case .channels(nil) = rendition.endpoint, rendition.largestLayout == nil
    else { return true }
    return rendition.level != nil || container.kind != .wav
  }
}

extension Rendition {
  /// The loudspeakers that plain channels are made for; `nil` where HRTF needs all channels, where they are kept, and
  /// where an LFE is mixed in that the file's own mixes lack.
  fileprivate var loudspeakers: ChannelLayout? {
    if case .gain = lfe { return nil }
    if case .channels(let layout) = endpoint { return layout ?? largestLayout }
    return endpoint.hrtf == nil ? .stereo : nil
  }
}
