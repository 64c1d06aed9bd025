import AudioCore
import CFFmpeg

/// Converts rate and layout of planar Float32 audio with libswresample.
///
/// The resampling filter's delay is removed by libswresample: output sample 0 lies at input
/// sample 0. `n` input samples give `ceil(n × out / in)` output samples after ``finish(into:)``,
/// short of or beyond it by at most one, which the caller trims.
public final class Resampler: AudioStage {
  private var context: OpaquePointer?
  private let target: AudioFormat
  private var source: AudioFormat
  private var consumed: Int64 = 0
  private var produced: Int64 = 0

  /// A converter to `target`.
  public init(to target: AudioFormat) {
    self.target = target
    source = target
  }

  deinit { swr_free(&context) }

  /// libswresample compensates its own delay.
  public var latency: Int { 0 }

  /// Opens the converter for input of `format`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` when libswresample refuses.
  public func prepare(_ format: AudioFormat) throws -> AudioFormat {
    source = format
    var inLayout = pinna_layout_from_mask(format.layout.mask)
    var outLayout = pinna_layout_from_mask(target.layout.mask)
    let made = swr_alloc_set_opts2(
      &context, &outLayout, AV_SAMPLE_FMT_FLTP, Int32(target.sampleRate), &inLayout,
      AV_SAMPLE_FMT_FLTP, Int32(format.sampleRate), 0, nil)
    if let context {
      let object = UnsafeMutableRawPointer(context)
      av_opt_set_int(object, "filter_size", 64, 0)
      av_opt_set_double(object, "cutoff", 0.97, 0)
      av_opt_set_int(object, "exact_rational", 1, 0)
    }
    guard made >= 0, swr_init(context) >= 0 else {
      throw MediaError(
        .unsupportedFeature,
        "can't convert \(format.layout) at \(format.sampleRate) Hz to \(target.layout) at "
          + "\(target.sampleRate) Hz")
    }
    return target
  }

  /// Converts all of `input`.
  public func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    consumed += Int64(input.frames)
    let room = swr_get_out_samples(context, Int32(input.frames))
    try convert(
      (0..<input.channels).map { input.channel($0).baseAddress }, Int32(input.frames), room, output)
  }

  /// Drains the filter and fixes the length to the exact ratio, rounded up.
  public func finish(into output: AudioBuffer) throws {
    let room = swr_get_out_samples(context, 0) + 64
    try convert(nil, 0, room, output)
    let ratio = Int64(target.sampleRate)
    let wanted = (consumed * ratio + Int64(source.sampleRate) - 1) / Int64(source.sampleRate)
    if produced < wanted {
      output.appendSilence(Int(wanted - produced))
    } else if produced > wanted {
      output.truncate(to: output.frames - Int(min(produced - wanted, Int64(output.frames))))
    }
  }

  private func convert(
    _ planes: [UnsafeMutablePointer<Float>?]?, _ count: Int32, _ room: Int32, _ output: AudioBuffer
  ) throws {
    guard room > 0 else { return }
    let start = output.grow(by: Int(room))
    var targets: [UnsafeMutablePointer<UInt8>?] = (0..<output.channels).map { index in
      output.channel(index).baseAddress.map {
        UnsafeMutableRawPointer($0 + start).assumingMemoryBound(to: UInt8.self)
      }
    }
    var sources: [UnsafePointer<UInt8>?] = (planes ?? []).map { plane in
      plane.map { UnsafeRawPointer($0).assumingMemoryBound(to: UInt8.self) }
    }
    let got = sources.withUnsafeMutableBufferPointer { from in
      targets.withUnsafeMutableBufferPointer { to in
        swr_convert(context, to.baseAddress, room, planes == nil ? nil : from.baseAddress, count)
      }
    }
    guard got >= 0 else { throw LibAVError(code: got) }
    produced += Int64(got)
    output.truncate(to: start + Int(got))
  }
}
