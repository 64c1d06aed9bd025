import AudioCore
import LibAV
import Platform
import Signal

/// A set of head-related transfer functions, diffuse-field equalised, independent of layout and
/// rate.
///
/// Measurements are kept as they are; symmetry, equalisation and low-frequency extension are
/// settled here and applied to the directions a renderer asks for.
package struct HRTFSet: Sendable {
  /// `kemar`, or the file's name.
  package let id: String
  /// Where the measurements come from, for reports.
  package let citation: String
  /// Number of measured places, mirrored ones included.
  package var directionCount: Int { grid.points.count }
  /// Taps of each measured response.
  package var tapCount: Int { measurements.taps }
  /// Samples per second of the measured responses.
  package var sourceRate: Int { measurements.sampleRate }

  let measurements: HRTFMeasurements
  let grid: DirectionGrid
  let equalisers: [Equaliser]
  let mirrorLoss: MirrorLoss
  /// Standard deviation of the bass over directions, in dB.
  let bassSpread: Double
  let transformLength: Int
  let isHemisphere: Bool
  let options: HRTFOptions
  /// Factor of interaural delays.
  package private(set) var delayScale = 1.0

  /// A set of these measurements; `hemisphere` says that they are half of a symmetric set.
  /// - Throws: ``MediaError`` of kind `internal` when the transforms can't be made, of kind `unsupportedFeature` when it
  ///   can't be fitted to the head.
  init(
    id: String, citation: String, measurements: HRTFMeasurements, hemisphere: Bool = false,
    options: HRTFOptions = HRTFOptions()
  ) throws {
    self.id = id
    self.citation = citation
    self.measurements = measurements
    self.options = options
    isHemisphere = hemisphere
    grid = DirectionGrid(
      directions: measurements.directions, hemisphere: hemisphere,
      isSymmetrised: options.isSymmetrised)
    // Twice the response's length, so that shifts don't wrap around, and at least 42 ms to resolve
    // 50 Hz.
    let wanted = max(2 * measurements.taps, measurements.sampleRate * 42 / 1000)
    let fft = DoubleFFT(length: max(64, wanted))
    transformLength = fft.length
    let fields = try DiffuseField.average(measurements, grid, length: fft.length)
    mirrorLoss = try MirrorLoss(measurements, grid, fields[0], length: fft.length)
    bassSpread = BassSpread.decibels(measurements, grid)
    let (loss, spread) = (mirrorLoss, bassSpread)
    func equaliser(_ field: DiffuseField) -> Equaliser {
      Equaliser(field, loss, bassSpread: spread, fft, isProcessed: options.isProcessed)
    }
    let first = equaliser(fields[0])
    equalisers = [
      first, grid.isSymmetric ? first : equaliser(fields[1]),
    ]
    switch options.head {
    case .measured: break
    case .scaled(let scale): delayScale = scale
    case .circumference(let length):
      // The head that was measured is found before anything is scaled.
      delayScale = try HeadSize(of: self).scale(to: HeadSize(circumference: length), of: id)
    }
  }

  /// The built-in set, MIT KEMAR with the normal pinna; needs no file.
  /// - Throws: ``MediaError`` of kind `internal` when the embedded data are damaged.
  package static func builtIn(options: HRTFOptions = HRTFOptions()) throws -> HRTFSet {
    try HRTFSet(
      id: "kemar",
      citation: "W. G. Gardner, K. D. Martin: HRTF Measurements of a KEMAR Dummy-Head Microphone,"
        + " MIT Media Lab, 1994",
      measurements: KEMARMeasurements.decode(), hemisphere: true, options: options)
  }

  /// The set in a SOFA file (AES69, SimpleFreeFieldHRIR).
  /// - Throws: ``MediaError``: `inputMissing` when there is no file, `inputUnreadable` when it is
  ///   no readable SOFA file or its content is implausible, `unsupportedFeature` when it holds
  ///   something else than free-field responses of two ears in left-right order.
  package static func load(
    path: String, options: HRTFOptions = HRTFOptions()
  ) throws -> HRTFSet {
    let file = try SOFAFile(path: path)
    return try HRTFSet(
      id: file.name, citation: file.citation ?? file.name, measurements: file.measurements(),
      options: options)
  }

  /// The set in a SOFA file whose content has the SHA-256 `sha256` (64 hexadecimal digits), its
  /// measurements taken from `cache` when they were read before and kept there otherwise; `reading`
  /// says where the file is parsed. The same to the bit as ``load(path:options:)``.
  /// - Throws: what ``load(path:options:)`` throws.
  package static func load(
    _ source: LocalFile, sha256: String, options: HRTFOptions = HRTFOptions(),
    cache: HRTFCache? = nil, reading: SOFAReading = .inProcess
  ) throws -> HRTFSet {
    let name = SOFAFile.name(of: source.path)
    let content: CachedMeasurements
    if let found = cache?.find(sha256: sha256),
      (try? Plausibility(found.measurements, path: source.path).check()) != nil
    {
      content = found
    } else {
      content = try reading.measurements(path: source.path, sha256: sha256)
      // libmysofa opens the path itself, so this is kept only if the path still names the file that
      // the SHA-256 belongs to.
      if !source.hasChanged, source.isSameFile(as: source.path) {
        cache?.keep(content, sha256: sha256)
      }
    }
    return try HRTFSet(
      id: name, citation: content.citation ?? name, measurements: content.measurements,
      options: options)
  }
}
