// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report
import TestSupport

/// Reports as renders and comparisons write them, made without rendering.
enum SampleReports {
  /// Strings that can occur as file names or messages.
  static let hostile = [
    "</title><script>alert(1)</script>.wav", "a\" onload=\"alert(1)' <b>&amp;.mkv",
    "]]>--><!--.wav",
    "tab\tline\nbell\u{07}esc\u{1B}[0m\u{202E}vaw.exe\u{2066}", "\u{FFFE}\u{FFFF}\u{0}.wav",
    "javascript:alert(1)", "映画 🎬 ‏עברית.mkv", "| `x` | [a](http://b.example) @all **c** $d$",
    String(repeating: "wide name ", count: 4000), "", "-", "..", "/",
  ]

  /// A render of `seconds` at 48 kHz with everything that a report can have.
  static func render(seconds: Double, name: String = "film.mkv") -> RenderReport {
    let series = PlotProgramme.series(seconds: seconds)
    let count = series.momentary.count
    let width = RenderReport.Curves.width(for: count)
    var report = RenderReport(
      toolchain: .init(pinna: "1.0", libavcodec: "61.3.100", cpu: ["avx2"]))
    var input = RenderReport.Input(
      path: "in/" + name, container: "matroska", stream: 1, codec: "eac3", profile: "DD+",
      layout: "5.1(side)", rate: 48_000, language: "en", dialnorm: -27, drc: true, objects: .yes)
    let samples = Int64(seconds * 48_000)
    input.timeline = RenderReport.Timeline(
      priming: .init(samples: 256, source: .editList), padding: 512, paddingSource: .editList,
      start: .init(samples: 0, rate: 48_000), samplesIn: samples + 768, samplesOut: samples,
      gaps: [.init(kind: .gap, position: samples / 3, samples: 4800)])
    report.inputs = [input]
    report.outputs = [output(samples)]
    report.outputs[0].render = RenderReport.Render(
      endpoint: .headphones, virtualized: true,
      hrtf: .init(id: "kemar", sha256: String(repeating: "ab", count: 32)), latencyCompensated: 31,
      tail: 0, lfeGainDB: 10, layout: "stereo", rate: 48_000)
    report.outputs[0].loudness = loudness(series)
    func before(_ values: [Double?]) -> RenderReport.Curves.Curve {
      .init(values.map { value in value.map { $0 - 4.2 } }, width: width)
    }
    var curves = RenderReport.Curves(
      intervalSeconds: Double(width) / 10, inputMomentary: before(series.momentary),
      inputShortTerm: before(series.shortTerm))
    curves.gainReductionDB = curves.inputMomentary.highest.indices.map {
      (index: Int) -> Double in
      index % 50 == 0 ? 2.4 : index % 7 == 0 ? 0.4 : 0
    }
    curves.inputTruePeakSeconds = seconds * 0.31
    curves.outputTruePeakSeconds = seconds * 0.94
    let thirds = [1, 1.26, 1.59]
    let bands = (0..<30).map { (band: Int) -> Double in
      25 * Double(1 << (band / 3)) * thirds[band % 3]
    }
    let levels = bands.indices.map { Double(-$0) }
    curves.spectrum = .init(
      frequenciesHz: bands, inputDB: levels.map { $0 - 30 }, outputDB: levels.map { $0 - 26 })
    report.outputs[0].curves = curves
    report.degradations = [Diagnostic(.objectsToBed, "only the bed of \(name) is rendered")]
    report.decisions = [Decision(.track, chose: "1", why: "default disposition")]
    report.performance = .init(
      cpuSeconds: seconds / 200, wallSeconds: seconds / 300, realtimeFactor: 300, peakRSSMiB: 60)
    return report
  }

  /// A report of a render with a tap, and with what `--analyze` finds.
  static func analysed(seconds: Double, name: String = "film.mkv") -> RenderReport {
    var report = render(seconds: seconds, name: name)
    report.outputs[0].taps = [tap(name)]
    report.outputs[0].analysis = analysis(Int(seconds * 10), name)
    return report
  }

  private static func tap(_ name: String) -> RenderReport.Tap {
    RenderReport.Tap(
      point: .item, kind: "lv2", name: "urn:" + name, sha256: String(repeating: "cd", count: 32),
      settings: ["gain=0.5"], resolved: ["gain=0.5", "mix=1"], instances: 1, items: [2, 5],
      latency: .init(declared: 64, measured: 239, used: 239), tail: 0, tempo: 1.25,
      deterministic: false, before: .init(peak: -1, rms: -20), after: .init(peak: nil, rms: nil),
      cpuSeconds: 0.5)
  }

