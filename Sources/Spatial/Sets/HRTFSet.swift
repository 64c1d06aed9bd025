// SPDX-License-Identifier: Apache-2.0
import AudioCore
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
  /// Source of the measurements, for reports.
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
  /// Responses and tables that were made of this set.
  let designs = HRIRDesigns()

  /// A set of these measurements; `hemisphere` says that they are half of a symmetric set.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` when it can't be fitted to the head.
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
    let fields = DiffuseField.average(measurements, grid, fft)
    mirrorLoss = MirrorLoss(measurements, grid, fields[0], fft)
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
  /// says where the file is parsed. Every bit is that of ``load(path:options:)``.
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
      // HDF5 opens the path itself, so this is kept only if the path still names the file that
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

extension HRTFSet {
  /// SHA-256 of the embedded resource that ``builtIn()`` decodes, as stored in the binary, in 64 hexadecimal digits.
  package static let builtInSHA256 = Digest.sha256(KEMARTable.lines.withUTF8Buffer { Array($0) })
}

/// Options of a set of head-related responses.
public struct HRTFOptions: Sendable, Hashable, Codable {
  /// The head that the interaural delays belong to. The filters of the ears stay as they were measured.
  public enum Head: Sendable, Hashable, Codable {
    /// That on which the set was measured.
    case measured
    /// One whose delays are so many times as long.
    case scaled(Double)
    /// One of this circumference in cm, measured above ears and eyebrows.
    case circumference(Double)

    /// Scales that can be chosen.
    public static let scales = Setting.delayScale.row.value.range
    /// Circumferences in cm that can be chosen.
    public static let circumferences = Setting.headCircumference.row.value.range
  }

  /// Whether each response is averaged with its mirror image, delay included, so that left and
  /// right are equal. Sets in which fewer than half of the directions have a mirror image stay as
  /// measured. The built-in set is one half mirrored, so this doesn't change it.
  public var isSymmetrised: Bool
  /// Whether the diffuse field is made flat and the bass extended. Without it responses are played as they were measured,
  /// at the level of other sets.
  public var isProcessed: Bool
  /// Head that the delays belong to.
  public var head: Head

  /// Options; symmetric by default, because differences between the sides of a measurement mostly
  /// come from how the head stood.
  public init(isSymmetrised: Bool = true, isProcessed: Bool = true, head: Head = .measured) {
    self.isSymmetrised = isSymmetrised
    self.isProcessed = isProcessed
    self.head = head
  }

  private enum CodingKeys: CodingKey {
    case isSymmetrised, isProcessed, head
  }

  /// Reads options; those that were written before sets could be left unprocessed don't say so.
  /// - Throws: `DecodingError`.
  public init(from decoder: Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    isSymmetrised = try values.decode(Bool.self, forKey: .isSymmetrised)
    isProcessed = try values.decodeIfPresent(Bool.self, forKey: .isProcessed) ?? true
    head = try values.decode(Head.self, forKey: .head)
  }

  /// Writes options; processing is only named where it is left out, so that keys of batches stay as they were.
  /// - Throws: `EncodingError`.
  public func encode(to encoder: Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(isSymmetrised, forKey: .isSymmetrised)
    if !isProcessed { try values.encode(isProcessed, forKey: .isProcessed) }
    try values.encode(head, forKey: .head)
  }

  /// Refuses heads that nobody has.
  /// - Throws: ``MediaError`` of kind `usage`.
  package func check() throws {
    switch head {
    case .measured: return
    case .scaled(let scale): try Setting.delayScale.check(scale, shownAs: "\(scale)")
    case .circumference(let length):
      try Setting.headCircumference.check(length, shownAs: "\(length)")
    }
  }
}

/// The size of a head, as the radius of the sphere whose interaural delays are closest to the head's.
///
/// A sphere of radius a delays the far ear by a / c · (θ + sin θ), where θ is the lateral angle of the source
/// (R. S. Woodworth, Experimental Psychology, 1938).
package struct HeadSize: Sendable, Hashable {
  /// Speed of sound at 20 °C, m/s.
  private static let speedOfSound = 343.2
  /// The circumference of an average adult's head, cm, and the radius that goes with it, m (V. R. Algazi, C. Avendano,
  /// R. O. Duda: Estimation of a Spherical-Head Model from Anthropometry, J. Audio Eng. Soc. 49, 2001).
  private static let average = (circumference: 57.0, radius: 0.0875)

  /// Radius of the sphere, m.
  package let radius: Double

  /// A head of this circumference in cm, measured above ears and eyebrows.
  package init(circumference: Double) {
    radius = HeadSize.average.radius * circumference / HeadSize.average.circumference
  }

  /// A head of these measures in cm, by the regression of Algazi, Avendano and Duda (2001): its width between the ears,
  /// its depth from the forehead to the back, and its height from the chin to the top.
  package init(width: Double, depth: Double, height: Double) {
    radius = (0.51 * width / 2 + 0.019 * height / 2 + 0.18 * depth / 2 + 3.2) / 100
  }

  /// A head like a sphere of this radius in m.
  package init(radius: Double) { self.radius = radius }

  /// The head that `set` is played for, by least squares over its delays in the horizontal plane.
  package init(of set: HRTFSet) {
    let synthesiser = ResponseSynthesiser(set)
    var (sum, weight) = (0.0, 0.0)
    for azimuth in stride(from: 10.0, through: 170, by: 5) {
      for side in [1.0, -1] {
        let pair = synthesiser.pair(for: Direction(azimuth: side * azimuth))
        let delay = side * (pair.right.delay - pair.left.delay) / Double(set.sourceRate)
        let shape = HeadSize.delay(azimuth: azimuth, radius: 1)
        sum += delay * shape
        weight += shape * shape
      }
    }
    radius = sum / weight
  }

  /// The factor of the delays of the set `id`, which was measured on this head, for another `head`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` where the heads are too far apart, or the set has hardly any delays.
  package func scale(to head: HeadSize, of id: String) throws -> Double {
    let scale = head.radius / radius
    guard HRTFOptions.Head.scales.contains(scale) else {
      throw MediaError(
        .unsupportedFeature, about: id,
        "can't be fitted to that head: its delays are those of a sphere of \(HRTFInspection.text(100 * radius)) cm, and the head's "
          + "those of \(HRTFInspection.text(100 * head.radius)) cm; give another set")
    }
    return scale
  }

  /// The interaural delay of a sphere in seconds for a source at `azimuth` degrees, 0 to 180, in the horizontal plane.
  package static func delay(azimuth: Double, radius: Double) -> Double {
    let lateral = min(azimuth, 180 - azimuth) * .pi / 180
    return radius / speedOfSound * (lateral + sin(lateral))
  }

  /// The circumference in cm that an average head of this size has.
  package var circumference: Double {
    radius / HeadSize.average.radius * HeadSize.average.circumference
  }
}
