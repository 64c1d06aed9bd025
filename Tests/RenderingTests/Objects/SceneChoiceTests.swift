// SPDX-License-Identifier: Apache-2.0
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
    _ endpoint: Endpoint, lfe: LFEPolicy = .standard, in container: ContainerKind = .wav,
    measuredIn layout: String? = nil, _ log: DiagnosticLog = DiagnosticLog()
  ) throws -> RendererChooser.Choice {
    var rendition = Rendition(endpoint)
    rendition.lfe = lfe
    rendition.loudnessLayout = layout.flatMap { ChannelLayout(name: $0) }
    return try RendererChooser(
      rendition: rendition, container: Container(container, OutputCoding()), log: log,
      programme: surround
    ).choose()
  }

  @Test("each endpoint of a scene gets its renderer") func endpointsGetTheirRenderer() throws {
    let headphones = try choose(.headphones())
    guard case .binaural = headphones.plan else {
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

  @Test("a container for objects keeps objects") func aContainerForObjectsKeepsThem() throws {
    let log = DiagnosticLog()
    let kept = try choose(.channels(), in: .bw64, log)
    #expect(kept.plan == .kept(measuredIn: try #require(ChannelLayout(name: "5.1.4"))))
    #expect(Set(log.decisions.map(\.code)) == [.endpoint, .layout])
    let mixed = try choose(.channels(.stereo), lfe: .dropped, in: .bw64)
    #expect(mixed.plan == .loudspeakers(.stereo))
    let error = #expect(throws: MediaError.self) {
      try choose(.channels(), lfe: .gain(0), in: .bw64)
    }
    #expect(error?.kind == .unsupportedFeature)
  }

  @Test(
    "kept objects are measured in the layout that is asked for, anything else in its own channels")
  func theLayoutForMeasuringIsThatAskedFor() throws {
    let log = DiagnosticLog()
    let kept = try choose(.channels(), in: .bw64, measuredIn: "5.1", log)
    #expect(kept.plan == .kept(measuredIn: try #require(ChannelLayout(name: "5.1"))))
    #expect(log.decisions.contains { $0.code == .layout && $0.chose == "5.1" })
    let other = DiagnosticLog()
    _ = try choose(.headphones(), measuredIn: "5.1", other)
    #expect(other.decisions.contains { $0.code == .loudness && $0.why.contains("5.1") })
  }

  @Test("an LFE dropped from a scene is reported") func aLostLFEIsTold() throws {
    let log = DiagnosticLog()
    _ = try choose(.channels(.stereo), in: .wav, log)
    #expect(log.degradations.map(\.code) == [.lfeDropped])
    let wanted = DiagnosticLog()
    _ = try choose(.channels(.stereo), lfe: .dropped, in: .wav, wanted)
    #expect(wanted.degradations.isEmpty && wanted.decisions.contains { $0.code == .lfe })
    let kept = DiagnosticLog()
    _ = try choose(.channels(ChannelLayout(name: "5.1.4")), in: .wav, kept)
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
