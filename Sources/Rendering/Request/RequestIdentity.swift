import Report

/// The part of a request that decides what its outputs are like, as text. Equal requests give the
/// same text in every process: canonical JSON with the request's version in front.
package struct RequestIdentity: Sendable, Equatable {
  /// The text; the input and the content of ``companions`` aren't in it.
  package let text: String
  /// Files read besides the input: HRTF sets, subtitles.
  package let companions: [String]

  /// The identity of `request`.
  /// - Throws: `EncodingError`.
  package init(_ request: RenderRequest) throws {
    var settled = request
    var companions: [String] = []
    for index in settled.clips.indices {
      settled.clips[index].input = .standardStream
      settled.clips[index].decoding.bounds = .init()
    }
    for index in settled.outputs.indices {
      RequestIdentity.settle(&settled.outputs[index], &companions)
    }
    // Of the policy, only these decide what is written or whether a run succeeds.
    let isPortable = request.policy.isPortable
    settled.policy = Policy()
    settled.policy.isPortable = isPortable
    settled.policy.isStrict = request.policy.isStrict
    settled.policy.strictClasses = request.policy.strictClasses
    text = "request/\(RenderRequest.version) " + (try ReportJSON.line(settled))
    self.companions = companions
  }

  /// Replaces names of files that are read by a mark, since their content decides.
  private static func settle(_ output: inout OutputRequest, _ companions: inout [String]) {
    if case .file(let path) = output.carriage.subtitles {
      companions.append(path)
      output.carriage.subtitles = .file("")
    }
    guard case .render(var rendition, let container) = output.work else { return }
    if let path = rendition.endpoint.hrtf?.choice.path {
      companions.append(path)
      rendition.endpoint = rendition.endpoint.withHRTF(.file(""))
    }
    for index in rendition.taps.indices {
      guard let path = rendition.taps[index].work.path else { continue }
      companions.append(path)
      rendition.taps[index].work = rendition.taps[index].work.renamed("")
    }
    output.work = .render(rendition, container)
  }
}

extension Endpoint {
  /// The same endpoint with another HRTF set; one without a set stays as it is.
  fileprivate func withHRTF(_ choice: HRTFRequest.Choice) -> Endpoint {
    switch self {
    case .headphones(var listener):
      listener.hrtf?.choice = choice
      return .headphones(listener)
    case .speakers(var pair):
      pair.hrtf?.choice = choice
      return .speakers(pair)
    case .channels: return self
    }
  }
}
