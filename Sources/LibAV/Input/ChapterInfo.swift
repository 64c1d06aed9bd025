import AudioCore
import CFFmpeg

/// A chapter of a container, with its times in the container's own ticks.
package struct ChapterInfo: Sendable, Hashable {
  /// When it begins on the container's clock.
  package let start: MediaTime
  /// When it ends; damaged files may state any time.
  package let end: MediaTime
  /// What it is called; `nil` when it has no title.
  package let title: String?

  /// A chapter of these values.
  package init(start: MediaTime, end: MediaTime, title: String?) {
    self.start = start
    self.end = end
    self.title = title
  }

  /// `ticks` of `base` seconds as a time; saturated where 64 bits don't hold it.
  static func time(_ ticks: Int64, _ base: AVRational) -> MediaTime {
    let (product, isFar) = ticks.multipliedReportingOverflow(by: Int64(base.num))
    return MediaTime(ticks: isFar ? (ticks < 0 ? .min : .max) : product, rate: Int64(base.den))
  }
}
