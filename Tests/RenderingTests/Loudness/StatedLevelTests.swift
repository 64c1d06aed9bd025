// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Spatial
import Testing

@testable import Rendering

/// The statement of a file that is that of a rendering, and whether both must be equal.
@Suite struct StatedLevelTests {
  private static let stated = [
    StatedLoudness(layout: .stereo, integrated: -20),
    StatedLoudness(layout: ChannelLayout(name: "5.1(side)"), integrated: -21),
    StatedLoudness(layout: nil, integrated: -18),
    StatedLoudness(layout: ChannelLayout(name: "7.1.4"), integrated: -22, isOfOwnDownmix: true),
  ]

  private func level(
    _ plan: RendererPlan, _ elements: [Programme.Element],
    before: Virtualization? = nil, isWhole: Bool = true, isDualMono: Bool = false,
    stated: [StatedLoudness] = Self.stated
  ) -> StatedLevel? {
    let facts = ProgrammeFacts(loudness: stated, virtualization: before)
    let programme = Programme(sampleRate: 48_000, elements: elements, facts: facts)
    return StatedLevelFinder(programme: programme, isWhole: isWhole, log: DiagnosticLog())
      .level(plan, isDualMono: isDualMono)
  }

  private func object(_ change: (inout ObjectRules) -> Void) -> Programme.Element {
    var rules = ObjectRules()
    change(&rules)
    let place = ObjectPosition.polar(Direction(azimuth: 30), distance: 1)
    return .object(name: nil, start: ObjectState(position: place, rules: rules))
  }

  @Test func bedsHaveTheStatementOfTheirLayout() throws {
    let surround = try #require(ChannelLayout(name: "5.1(side)"))
    let bed = [Programme.Element.bed(surround)]
    let plain = level(.passThrough(nil), bed)
    #expect(plain == StatedLevel(layout: "5.1(side)", integrated: -21, isComparable: true))
    #expect(level(.passThrough(nil), bed, isWhole: false)?.isComparable == false)
    var mix = RendererPlan.Mix(
      layout: try #require(ChannelLayout(name: "5.1")), method: "standard", source: "",
      options: DownmixOptions())
    // 5.1 has two names.
    #expect(level(.mix(mix), bed)?.integrated == -21)
    mix.layout = .stereo
    #expect(level(.mix(mix), bed)?.isComparable == true)
    mix.options.lfeGainDB = 0
    #expect(level(.mix(mix), bed)?.isComparable == false)
    mix.layout = .mono
    #expect(level(.mix(mix), bed) == nil)
    let large = level(.loudspeakers(try #require(ChannelLayout(name: "7.1.4"))), bed)
    #expect(large?.integrated == -22 && large?.isComparable == false)
  }

  /// Mono that is measured as two channels is 3 LU louder than what a file states of it.
  @Test(arguments: [false, true]) func dualMonoIsNotWhatIsStated(isDualMono: Bool) {
    let stated = [
      StatedLoudness(layout: .mono, integrated: -19),
      StatedLoudness(layout: .stereo, integrated: -16),
    ]
    let mono = level(.passThrough(nil), [.bed(.mono)], isDualMono: isDualMono, stated: stated)
    #expect(mono == StatedLevel(layout: "mono", integrated: -19, isComparable: !isDualMono))
    let stereo = level(.passThrough(nil), [.bed(.stereo)], isDualMono: isDualMono, stated: stated)
    #expect(stereo == StatedLevel(layout: "stereo", integrated: -16, isComparable: true))
  }

  @Test func headphonesCompareOnlyWithoutHRTF() throws {
    let headphones = RendererPlan.binaural(Listener(), lfeGainDB: nil)
    let bed = [Programme.Element.bed(.stereo)]
    let virtual = level(headphones, bed)
    #expect(virtual == StatedLevel(layout: "binaural", integrated: -18, isComparable: false))
    #expect(level(headphones, [.scene(order: 1)])?.isComparable == false)
    let plain = [object { $0.headphones = .off }, object { $0.headphones = .off }]
    #expect(
      level(headphones, plain) == StatedLevel(layout: "stereo", integrated: -20, isComparable: true)
    )
    let ears = [object { $0.role = .ear(.left) }, object { $0.role = .ear(.right) }]
    let own = StatedLevel(layout: "binaural", integrated: -18, isComparable: true)
    #expect(level(headphones, ears) == own)
    #expect(level(.passThrough(.binaural), bed, before: .binaural) == own)
    // A pair of virtual loudspeakers is heard with HRTF, for which nothing is stated.
    #expect(level(.speakers(SpeakerPair(), lfeGainDB: nil), bed) == nil)
  }
}
