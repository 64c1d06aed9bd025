/// A cover picture: a whole JPEG or PNG file and its size.
public struct AttachedPicture: Sendable, Equatable {
  /// The file.
  public var bytes: [UInt8]
  /// Width in pixels.
  public var width: Int
  /// Height in pixels.
  public var height: Int

  /// A picture of `width` × `height` pixels.
  public init(bytes: [UInt8], width: Int, height: Int) {
    self.bytes = bytes
    self.width = width
    self.height = height
  }
}
