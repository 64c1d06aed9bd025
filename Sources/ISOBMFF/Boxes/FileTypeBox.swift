/// What a file or segment conforms to (ISO/IEC 14496-12, 4.3 `ftyp` and 8.16.2 `styp`).
public struct FileTypeBox: WritableBox, Equatable {
  /// Where the box stands.
  public enum Place: String, Sendable {
    /// At the front of a file.
    case file = "ftyp"
    /// At the front of a media segment.
    case segment = "styp"
  }

  /// Which of both boxes it is.
  public let place: Place
  /// Best use, four characters.
  public let majorBrand: String
  /// Version of the major brand.
  public let minorVersion: Int
  /// Everything conformed to, in order.
  public let compatibleBrands: [String]

  /// A box of the given brands.
  public init(
    _ place: Place, majorBrand: String, minorVersion: Int = 0, compatibleBrands: [String]
  ) {
    self.place = place
    self.majorBrand = majorBrand
    self.minorVersion = minorVersion
    self.compatibleBrands = compatibleBrands
  }

  /// Appends the whole box.
  public func append(to builder: inout BoxBuilder) {
    builder.box(place.rawValue) { box in
      box.fourCC(majorBrand)
      box.u32(minorVersion)
      for brand in compatibleBrands { box.fourCC(brand) }
    }
  }
}
