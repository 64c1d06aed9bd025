/// The configuration of a track in MP4: the content of an `iacb` box (IAConfigurationBox).
package struct ConfigurationBox: Equatable, Sendable {
  /// `configurationVersion` that is known.
  static let knownVersion = 1

  /// The bytes of the descriptors.
  package var configOBUs: [UInt8]
  /// Position of the first of them in the content of the box.
  package var offset: Int

  /// The configuration in the content of the box, without size and type. Bytes behind it are ignored.
  /// - Throws: ``IAMFError`` for another version and where the descriptors leave the box.
  package init(_ content: [UInt8]) throws(IAMFError) {
    (configOBUs, offset) = try content.reading { bits throws(IAMFError) in
      let version = try bits.read(8)
      guard version == ConfigurationBox.knownVersion else {
        throw .unsupported("configurationVersion \(version)")
      }
      let size = try bits.leb128()
      let offset = bits.position / 8
      return (try bits.bytes(size), offset)
    }
  }
}
