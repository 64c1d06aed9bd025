import AudioCore
import Platform

/// Where the content of a programme ends in frequency, and how.
package struct BandLimitFindings: Sendable, Codable, Equatable {
  /// How the content ends.
  package enum Edge: String, Sendable, Codable, CaseIterable {
    /// Like a cliff, as encoders and conversions from lower rates leave it.
    case steep
    /// Gently, until it is lost in the noise floor.
    case gentle
    /// Not below the end of the band.
    case none
    /// Nothing can be said.
    case unknown
  }

  /// How sure the finding is.
  package enum Doubt: String, Sendable, Codable, CaseIterable {
    /// The spectrum leaves no doubt.
    case certain
    /// The spectrum looks like it, but other causes are possible.
    case likely
    /// The spectrum doesn't tell.
    case unclear
  }

  /// How the content ends.
  package var edge: Edge
  /// Highest frequency with content, Hz; `nil` when that can't be told.
  package var highestHz: Double?
  /// By how much the level falls at a steep edge, within about a kilohertz, dB; `nil` for the others.
  package var dropDB: Double?
  /// How sure that is.
  package var doubt: Doubt
  /// One sentence for people.
  package var sentence: String
  /// Half the sampling rate, Hz.
  package var bandHz: Double
  /// Frames that the spectrum is the mean of; silent ones are left out.
  package var frames: Int64
}

/// Estimates from the long-term spectrum where content ends, and whether lossy coding or a lower rate cut it off.
///
/// The spectrum is the mean power of all channels in frames of 8192 samples at 48 kHz (170 ms), which overlap by half;
/// frames below −70 dBFS don't count. The window is Hann's to the fourth power, so that tones and bass leak less than
/// 100 Hz to both sides. ``BandLimitEstimator`` reads the spectrum.
package final class BandLimitAnalyser: Analyser {
  /// RMS of a frame without its DC, dBFS, below which it is silent.
  package static let silenceDBFS = -70.0

  private let format: AudioFormat
  private let frames: SpectralFrames
  /// Power of a frame from which it counts.
  private let floor: Double
  private var sums: [Double]
  private var count: Int64 = 0

  /// An analyser of sound in `format`.
  package init(_ format: AudioFormat) {
    self.format = format
    frames = SpectralFrames(
      format, channels: Array(0..<format.channels),
      length: SpectralFrames.length(8192, at: format.sampleRate), steepness: 4)
    sums = Array(repeating: 0, count: frames.lines)
    floor = pow(10, BandLimitAnalyser.silenceDBFS / 10)
  }

  /// Takes the next block.
  /// - Throws: ``MediaError`` of kind `internal` for another number of channels.
  package func add(_ block: AudioBuffer) throws {
    try check(block, format)
    frames.add(block, take)
  }

  /// Answers the estimate.
  package func finish() throws -> BandLimitFindings {
    BandLimitEstimator(spectrum: spectrum, spacing: frames.spacing, frames: count).findings
  }

  /// Mean power by line, as the mean square that white noise of that density has in the whole band.
  package var spectrum: [Double] {
    sums.map { $0 * density / Double(max(1, count)) }
  }

  /// What makes the power of a line the mean square of white noise in the whole band.
  ///
  /// A line at 1 is a sine of mean square ½. White noise of that mean square has N/2 lines, each seen through
  /// N·Σw²/(Σw)² = 1287/490 lines, the equivalent noise bandwidth of the window.
  private var density: Double { 0.5 / (1287 / 490) * Double(frames.lines - 1) }

  private func take(_ power: UnsafePointer<Double>) -> Int {
    // Lines below 20 Hz are DC and what leaks from it.
    let first = Int((20 / frames.spacing).rounded(.up)) + 2
    var total = 0.0
    for line in first..<max(first, frames.lines) { total += power[line] }
    if total * density / Double(frames.lines - 1) >= floor {
      sums.withUnsafeMutableBufferPointer { sums in
        for line in 0..<sums.count { sums[line] += power[line] }
      }
      count += 1
    }
    return frames.length / 2
  }
}
