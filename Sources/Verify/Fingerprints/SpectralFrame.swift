import LibAV

/// Spectra of one stretch of both files, channel by channel.
package final class SpectralFrame {
  /// Bins from 0 Hz to half the rate.
  package let bins: Int
  /// Channels.
  package let channels: Int
  /// Hz from one bin to the next.
  package let spacing: Double
  private let storage: AlignedFloats

  init(bins: Int, channels: Int, spacing: Double) {
    self.bins = bins
    self.channels = channels
    self.spacing = spacing
    storage = AlignedFloats(count: bins * channels * 4)
  }

  /// Real parts and imaginary parts of REF's channel, ``bins`` each.
  func reference(_ channel: Int) -> (
    re: UnsafeMutablePointer<Float>, im: UnsafeMutablePointer<Float>
  ) {
    let base = storage.base + channel * 4 * bins
    return (base, base + bins)
  }

  /// The same of TEST.
  func test(_ channel: Int) -> (re: UnsafeMutablePointer<Float>, im: UnsafeMutablePointer<Float>) {
    let base = storage.base + channel * 4 * bins + 2 * bins
    return (base, base + bins)
  }
}
