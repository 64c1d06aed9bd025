// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// An HRTF set in figures, and what is done to it before it is played (`pinna.hrtf/1`).
public struct HRTFReport: Sendable, Codable, Equatable {
  /// A step between the measurements and what is played.
  public struct Step: Sendable, Codable, Equatable {
    /// Its name.
    public var name: HRTFStep
    /// Whether it does anything to this set.
    public var applied: Bool
    /// Why it does or doesn't.
    public var reason: String

    /// A step.
    public init(name: HRTFStep, applied: Bool, reason: String) {
      self.name = name
      self.applied = applied
      self.reason = reason
    }
  }

  /// A lowest and a highest value.
  public struct Range: Sendable, Codable, Equatable {
    /// The lowest value.
    public var lowest: Double
    /// The highest value.
    public var highest: Double

    /// From `lowest` to `highest`.
    public init(lowest: Double, highest: Double) {
      self.lowest = lowest
      self.highest = highest
    }
  }

  /// How left and right differ as measured.
  public struct Asymmetry: Sendable, Codable, Equatable {
    /// Mean difference of a level from its mirror image's, dB.
    public var levelDB: Double
    /// Mean difference of an interaural delay from its mirror image's, µs.
    public var delayMicroseconds: Double

    /// Both differences.
    public init(levelDB: Double, delayMicroseconds: Double) {
      self.levelDB = levelDB
      self.delayMicroseconds = delayMicroseconds
    }
  }

  /// Power averaged over the sphere and both ears, in thirds of an octave.
  public struct DiffuseField: Sendable, Codable, Equatable {
    /// Middle frequencies, Hz.
    public var frequenciesHz: [Double]
    /// As measured, dB.
    public var measuredDB: [Double]
    /// As played, dB.
    public var processedDB: [Double]

    /// The field at `frequenciesHz`.
    public init(frequenciesHz: [Double], measuredDB: [Double], processedDB: [Double]) {
      self.frequenciesHz = frequenciesHz
      self.measuredDB = measuredDB
      self.processedDB = processedDB
    }

    /// Highest minus lowest of `levels` over 100 Hz…16 kHz, in dB.
    public func range(of levels: [Double]) -> Double {
      let heard = zip(frequenciesHz, levels).filter { (99...16_000).contains($0.0) }.map(\.1)
      return (heard.max() ?? 0) - (heard.min() ?? 0)
    }

    /// The level at 50 Hz against the mean over 200 Hz…10 kHz, in dB.
    public func bass(of levels: [Double]) -> Double {
      let middle = zip(frequenciesHz, levels).filter { (198...10_100).contains($0.0) }.map(\.1)
      guard let bass = levels.first, !middle.isEmpty else { return 0 }
      return bass - middle.reduce(0, +) / Double(middle.count)
    }
  }

  /// Interaural delays; positive where the left ear leads.
  public struct Delays: Sendable, Codable, Equatable {
    /// Lowest as played, µs.
    public var lowest: Double
    /// Highest as played, µs.
    public var highest: Double
    /// Azimuths around the head in degrees to the left, at ear height.
    public var azimuths: [Double]
    /// Delays there as measured, µs.
    public var measured: [Double]
    /// Delays there as played, µs.
    public var played: [Double]
    /// Radius of the sphere with the delays that were measured, cm.
    public var headRadiusCm: Double
    /// Circumference in cm that an average head with these delays has.
    public var headCircumferenceCm: Double
    /// Factor between what was measured and what is played.
    public var scale: Double

    /// Delays.
    public init(
      lowest: Double, highest: Double, azimuths: [Double], measured: [Double], played: [Double],
      headRadiusCm: Double, headCircumferenceCm: Double, scale: Double
    ) {
      self.lowest = lowest
      self.highest = highest
      self.azimuths = azimuths
      self.measured = measured
      self.played = played
      self.headRadiusCm = headRadiusCm
      self.headCircumferenceCm = headCircumferenceCm
      self.scale = scale
    }
  }

  /// The schema's name and version.
  public static let schemaName = "pinna.hrtf/1"

