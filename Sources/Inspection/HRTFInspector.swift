// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
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

/// A measurement of somebody's head.
public struct HeadMeasures: Sendable, Hashable {
  /// Height from the chin to the top that counts where none was measured, cm.
  public static let averageHeight = 23.0

  /// A measured length, in cm.
  public enum Measure: Sendable, Hashable {
    /// The circumference above ears and eyebrows.
    case circumference(Double)
    /// The width between the ears, the depth from the forehead to the back, and the height from the chin to the top.
    case sides(width: Double, depth: Double, height: Double)
  }

  /// Length that was measured.
  public var measure: Measure

  /// A head.
  public init(_ measure: Measure) { self.measure = measure }

  /// Refuses measures that no head has.
  /// - Throws: ``MediaError`` of kind `usage`.
  func check() throws {
    func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) throws {
      guard !range.contains(value) else { return }
      throw MediaError(
        .usage,
        "a head isn't \(value) cm \(name); give \(Int(range.lowerBound)) to \(Int(range.upperBound)) cm"
      )
    }
    switch measure {
    case .circumference(let length): try check("around", length, HRTFOptions.Head.circumferences)
    case .sides(let width, let depth, let height):
      try check("wide", width, 10...22)
      try check("deep", depth, 13...28)
      try check("high", height, 15...32)
    }
  }

  /// The sphere with such a head's delays.
  var size: HeadSize {
    switch measure {
    case .circumference(let length): return HeadSize(circumference: length)
    case .sides(let width, let depth, let height):
      return HeadSize(width: width, depth: depth, height: height)
    }
  }
}

/// The folders in which sets are looked for.
package enum HRTFFolders {
  /// The user's folders that exist: `$XDG_DATA_HOME/pinna/hrtf` and `~/.local/share/pinna/hrtf`.
  package static func users(_ environment: [String: String]) -> [String] {
    var folders: [String] = []
    for base in UserFolders.of("XDG_DATA_HOME", usual: ".local/share", environment) {
      let folder = base + "/pinna/hrtf"
      if PathParts.isFolder(folder), !folders.contains(where: { PathName($0) == PathName(folder) })
      {
        folders.append(folder)
      }
    }
    return folders
  }

  /// The set that `text` names: `kemar`, a path, or a file in the user's folders, with or without its extension. A path goes before a name.
  /// - Throws: ``MediaError`` of kind `inputMissing` that lists the names that are known.
  package static func choice(
    _ text: String, _ environment: [String: String]
  ) throws -> HRTFRequest.Choice {
    let own = HRTFRequest.Choice(text)
    guard let path = own.path, !PathParts.hasFolder(path), access(path, F_OK) != 0 else {
      return own
    }
    let folders = users(environment)
    for folder in folders {
      for ending in [""] + endings.flatMap({ [$0, $0.uppercased()] })
      where !path.isEmpty && access(folder + "/" + path + ending, F_OK) == 0 {
        return .file(folder + "/" + path + ending)
      }
    }
    let known = folders.flatMap { (try? files(at: $0)) ?? [] }.map { PathParts.split($0).name }
    let names = ["kemar"] + known.map(name)
    throw MediaError(
      .inputMissing, about: path,
      "no such file, and no set that pinna hrtf list shows is called so; known are "
        + names.joined(separator: ", "))
  }

  /// Extensions of sets, which a name may leave out.
  private static let endings = [".sofa", ".wav"]

  private static func name(_ file: String) -> String {
    endings.first { file.lowercased().hasSuffix($0) }.map { String(file.dropLast($0.count)) }
      ?? file
  }

  /// `path` itself when it is no folder, else the `.sofa` files in it (not in folders inside), and the `.wav` files with as
  /// many channels as those of HeSuVi, by name; hidden ones are left out.
  /// - Throws: ``MediaError`` of kind `inputMissing` or `inputUnreadable`.
  static func files(at path: String) throws -> [String] {
    guard PathParts.isFolder(path) else {
      guard access(path, F_OK) == 0 else {
        throw MediaError(.inputMissing, about: path, "no such file or folder; check the path")
      }
      return [path]
    }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw MediaError(.inputUnreadable, about: path, "can't be listed; check its permissions")
    }
    let folder = PathParts.start(of: path)
    return names.filter { name in
      let lower = name.lowercased()
      guard !name.hasPrefix(".") else { return false }
      return lower.hasSuffix(".sofa")
        || lower.hasSuffix(".wav") && HeSuViFile.looksLikeASet(folder + name)
    }.sortedAsNames().map { folder + $0 }
  }
}
