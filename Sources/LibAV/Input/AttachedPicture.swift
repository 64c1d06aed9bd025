/// A cover picture: a whole JPEG or PNG file and its size.
package struct AttachedPicture: Sendable, Equatable {
  /// The file.
  package var bytes: [UInt8]
  /// Width in pixels.
  package var width: Int
  /// Height in pixels.
  package var height: Int

  /// A picture of `width` × `height` pixels.
  package init(bytes: [UInt8], width: Int, height: Int) {
    self.bytes = bytes
    self.width = width
    self.height = height
  }
}
