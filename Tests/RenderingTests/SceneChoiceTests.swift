import AudioCore
import Testing

@testable import Rendering

/// The renderer of programmes with objects, and what is told of it.
@Suite struct SceneChoiceTests {
  private let surround = Programme(
    sampleRate: 48_000,
    elements: [
      .bed(ChannelLayout(name: "5.1") ?? .stereo), .object(name: "voice", start: ObjectState()),
    ])

  private func choose(
    _ endpoint: Endpoint, lfe: LFEPolicy = .standard, _ log: DiagnosticLog = DiagnosticLog()
  ) throws -> RendererChooser.Choice {
    var rendition = Rendition(endpoint)
    rendition.lfe = lfe
    return try RendererChooser(rendition: rendition, log: log, programme: surround).choose()
  }

  @Test func endpointsGetTheirRenderer() throws {
    let headphones = try choose(.headphones())
    guard case .scene = headphones.plan else {
      Issue.record("\(headphones.plan)")
      return
    }
    #expect(headphones.lfeGainDB == 10 && headphones.plan.virtualization == .binaural)
    let pair = try choose(.speakers(SpeakerPair(span: 30)))
    #expect(pair.plan.speakerSpan == 30 && pair.plan.virtualization == .speakers)
    let stereo = try choose(.headphones(Listener(hrtf: nil)))
    #expect(stereo.plan == .loudspeakers(.stereo))
    let error = #expect(throws: MediaError.self) { try choose(.channels()) }
    #expect(error?.kind == .usage)
  }

  @Test func aLostLFEIsTold() throws {
    let log = DiagnosticLog()
    _ = try choose(.channels(.stereo), log)
    #expect(log.degradations.map(\.code) == [.lfeDropped])
    let wanted = DiagnosticLog()
    _ = try choose(.channels(.stereo), lfe: .dropped, wanted)
    #expect(wanted.degradations.isEmpty && wanted.decisions.contains { $0.code == .lfe })
    let kept = DiagnosticLog()
    _ = try choose(.channels(ChannelLayout(name: "5.1.4")), kept)
    #expect(kept.degradations.isEmpty)
  }

  @Test func aLevelOfTheLFEThatHasNoEffectIsRefused() throws {
    for layout in ["stereo", "5.1.4"] {
      let error = #expect(throws: MediaError.self) {
        try choose(.channels(ChannelLayout(name: layout)), lfe: .gain(0))
      }
      #expect(error?.kind == .usage, "\(layout)")
    }
  }
}
