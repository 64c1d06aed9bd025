import Signal

/// The coefficients of one frame of joint object coding (ETSI TS 103 420): how each object is mixed of the
/// channels of the downmix, by parameter bands. One value is read into again for each frame.
package final class CoefficientFrame {
  /// Most objects.
  package static let mostObjects = 16
  /// Most channels of a downmix.
  package static let mostChannels = 7
  /// Most parameter bands.
  package static let mostBands = 23
  /// Most data points of an object in a frame.
  static let mostPoints = 2

  /// What the header says of an object.
  package struct Header: Equatable, Sendable {
    /// Whether it has coefficients; without them it keeps those of the frame before.
    package var isPresent = false
    /// Number of parameter bands; 0 without coefficients.
    package var bands = 0
    /// Whether each band is taken from one channel only.
    package var isSparse = false
    /// Whether coefficients are quantised in half steps.
    package var isFine = false
    /// Whether coefficients change at once.
    package var isSteep = false
    /// Number of data points, 1 or 2.
    package var points = 0
    /// First slots, counted from 1, in which steep data points hold.
    package var offsets = (0, 0)

    package static func == (first: Header, second: Header) -> Bool {
      first.isPresent == second.isPresent && first.bands == second.bands
        && first.isSparse == second.isSparse && first.isFine == second.isFine
        && first.isSteep == second.isSteep && first.points == second.points
        && first.offsets == second.offsets
    }
  }

  /// Kind of the downmix, `joc_dmx_config_idx`, 0…4.
  package internal(set) var configuration = 0
  /// Number of objects.
  package internal(set) var count = 0
  /// Gain that the encoder took away from the downmix (`joc_clipgain`), 1…8.75.
  package internal(set) var clipGain = 1.0
  /// Number of the frame, `joc_seq_count`; 0 begins anew.
  package internal(set) var sequence = 0
  /// What the header says of each object, ``mostObjects`` of them.
  package internal(set) var headers = Array(
    repeating: Header(), count: CoefficientFrame.mostObjects)
  /// Whether the payload ended where its syntax says.
  package internal(set) var endsExactly = true
  /// Quantised coefficients by object, point, channel and band.
  private let codes = FixedBuffer<UInt8>(
    0, count: mostObjects * mostPoints * mostChannels * mostBands)

  /// A frame without objects.
  package init() {}

  /// Channels of the downmix that objects are mixed of: L R C Ls Rs, then a pair behind or above.
  package var channels: Int { [5, 7, 7, 5, 7][configuration] }
  /// Whether left and right surround were shifted by 90° (`joc_dmx_config_idx` 3 and 4).
  package var isShifted: Bool { configuration >= 3 }

  /// Codes of an object at a data point in the bands of a channel, ``mostBands`` of them.
  package func codes(object: Int, point: Int, channel: Int) -> UnsafeMutablePointer<UInt8> {
    let row =
      (object * CoefficientFrame.mostPoints + point) * CoefficientFrame.mostChannels + channel
    return codes.base + row * CoefficientFrame.mostBands
  }

  /// Amplitude that a code of `object` stands for: steps of 820 / 4096, halved where it is fine.
  func coefficient(_ code: UInt8, of object: Int) -> Float {
    let isFine = headers[object].isFine
    let steps = Int(code) - (isFine ? 96 : 48)
    return Float(Double(steps * 820) / Double(isFine ? 8192 : 4096))
  }
}
