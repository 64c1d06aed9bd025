/// What a file or segment conforms to (ISO/IEC 14496-12, 4.3 `ftyp` and 8.16.2 `styp`).
package struct FileTypeBox: WritableBox, Equatable {
  /// Position of the box.
  package enum Place: String, Sendable {
    /// At the front of a file.
    case file = "ftyp"
    /// At the front of a media segment.
    case segment = "styp"
  }

  /// Which of both boxes it is.
  package let place: Place
  /// Best use, four characters.
  package let majorBrand: String
  /// Version of the major brand.
  package let minorVersion: Int
  /// Everything conformed to, in order.
  package let compatibleBrands: [String]

  /// A box of the given brands.
  package init(
    _ place: Place, majorBrand: String, minorVersion: Int = 0, compatibleBrands: [String]
  ) {
    self.place = place
    self.majorBrand = majorBrand
    self.minorVersion = minorVersion
    self.compatibleBrands = compatibleBrands
  }

  /// Appends the whole box.
  package func append(to builder: inout BoxBuilder) {
    builder.box(place.rawValue) { box in
      box.fourCC(majorBrand)
      box.u32(minorVersion)
      for brand in compatibleBrands { box.fourCC(brand) }
    }
  }
}
