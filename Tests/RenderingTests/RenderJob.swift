// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import MediaIn
import MediaOut
import Rendering
import Report
import Spatial
import TestSupport

/// A render request as one flat value whose settings hold for all outputs, for tests that change a few
/// defaults.
struct RenderJob {
  /// One output.
  struct Output {
    var endpoint = Endpoint.Kind.headphones
    var location: MediaLocation
  }

  /// The container of all outputs.
  enum Form: Equatable {
    case wav, bw64, flac
    case mp3(bitRate: Int?)
    case fragmentedMP4(AudioEncoding, bitRate: Int?)
    case progressiveMP4(AudioEncoding, bitRate: Int?)
    case matroska(AudioEncoding, bitRate: Int?)
    case webm
    case hls(AudioEncoding, bitRate: Int?)
    case copy(isHLS: Bool)
    case iamf(AudioEncoding, layers: [Container.IAMF.Layer] = [], in: ContainerKind = .iamf)
  }

  var clip: Clip
  var outputs: [Output]
  var rendition = Rendition()
  var form = Form.wav
  var encoding = SampleEncoding.pcm24
  var carriage = Carriage()
  var policy = Policy()
  var fragmentDuration: TimeSpec?
  var isForMediaSource = false
  var hasSegmentFiles = false
  var hrtf: HRTFRequest? = HRTFRequest()
  var speakerSpan = 20.0
  var layout: ChannelLayout?

  init(input: MediaLocation, outputs: [Output]) {
    clip = Clip(input)
    self.outputs = outputs
  }

  /// The request.
  var request: RenderRequest {
    var request = RenderRequest(clips: [clip], outputs: outputs.map(output))
    request.policy = policy
    return request
  }

  private func output(_ output: Output) -> OutputRequest {
    var made: OutputRequest
    if case .copy(let isHLS) = form {
      let length = fragmentDuration ?? .seconds(isHLS ? 6 : 2)
      made = OutputRequest(
        output.location,
        copyInto: OutputRequest.CopyContainer(
          isHLS ? .hls : .fmp4, fragmentDuration: length, hasSegmentFiles: hasSegmentFiles))
    } else {
      var rendition = rendition
      rendition.endpoint = endpoint(output.endpoint)
      made = OutputRequest(output.location, rendition, container: container)
    }
    made.carriage = carriage
    return made
  }

  private func endpoint(_ kind: Endpoint.Kind) -> Endpoint {
    switch kind {
    case .headphones: return .headphones(Listener(hrtf: hrtf))
    case .speakers: return .speakers(SpeakerPair(hrtf: hrtf, span: speakerSpan))
    case .none: return .channels(layout)
    }
  }

  private var container: Container {
    func container(_ kind: ContainerKind, _ codec: AudioEncoding, _ bitRate: Int?) -> Container {
      var coding = OutputCoding(codec, bitRate: bitRate, encoding: encoding)
      coding.isForMediaSource = isForMediaSource
      coding.fragmentDuration = fragmentDuration ?? .seconds(2)
      coding.hasSegmentFiles = hasSegmentFiles
      if case .iamf(_, let layers, _) = form { coding.iamf = Container.IAMF(layers: layers) }
      return Container(kind, coding)
    }
    switch form {
    case .wav, .copy: return container(.wav, .pcm, nil)
    case .bw64: return container(.bw64, .pcm, nil)
    case .flac: return container(.flac, .flac, nil)
    case .mp3(let rate): return container(.mp3, .mp3, rate)
    case .iamf(let codec, _, let kind): return container(kind, codec, nil)
    case .fragmentedMP4(let codec, let rate): return container(.fmp4, codec, rate)
    case .progressiveMP4(let codec, let rate): return container(.mp4, codec, rate)
    case .matroska(let codec, let rate): return container(.matroska, codec, rate)
    case .webm: return container(.webm, .opus, nil)
    case .hls(let codec, let rate): return container(.hls, codec, rate)
    }
  }
}

extension RenderJob {
  var input: MediaLocation {
    get { clip.input }
    set { clip.input = newValue }
  }
  var decoding: InputOptions {
    get { clip.decoding }
    set { clip.decoding = newValue }
  }
  var start: TimeSpec? {
    get { clip.range.start }
    set { clip.range.start = newValue }
  }
  var loudness: LoudnessTarget? {
    get { rendition.level }
    set { rendition.level = newValue }
  }
  var blockSize: Int? {
    get { policy.blockSize }
    set { policy.blockSize = newValue }
  }
  var sampleRate: Int? {
    get { rendition.sampleRate }
    set { rendition.sampleRate = newValue }
  }
  var alignment: Clip.Alignment {
    get { clip.alignment }
    set { clip.alignment = newValue }
  }
  var lfe: LFEPolicy {
    get { rendition.lfe }
    set { rendition.lfe = newValue }
  }
  var downmix: DownmixGains {
    get { rendition.downmix }
    set { rendition.downmix = newValue }
  }
  var keepsVideo: Bool {
    get { carriage.keepsVideo }
    set { carriage.keepsVideo = newValue }
  }
  var overwrite: Bool {
    get { policy.overwrite }
    set { policy.overwrite = newValue }
  }
  var subtitleFile: String? {
    get { carriage.subtitleFile }
    set { carriage.subtitles = newValue.map { .file($0) } ?? .copied }
  }
  var isVirtualizerOn: Bool {
    get { hrtf != nil }
    set { hrtf = newValue ? HRTFRequest() : nil }
  }
}

extension RenderPipeline {
  /// Renders, and checks the request and the report by their schemas.
  func render(_ job: RenderJob) async throws -> RenderReport {
    try ProducedJSON.check(encoding: job.request, as: "request")
    let report = try await render(job.request)
    try ProducedJSON.check(encoding: report, as: "report")
    return report
  }

  func renderAlbum(_ jobs: [RenderJob]) async throws -> [RenderReport] {
    try await renderAlbum(jobs.map(\.request))
  }
}