  /// Findings in `count` steps: two channels, of which the second falls silent in the middle.
  private static func analysis(_ count: Int, _ name: String) -> RenderReport.Analysis {
    func curve(_ value: (Int) -> Double?) -> RenderReport.Analysis.Curve {
      .init(intervalSeconds: 0.1, values: .init((0..<count).map(value), width: 1))
    }
    func channel(_ name: String, _ level: @escaping (Int) -> Double?)
      -> RenderReport.Analysis.Channel
    {
      .init(
        name: name, peak: -3, rms: -20, crestDB: 17, dcOffset: 0.0001, clippedRuns: 1,
        longestRun: 4, peaks: curve { index in level(index).map { $0 + 12 } },
        levels: curve(level))
    }
    var analysis = RenderReport.Analysis()
    analysis.levels = [
      channel("FL") { -20 - Double($0 % 9) },
      channel("FR") { $0 > count / 3 && $0 < count / 2 ? nil : -24 },
    ]
    analysis.phase = .init(
      channels: ["FL", "FR"], mean: 0.4, lowest: -0.6, lowestAtSeconds: 3, shareBelowZero: 0.1,
      monoLossDB: 1.2, histogram: [Int64](repeating: 1, count: 20),
      correlation: curve { Double($0 % 20) / 10 - 1 })
    analysis.silence = .init(
      thresholdDBFS: -60, leastSeconds: 2, count: 0, samples: 0, runs: [])
    analysis.spectrogram = "out/" + name + ".png"
    return analysis
  }

  /// A render that failed before anything was known.
  static func failure(name: String = "missing.mkv") -> RenderReport {
    var report = RenderReport(toolchain: .init(pinna: "1.0", libavcodec: "61", cpu: []))
    report.status = .error
    report.exit = 3
    report.error = .init(kind: "input-missing", message: "\(name): doesn't exist")
    return report
  }

  /// A comparison in which the level layer fails.
  static func comparison(name: String = "test.wav") -> ComparisonReport {
    func party(_ path: String) -> ComparisonReport.Party {
      .init(
        path: path, container: "wav", codec: "pcm_s24le", layout: "stereo", rate: 48_000,
        samples: 480_000, pcmSHA256: nil)
    }
    return ComparisonReport(
      reference: party("ref.wav"), test: party(name), tolerance: "transparent", alike: false,
      failed: .null, explainedBy: .levels, verdict: "\(name) is 3 dB quieter",
      layers: [
        .init(
          layer: .structure, status: .passed, rule: "same length", figures: [], fault: nil,
          note: "other container"),
        .init(
          layer: .null, status: .failed, rule: "no more may remain than the limit",
          figures: [
            .init(name: "residual", value: -10.5, unit: "dB", limit: -60),
            .init(name: "lag", value: 0, unit: "samples", limit: 0),
            .init(name: "gain", value: 0.01, unit: "dB", limit: 0.02),
            .init(name: "cutoff", value: 21_000, unit: "Hz", limit: 20_000),
            .init(name: "largestDifference", value: 0.2, unit: "", limit: nil),
            .init(name: "nothing", value: nil, unit: "dB", limit: 1),
          ], fault: "it is quieter", note: nil),
        .init(
          layer: .spectrum, status: .skipped, rule: "", figures: [], fault: nil,
          note: "not needed"),
      ])
  }

  /// Two goldens, one of which failed.
  static func golden(name: String = "hls-aac") -> GoldenReport {
    GoldenReport(
      cases: "Golden/Cases",
      entries: [
        .init(
          id: "atmos", status: .passed, why: "objects", failures: [], notes: ["by hash"],
          seconds: 0.25),
        .init(
          id: name, status: .failed, why: "HLS", failures: ["\(name): length 3, not 4"], notes: [],
          seconds: 1.5),
      ])
  }

  /// A file with one finding.
  static func validation(name: String = "out.mp4") -> ValidationReport {
    ValidationReport(
      path: name, format: "fmp4", fragments: 3, samples: 480_000,
      findings: [.init(code: "decode-time", path: "moof[2]", message: "\(name) jumps by 3")])
  }

  /// One of each.
  static func all(seconds: Double, name: String = "film.mkv") -> [ReportItem] {
    [
      ReportItem(render(seconds: seconds, name: name)), ReportItem(failure(name: name)),
      ReportItem(.comparison(comparison(name: name))), ReportItem(.golden(golden(name: name))),
      ReportItem(.validation(validation(name: name))),
    ]
  }

  private static func loudness(_ series: RenderReport.Series) -> RenderReport.Loudness {
    var after = PlotProgramme.levels(series)
    after.integrated = -16
    return RenderReport.Loudness(
      mode: .measured, target: -16, input: PlotProgramme.levels(series), gainDB: 4.2,
      outcome: .reached,
      limiter: .init(maxReductionDB: 2.4, activeFraction: 0.01, response: .gentle), output: after,
      dialnormGainDB: 11, series: series)
  }

  private static func output(_ samples: Int64) -> RenderReport.Output {
    var output = RenderReport.Output(
      path: "out/film.wav", format: "wav", endpoint: .headphones, samples: samples,
      pcmSHA256: String(repeating: "0f", count: 32), verified: true, gainDB: 4.2, integrated: -16,
      truePeak: -1)
    output.tracks = [
      .init(kind: .video, codec: "h264", count: 100, sha256: nil, language: nil)
    ]
    return output
  }
}