  /// Always `pinna.hrtf/1`.
  public var schema = HRTFReport.schemaName
  /// `kemar`, or the file's name.
  public var id: String
  /// Path as given; `nil` for the built-in set.
  public var path: String?
  /// SHA-256 of the file or of the built-in data.
  public var sha256: String
  /// Source of the measurements.
  public var citation: String
  /// Measured directions.
  public var measurements: Int
  /// Places, mirrored ones included, without duplicates.
  public var directions: Int
  /// Measured elevations, degrees.
  public var elevation: Range
  /// Taps of each response.
  public var taps: Int
  /// Hz.
  public var rate: Int
  /// Unit of separately stored delays.
  public var delayUnit: DelayUnit
  /// Interaural delays as played, µs; positive where the left ear leads.
  public var interauralDelayMicroseconds: Delays
  /// `nil` where too few directions have a measured mirror image.
  public var asymmetry: Asymmetry?
  /// Before and after processing.
  public var diffuseField: DiffuseField
  /// All steps, in their order.
  public var steps: [Step]

  /// A set.
  public init(
    id: String, path: String?, sha256: String, citation: String, measurements: Int,
    directions: Int, elevation: Range, taps: Int, rate: Int, delayUnit: DelayUnit,
    interauralDelayMicroseconds: Delays, asymmetry: Asymmetry?,
    diffuseField: DiffuseField, steps: [Step]
  ) {
    self.id = id
    self.path = path
    self.sha256 = sha256
    self.citation = citation
    self.measurements = measurements
    self.directions = directions
    self.elevation = elevation
    self.taps = taps
    self.rate = rate
    self.delayUnit = delayUnit
    self.interauralDelayMicroseconds = interauralDelayMicroseconds
    self.asymmetry = asymmetry
    self.diffuseField = diffuseField
    self.steps = steps
  }
}

/// HRTF sets that were found (`pinna.hrtf-list/1`).
public struct HRTFListReport: Sendable, Codable, Equatable {
  /// One set, or the reason why a file can't be used as one.
  public struct Entry: Sendable, Codable, Equatable {
    /// `kemar`, or the file's name.
    public var id: String
    /// Path of the file; `nil` for the built-in set.
    public var path: String?
    /// Number of places, mirrored ones included; `nil` for a file that can't be used, as are `taps`
    /// and `rate`.
    public var directions: Int?
    /// Taps of each response.
    public var taps: Int?
    /// Hz.
    public var rate: Int?
    /// Why the file can't be used.
    public var refusal: RenderReport.Failure?

    /// An entry.
    public init(
      id: String, path: String?, directions: Int? = nil, taps: Int? = nil, rate: Int? = nil,
      refusal: RenderReport.Failure? = nil
    ) {
      self.id = id
      self.path = path
      self.directions = directions
      self.taps = taps
      self.rate = rate
      self.refusal = refusal
    }
  }

  /// The schema's name and version.
  public static let schemaName = "pinna.hrtf-list/1"

  /// Always `pinna.hrtf-list/1`.
  public var schema = HRTFListReport.schemaName
  /// The built-in set, then the files in the order of the paths, those of a folder by name.
  public var sets: [Entry]

  /// A list of `sets`.
  public init(sets: [Entry]) { self.sets = sets }

  /// The failure of the first file, when there are files and none of them can be used.
  public var failure: MediaError? {
    let files = sets.filter { $0.path != nil }
    guard files.allSatisfy({ $0.refusal != nil }), let first = files.first?.refusal else {
      return nil
    }
    return MediaError(MediaError.Kind(rawValue: first.kind) ?? .inputUnreadable, first.message)
  }
}

/// How an HRTF set is fitted to a head (`pinna.hrtf-fit/1`).
public struct HRTFFitReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  public static let schemaName = "pinna.hrtf-fit/1"

  /// Always `pinna.hrtf-fit/1`.
  public var schema = HRTFFitReport.schemaName
  /// `kemar`, or the file's name.
  public var id: String
  /// SHA-256 of the file or of the built-in data.
  public var sha256: String
  /// Radius of the sphere with the set's own delays, cm.
  public var setRadiusCm: Double
  /// Radius of the sphere with the delays of the head, cm.
  public var headRadiusCm: Double
  /// Factor of the set's delays: what `--itd-scale` takes.
  public var scale: Double

  /// A fit.
  public init(
    id: String, sha256: String, setRadiusCm: Double, headRadiusCm: Double, scale: Double
  ) {
    self.id = id
    self.sha256 = sha256
    self.setRadiusCm = setRadiusCm
    self.headRadiusCm = headRadiusCm
    self.scale = scale
  }
}
