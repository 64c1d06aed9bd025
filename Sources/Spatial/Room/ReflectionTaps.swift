import LibAV

/// When each image of a source is heard, and how loud in each plane of the field.
final class ReflectionTaps {
  private let delays: UnsafeMutableBufferPointer<Int>
  private let floats: AlignedFloats

  /// Taps of `images` images.
  init(images: Int) {
    delays = .allocate(capacity: images)
    delays.initialize(repeating: 0)
    floats = AlignedFloats(count: images * RoomImages.planes)
  }

  deinit { delays.deallocate() }

  /// Sets the whole samples by which an image lags the direct sound.
  func setDelay(_ delay: Int, of image: Int) { delays[image] = delay }

  /// Gains of an image in the planes of the field.
  func gains(of image: Int) -> UnsafeMutablePointer<Float> {
    floats.base + image * RoomImages.planes
  }

  /// Appends images of a signal whose newest samples begin at `now` to `list`.
  func list(_ images: Range<Int>, of now: UnsafePointer<Float>, in list: inout ReflectionList) {
    for image in images { list.append(now - delays[image], UnsafePointer(gains(of: image))) }
  }
}
