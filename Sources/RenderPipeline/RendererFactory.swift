import AudioCore
import LibAV
import MediaIn
import Report
import Spatial
import Verify

/// Chooses and builds the renderer of each endpoint and tells why.
final class RendererFactory {
  /// What an output's renderer is.
  struct Choice {
    /// The stage; `nil` passes the channels through.
    var stage: AudioStage?
    /// Whether the output is virtualised, by us or before us.
    var isVirtualized: Bool
    /// The HRTF set used.
    var hrtf: RenderReport.Render.HRTF?
  }

  private let job: RenderJob
  private let log: DiagnosticLog
  private var loaded: (set: HRTFSet, report: RenderReport.Render.HRTF)?

  init(job: RenderJob, log: DiagnosticLog) {
    self.job = job
    self.log = log
  }

  /// The renderer for `endpoint` and input of `format`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for what isn't there yet.
  func make(
    _ endpoint: Endpoint, format: AudioFormat, metadata: [String: String]
  ) throws -> Choice {
    let isVirtualized = alreadyVirtualized(metadata, format)
    switch endpoint {
    case .none:
      log.decide("endpoint", "none", why: "channels are left as they are")
      return Choice(stage: nil, isVirtualized: isVirtualized, hrtf: nil)
    case .speakers:
      throw MediaError(
        .unsupportedFeature,
        "--endpoint speakers: isn't supported yet; use headphones or none")
    case .headphones:
      return try headphones(format, isVirtualized: isVirtualized)
    }
  }

  private func headphones(_ format: AudioFormat, isVirtualized: Bool) throws -> Choice {
    if isVirtualized {
      guard format.layout == .stereo else {
        throw MediaError(
          .usage,
          "--already-virtualized yes: a binaural programme is stereo, but this one is "
            + "\(format.layout)")
      }
      log.decide(
        "virtualizer", "passed through", why: "the input is virtualised already; never twice")
      return Choice(stage: nil, isVirtualized: true, hrtf: nil)
    }
    if !job.isVirtualizerOn {
      guard format.layout == .stereo else {
        throw MediaError(
          .unsupportedFeature,
          "--virtualizer off: downmixing \(format.layout) isn't supported yet; leave it on or "
            + "use --endpoint none")
      }
      log.decide("virtualizer", "off", why: "asked for by --virtualizer off")
      return Choice(stage: nil, isVirtualized: false, hrtf: nil)
    }
    let hrtf = try load()
    let options = BinauralOptions(lfeGainDB: job.lfeGainDB)
    if format.layout.speakers.contains(where: \.isLFE), job.lfeGainDB == nil {
      log.decide("lfe", "dropped", why: "asked for by --lfe-gain off")
    }
    return Choice(
      stage: BinauralRenderer(hrtf: hrtf.set, options: options), isVirtualized: true,
      hrtf: hrtf.report)
  }

  private func alreadyVirtualized(_ metadata: [String: String], _ format: AudioFormat) -> Bool {
    switch job.alreadyVirtualized {
    case .yes: return true
    case .no: return false
    case .auto: return format.layout == .stereo && SourceTags.isVirtualized(metadata)
    }
  }

  private func load() throws -> (set: HRTFSet, report: RenderReport.Render.HRTF) {
    if let loaded { return loaded }
    let set: HRTFSet
    let digest: String
    switch job.hrtf {
    case .builtIn:
      set = try HRTFSet.builtIn()
      digest = PCMDigest.of(HRTFSet.builtInBytes)
    case .file(let path):
      let file = try LocalFile(path: path)
      set = try HRTFSet.load(path: path)
      digest = PCMDigest.of(file.bytes(at: 0, count: Int(file.size)))
    }
    let report = RenderReport.Render.HRTF(id: set.id, sha256: digest)
    loaded = (set, report)
    return (set, report)
  }
}
