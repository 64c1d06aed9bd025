// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Verify

/// Comparison of a run with its golden: by hash where the same libraries were used, else by levels.
@Suite struct GoldenComparatorTests {
  private let recording = GoldenCase.Recording(
    pinna: "1.0", libraries: ["libavcodec": "61.3.100"], cpu: ["avx2"], commit: nil)

  private var golden: GoldenCase {
    var golden = GoldenCase(
      id: "one", why: "because", clause: nil, input: "in.wav", command: ["render"],
      oracle: GoldenCase.Oracle(name: "ffmpeg"))
    golden.recordedBy = recording
    return golden
  }

  private var outcome: GoldenOutcome {
    var facts = StructureFacts(format: AudioFormat(sampleRate: 48_000, layout: .stereo))
    (facts.container, facts.codec, facts.samples) = ("wav", "pcm_s24le", 96_000)
    var print = AudioFingerprint()
    print.channels = [[-20, -21], [-22, -23]]
    print.octaves = [[-30, -25, -40], [-31, -26, -41]]
    var outcome = GoldenOutcome(exit: 0, error: nil)
    outcome.inputSHA256 = "input"
    outcome.outputs = [
      GoldenOutcome.Output(
        name: "out.wav", facts: facts, pcmSHA256: "samples", integrated: -16, truePeak: -1,
        structure: ["RIFF"], fingerprint: print)
    ]
    return outcome
  }

  private func compare(
    _ golden: GoldenCase? = nil, _ change: (inout GoldenOutcome) -> Void
  ) -> [String] {
    var new = outcome
    change(&new)
    return GoldenComparator(golden: golden ?? self.golden, expected: outcome, current: recording)
      .compare(new).failures
  }

  /// Compares with the golden as recorded with another libavcodec, so that hashes don't count.
  private func compareByLevel(_ change: (inout GoldenOutcome) -> Void) -> [String] {
    var older = golden
    older.recordedBy?.libraries["libavcodec"] = "60"
    return compare(older, change)
  }

  @Test("an outcome equal to its golden passes by hash and by level")
  func theSameOutcomePasses() {
    #expect(compare { _ in }.isEmpty && compareByLevel { _ in }.isEmpty)
  }

  /// Versions of libavcodec may drop start-up samples or count them; the case says what is as right.
  @Test("another timeline than the golden's passes only where the case names it")
  func otherAccountsOfTheStartUpPassWhereTheCaseNamesThem() {
    var named = golden
    named.accounts = ["128 decoder"]
    #expect(compare(named) { $0.timeline = "128 decoder" }.isEmpty)
    #expect(!compare(named) { $0.timeline = "129 decoder" }.isEmpty)
    #expect(!compare { $0.timeline = "128 decoder" }.isEmpty)
  }

  @Test("a golden fails when any fact differs") func everyFactMustBeTheSame() {
    let changes: [(String, (inout GoldenOutcome) -> Void)] = [
      ("exit code: got 9, want 0: damaged", { ($0.exit, $0.error) = (9, "damaged") }),
      ("error: got usage, want none", { $0.error = "usage" }),
      ("status: got silent, want none", { $0.status = "silent" }),
      ("degradations", { $0.degradations = ["timestamp-gap"] }),
      ("timeline", { $0.timeline = "1024 elst" }),
      ("outputs", { $0.outputs[0].name = "b.wav" }),
      ("out.wav codec", { $0.outputs[0].codec = "pcm_s16le" }),
      ("out.wav layout", { $0.outputs[0].layout = "mono" }),
      ("out.wav rate", { $0.outputs[0].rate = 44_100 }),
      ("out.wav samples: got 95999, want 96000", { $0.outputs[0].samples -= 1 }),
      ("out.wav start", { $0.outputs[0].start = 1 }),
      ("out.wav priming", { $0.outputs[0].priming = 1 }),
      (
        "out.wav structure, line 2: got JUNK, want nothing", { $0.outputs[0].structure += ["JUNK"] }
      ),
    ]
    for (words, change) in changes {
      let failures = compareByLevel(change)
      #expect(failures.contains { $0.hasPrefix(words) }, "\(failures)")
    }
  }

  @Test("loudness and true peak of a golden pass 0.09 off and fail 0.11 off")
  func levelsHaveATolerance() {
    #expect(compare { $0.outputs[0].integrated = -15.91 }.isEmpty)
    #expect(compare { $0.outputs[0].integrated = -15.89 }.first?.contains("integrated") == true)
    #expect(compare { $0.outputs[0].truePeak = -1.09 }.isEmpty)
    #expect(compare { $0.outputs[0].truePeak = -1.11 }.first?.contains("true peak") == true)
    #expect(compare { $0.outputs[0].integrated = nil }.first?.contains("got none") == true)
  }

  @Test("the hash decides for a golden that binds samples") func hashesDecideWhereTheyBind() {
    #expect(compare { $0.outputs[0].pcmSHA256 = "x" }.first?.hasPrefix("out.wav samples") == true)
    #expect(compareByLevel { $0.outputs[0].pcmSHA256 = "x" }.isEmpty)
    // Another input has other samples.
    let other = compare {
      $0.inputSHA256 = "another"
      $0.outputs[0].pcmSHA256 = "x"
    }
    #expect(other.isEmpty)
  }

  @Test("the fingerprint decides for a golden without a binding hash")
  func fingerprintsDecideElsewhere() {
    func moved(_ off: Double) -> [String] {
      compareByLevel {
        $0.outputs[0].pcmSHA256 = "x"
        $0.outputs[0].fingerprint.channels[1][0] += off
      }
    }
    #expect(moved(0.9).isEmpty && moved(-0.9).isEmpty)
    #expect(moved(1.1).first?.contains("1.1 dB louder from 0:01 on, in channel 1") == true)
  }

  @Test("the oracle of a golden is compared in each run") func theOracleIsAskedEveryTime() {
    var asked = golden
    asked.oracle.samples = 96_000
    asked.oracle.integrated = -16.05
    asked.oracle.pcmSHA256 = "samples"
    #expect(compare(asked) { _ in }.isEmpty)
    asked.oracle.samples = 1
    asked.oracle.integrated = -16.2
    asked.oracle.pcmSHA256 = "other"
    #expect(compare(asked) { _ in }.count { $0.contains("by the oracle (ffmpeg)") } == 3)
  }

  /// A second that only one of them has is compared with silence; octaves far quieter than others don't
  /// count.
  @Test("the distance of fingerprints counts audible octaves alone")
  func distancesWeighWhatIsHeard() {
    let whole = outcome.outputs[0].fingerprint
    #expect(whole.distance(to: whole).decibels == 0)
    var short = whole
    short.channels.removeLast()
    #expect(whole.distance(to: short).decibels == 90 - 22)
    #expect(whole.distance(to: short).words == "quieter from 0:01 on, in channel 1")
    var masked = whole
    masked.octaves[0] = [-30, -25, -56]
    #expect(whole.distance(to: masked).decibels == 16)
    var faint = whole
    faint.octaves = [[-30, -25, -60], [-31, -26, -41]]
    var fainter = faint
    fainter.octaves[0][2] = -80
    #expect(faint.distance(to: fainter).decibels == 0)
  }
}
