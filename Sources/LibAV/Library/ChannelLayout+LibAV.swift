import AudioCore
import CFFmpeg

/// Layouts as libav's functions take and give them.
extension ChannelLayout {
  /// libav's own form of the layout; it owns no memory.
  var libAV: AVChannelLayout {
    unnamed > 0 ? pinna_layout_unnamed(Int32(unnamed)) : pinna_layout_from_mask(mask)
  }

  /// The loudspeakers that `layout` names; `nil` where it names none, or others than Pinna knows.
  init?(_ layout: AVChannelLayout) {
    self.init(mask: withUnsafePointer(to: layout) { pinna_layout_mask($0) })
  }
}
