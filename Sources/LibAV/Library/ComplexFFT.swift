import AudioCore
import CFFmpeg

/// An in-order complex FFT of a power-of-two length on libavutil's `av_tx`.
///
/// Data are interleaved (re, im) Float32 pairs. Neither direction scales: a forward and an inverse
/// transform multiply by ``length``, because av_tx applies a scale other than 1 to some bins only.
package final class ComplexFFT {
  /// Number of complex points.
  package let length: Int
  private var forwardContext: OpaquePointer?
  private var inverseContext: OpaquePointer?
  private var forwardTransform: av_tx_fn?
  private var inverseTransform: av_tx_fn?

  /// An FFT of `length` points, a power of two of at least 16.
  /// - Throws: ``MediaError`` of kind `internal` for other lengths or when av_tx refuses, of kind `outOfResources`
  ///   when memory is out.
  package init(length: Int) throws {
    guard length >= 16, length & (length - 1) == 0 else {
      throw MediaError(.internal, "FFT length \(length) is not a power of two of 16 or more")
    }
    self.length = length
    var scale: Float = 1
    let forward = av_tx_init(
      &forwardContext, &forwardTransform, AV_TX_FLOAT_FFT, 0, Int32(length), &scale, 0)
    let inverse = av_tx_init(
      &inverseContext, &inverseTransform, AV_TX_FLOAT_FFT, 1, Int32(length), &scale, 0)
    guard forward != PINNA_ENOMEM, inverse != PINNA_ENOMEM else {
      throw MediaError(.outOfResources, "memory for a transform is out; try again")
    }
    guard forward >= 0, inverse >= 0 else {
      throw MediaError(.internal, "libavutil can't make an FFT of length \(length)")
    }
  }

  deinit {
    av_tx_uninit(&forwardContext)
    av_tx_uninit(&inverseContext)
  }

  /// Forward transform (e^−jωn) of `2 × length` floats; buffers 64-byte aligned and distinct.
  package func forward(
    _ input: UnsafeMutablePointer<Float>, into output: UnsafeMutablePointer<Float>
  ) {
    forwardTransform?(forwardContext, output, input, MemoryLayout<Float>.stride * 2)
  }

  /// Unscaled inverse transform; destroys its input; buffers 64-byte aligned and distinct.
  package func inverse(
    _ input: UnsafeMutablePointer<Float>, into output: UnsafeMutablePointer<Float>
  ) {
    inverseTransform?(inverseContext, output, input, MemoryLayout<Float>.stride * 2)
  }
}
