import AudioCore
import Platform
import Rendering
import Report
import Spatial

/// Reports what HRTF sets hold, what is done to them and how they differ.
public struct HRTFInspector: Sendable {
  private let environment: [String: String]
  private let reading: SOFAReading

  /// An inspector for a process with this environment; `reading` parses SOFA files.
  public init(environment: [String: String] = [:], reading: SOFAReading = .inProcess) {
    self.environment = environment
    self.reading = reading
  }

  /// The built-in set and the SOFA files at `paths`, files or folders; without paths those in
  /// `$XDG_DATA_HOME/pinna/hrtf` and `~/.local/share/pinna/hrtf`.
  ///
  /// A file that can't be used is an entry with a `refusal`, not an error.
  /// - Throws: ``MediaError`` of kind `inputMissing` or `inputUnreadable` for a path that doesn't
  ///   exist or a folder that can't be listed.
  public func list(_ paths: [String] = []) throws -> HRTFListReport {
    let places = paths.isEmpty ? HRTFFolders.users(environment) : paths
    var files: [String] = []
    for file in try places.flatMap(HRTFFolders.files) where !files.contains(file) {
      files.append(file)
    }
    return HRTFListReport(sets: [entry(.builtIn)] + files.map { entry(.file($0)) })
  }

  /// Facts about the set of `choice`, and its processing with `options`. Takes a second or two for
  /// 1,500 directions.
  /// - Throws: ``MediaError`` as rendering with it would.
  public func inspect(
    _ choice: HRTFRequest.Choice, options: HRTFOptions = HRTFOptions()
  ) throws -> HRTFReport {
    let loaded = try HRTFLoader(reading: reading).load(HRTFRequest(choice, options: options))
    let summary = try loaded.set.summary()
    let field = summary.diffuseField
    return HRTFReport(
      id: summary.id, path: choice.path, sha256: loaded.sha256, citation: summary.citation,
      measurements: summary.measurements, directions: summary.directions,
      elevation: .init(lowest: summary.lowestElevation, highest: summary.highestElevation),
      taps: summary.taps, rate: summary.sampleRate, delayUnit: summary.delayUnit,
      interauralDelayMicroseconds: .init(
        lowest: summary.lowestDelayMicroseconds, highest: summary.highestDelayMicroseconds,
        azimuths: summary.delays.azimuths, measured: summary.delays.measuredMicroseconds,
        played: summary.delays.playedMicroseconds, headRadiusCm: summary.delays.headRadius,
        headCircumferenceCm: HeadSize(radius: summary.delays.headRadius / 100).circumference,
        scale: summary.delays.scale),
      asymmetry: summary.asymmetry.map {
        .init(levelDB: $0.levelDB, delayMicroseconds: $0.delayMicroseconds)
      },
      diffuseField: .init(
        frequenciesHz: field.frequenciesHz, measuredDB: field.measuredDB,
        processedDB: field.processedDB),
      steps: summary.steps.map { .init(name: $0.name, applied: $0.isApplied, reason: $0.reason) })
  }

  /// How the set of `choice` is fitted to `head`.
  /// - Throws: ``MediaError`` as rendering with it would, and `usage` for a head that nobody has.
  public func fit(_ choice: HRTFRequest.Choice, to head: HeadMeasures) throws -> HRTFFitReport {
    try head.check()
    let loaded = try HRTFLoader(reading: reading).load(HRTFRequest(choice))
    let (own, wanted) = (HeadSize(of: try loaded.set), head.size)
    return HRTFFitReport(
      id: loaded.id, sha256: loaded.sha256, setRadiusCm: 100 * own.radius,
      headRadiusCm: 100 * wanted.radius, scale: try own.scale(to: wanted, of: loaded.id))
  }

  /// How the set of `second` differs from that of `first`, both as a renderer plays them.
  /// - Throws: ``MediaError`` as rendering with them would, and `unsupportedFeature` for sets that
  ///   share no direction.
  public func compare(
    _ first: HRTFRequest.Choice, _ second: HRTFRequest.Choice
  ) throws -> HRTFComparisonReport {
    let loader = HRTFLoader(reading: reading)
    let (one, other) = (
      try loader.load(HRTFRequest(first)), try loader.load(HRTFRequest(second))
    )
    let difference = try one.set.difference(to: other.set)
    func place(_ place: HRTFDifference.Place) -> HRTFComparisonReport.Place {
      .init(
        azimuth: place.azimuth, elevation: place.elevation,
        delayMicroseconds: place.delayMicroseconds, interauralLevelDB: place.interauralLevelDB,
        spectrumDB: place.spectrumDB)
    }
    func spread(_ spread: HRTFDifference.Spread) -> HRTFComparisonReport.Spread {
      .init(typical: spread.typical, percentile95: spread.high)
    }
    return HRTFComparisonReport(
      first: .init(id: one.id, sha256: one.sha256),
      second: .init(id: other.id, sha256: other.sha256), places: difference.places,
      lowestElevation: difference.lowestElevation,
      highestFrequencyHz: difference.highestFrequency,
      delayMicroseconds: spread(difference.delayMicroseconds),
      interauralLevelDB: spread(difference.interauralLevelDB),
      spectrumDB: spread(difference.spectrumDB), levelDB: difference.levelDB,
      largestSpectrum: place(difference.largestSpectrum),
      largestDelay: place(difference.largestDelay))
  }

  private func entry(_ choice: HRTFRequest.Choice) -> HRTFListReport.Entry {
    let name = choice.path.flatMap { PathParts.of($0).last }
    do {
      let loaded = try HRTFLoader(reading: reading).load(HRTFRequest(choice))
      if case .channels(let set) = loaded.content {
        return HRTFListReport.Entry(
          id: set.id, path: choice.path, directions: set.speakers, taps: set.taps,
          rate: set.sampleRate)
      }
      let set = try loaded.set
      return HRTFListReport.Entry(
        id: set.id, path: choice.path, directions: set.directionCount, taps: set.tapCount,
        rate: set.sourceRate)
    } catch {
      let failure = MediaError(any: error, input: name ?? "kemar")
      return HRTFListReport.Entry(
        id: name ?? "kemar", path: choice.path,
        refusal: .init(kind: failure.kind.rawValue, message: failure.message))
    }
  }
}
