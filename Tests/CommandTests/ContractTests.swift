// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The command-line contract: names, codes, JSON.
@Suite(.tags(.system), .fullRunOnly) struct ContractTests {
  private let folder: TemporaryFolder
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("in.wav")
    try TestProgramme.wav(channels: 6, seconds: 3, mask: 0x3F).write(to: folder.url("in.wav"))
  }

  @Test("a wrong option is refused with its name and the allowed values")
  func usageErrorsNameTheKeyAndTheAllowedValues() async throws {
    let cases: [([String], [String])] = [
      (["-e", "ears"], ["--endpoint ears", "headphones, speakers, none"]),
      (["--peak-policy", "squash"], ["--peak-policy", "limit, lower, fail, ignore"]),
      (["-b", "20"], ["-b 20", "16, 24, 32f"]), (["--start", "x"], ["--start x"]),
      (["-l", "loud"], ["--loudness loud"]), (["-a", "lang:"], ["--audio lang:"]),
      (["--layout-in", "5.7"], ["--layout-in 5.7", "22.2"]), (["--bogus"], ["--bogus"]),
      (["--end", "1", "--duration", "1"], ["--end and --duration"]),
      (["-a", "3"], ["no audio track 3"]), (["-r", "5"], ["-r 5"]),
      (["--layout-in", "stereo"], ["--layout-in stereo"]),
      (["--layout-in", "ambix3"], ["--layout-in ambix3: has 16 channels but ", "has 6"]),
      (["--layout-in", "fuma4"], ["--layout-in fuma4", "fuma1 to fuma3", "22.2"]),
      (["-e", "speakers", "--speaker-span", "70"], ["--speaker-span", "10 to 60"]),
      (["--speaker-span", "20"], ["--endpoint speakers"]),
      (["-e", "none", "--layout", "5.7"], ["--layout 5.7", "22.2"]),
      (["--layout", "mono"], ["--endpoint none"]),
      (["--downmix", "loud"], ["--downmix loud", "standard, stream"]),
      (["-c:a", "aac"], ["-f mp4"]), (["-c:a", "opus"], ["-f fmp4"]),
      (["-b:a", "128k"], ["leave it out"]),
      (["-f", "fmp4", "-c:a", "mp3"], ["-c:a mp3", "aac, flac, alac, opus"]),
      (["-f", "fmp4", "-c:a", "flac", "-b", "32f"], ["-b 32f", "16 or 24"]),
      (["-f", "fmp4", "-c:a", "flac", "-b:a", "96k"], ["lossless"]),
      (["--segment-duration", "6s"], ["-f hls"]),
      (["--also", "speakers:\(folder.file("b.avi"))"], ["b.avi", ".mp4"]),
      (["-f", "fmp4", "-c:a", "copy", "-r", "44100"], ["-r", "-c:a copy"]),
      (["-f", "fmp4", "-c:a", "copy", "--lfe-gain", "off"], ["--lfe-gain", "-c:a copy"]),
      (["-f", "fmp4", "-c:a", "copy", "--also", "none:\(folder.file("b.wav"))"], ["--also"]),
      (["--loudness-mode", "metadata", "--threshold", "1"], ["--threshold"]),
      (["-f", "hls", "--fragment-duration", "2s"], ["--segment-duration"]),
      (["-f", "fmp4", "-b:a", "lots"], ["-b:a lots"]),
      (["-f", "fmp4", "--fragment-duration", "0"], ["--fragment-duration"]),
    ]
    for (extra, words) in cases {
      let kind = zip(extra, extra.dropFirst()).first { $0.0 == "-f" }?.1
      let name = ["fmp4": "out.mp4", "hls": "out.m3u8"][kind ?? ""] ?? "out.wav"
      let result = try await InProcess.run(
        ["render", source, "-o", folder.file(name)] + extra)
      #expect(result.status == 2, "\(extra): \(result.errors)")
      for word in words { #expect(result.errors.contains(word), "\(extra): \(result.errors)") }
      #expect(folder.contents == ["in.wav"])
    }
  }

  /// Of several inputs the first that failed gives the exit code, whichever ended last.
  @Test(
    "the first input that fails gives the exit code, with one job and with two",
    arguments: ["1", "2"]) func theFirstFailureGivesTheCode(jobs: String) async throws
  {
    try Data("no media".utf8).write(to: folder.url("broken.wav"))
    let missing = folder.file("missing.wav")
    for (inputs, status) in [
      (["broken.wav", "in.wav"], 3), (["in.wav", "broken.wav"], 3),
      (["broken.wav", "missing.wav", "in.wav"], 3), (["missing.wav", "broken.wav"], 3),
    ] as [([String], Int32)] {
      let out = folder.file("out")
      try? FileManager.default.removeItem(atPath: out)
      try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: false)
      let result = try await InProcess.run(
        ["render"] + inputs.map { folder.file($0) } + ["-o", out + "/", "-e", "none", "-j", jobs])
      #expect(result.status == status, "\(inputs): \(result.errors)")
      #expect(inputs.contains("missing.wav") == result.errors.contains(missing))
    }
  }

  @Test("--out-opt reaches the encoder; an unknown option is refused")
  func encoderOptionsReachTheEncoderOrAreRefused() async throws {
    let cases = [
      (["--out-opt", "a=b"], "out.wav", "WAV"), (["--out-opt", "a=b"], "out.m4a", "aac encoder"),
      (["--out-opt", "a"], "out.m4a", "name=value"),
      (["--out-opt", "ar=44100"], "out.m4a", "sets itself"),
      (["-f", "aiff"], "out.wav", "-f aiff"),
    ]
    for (extra, name, word) in cases {
      let result = try await InProcess.run(["render", source, "-o", folder.file(name)] + extra)
      #expect(result.status == 2, "\(extra): \(result.errors)")
      #expect(result.errors.contains(word), "\(result.errors)")
      #expect(folder.contents == ["in.wav"])
    }
    var sizes: [Int] = []
    for level in ["0", "12"] {
      let path = folder.file("\(level).flac")
      let option = "compression_level=\(level)"
      let result = try Product.run(["render", source, "-o", path, "--out-opt", option])
      #expect(result.status == 0, "\(result.errors)")
      sizes.append(try Data(contentsOf: folder.url("\(level).flac")).count)
    }
    #expect(sizes[0] != sizes[1])
  }

  @Test("the report has all keys of the contract")
  func theReportHasTheKeysThatStay() throws {
    let path = folder.file("report.json")
    let result = try Product.run([
      "render", source, "-o", folder.file("out.wav"), "--report", path, "--json",
    ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try Data(contentsOf: folder.url("report.json")) == result.output)
    let report = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    #expect(report["schema"] as? String == "pinna.report/2")
    #expect(report["status"] as? String == "ok")
    let input = try #require((report["inputs"] as? [[String: Any]])?.first)
    let output = try #require((report["outputs"] as? [[String: Any]])?.first)
    let wanted: [(holder: [String: Any], section: String?, keys: [String])] = [
      (report, "toolchain", ["pinna", "libavcodec", "cpu"]),
      (input, nil, ["path", "container", "stream", "codec", "layout", "rate", "objects"]),
      (input, "timeline", ["priming", "padding", "start", "samplesIn", "samplesOut", "gaps"]),
      (output, "render", ["endpoint", "virtualized", "hrtf", "latencyCompensated", "lfeGainDB"]),
      (output, "loudness", ["mode", "target", "input", "gainDB", "output"]),
      (
        report, "performance",
        ["cpuSeconds", "wallSeconds", "realtimeFactor", "peakRSSMiB", "stages"]
      ),
    ]
    for (holder, section, keys) in wanted {
      let content = section.map { holder[$0] as? [String: Any] ?? [:] } ?? holder
      for key in keys { #expect(content[key] != nil, "\(section ?? "input").\(key)") }
    }
    #expect(output["verified"] as? Bool == true)
    #expect((output["pcmSHA256"] as? String)?.count == 64)
  }

  @Test("a verbose summary says how long each stage was busy, one or two threads")
  func aVerboseSummaryHasTheStages() throws {
    for threads in ["1", "2"] {
      let result = try Product.run([
        "render", source, "-o", folder.file("busy-\(threads).wav"), "-v", "--threads", threads,
      ])
      #expect(result.status == 0, "\(result.errors)")
      let line = try #require(
        result.errors.split(separator: "\n").first { $0.hasPrefix("busy ") })
      for stage in ["open", "read", "render", "solve", "write", "account", "prove"] {
        #expect(line.contains(" \(stage) "), "\(line)")
      }
    }
  }

  @Test("a failed render writes a report with status, exit code and kind")
  func aFailureReportsItself() async throws {
    let result = try await InProcess.run([
      "render", folder.file("missing.wav"), "-o", folder.file("out.wav"), "--json",
    ])
    #expect(result.status == 3)
    let report = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    #expect(report["status"] as? String == "error")
    #expect(report["exit"] as? Int == 3)
    #expect((report["error"] as? [String: Any])?["kind"] as? String == "input-missing")
  }

  @Test("progress of each pass never goes back and ends at the last sample")
  func progressNeverGoesBack() throws {
    let result = try Product.run([
      "render", source, "-o", folder.file("out.wav"), "--progress", "ndjson", "-q",
    ])
    #expect(result.status == 0)
    var last: [String: Int] = [:]
    for line in result.errors.split(separator: "\n") {
      let event = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(event["type"] as? String == "progress")
      let pass = try #require(event["pass"] as? String)
      let done = try #require(event["done"] as? Int)
      #expect(done >= last[pass] ?? 0)
      last[pass] = done
    }
    #expect(last == ["render": 144_000, "finish": 144_000, "verify": 144_000])
  }

  @Test("each schema is JSON, and an unknown name is refused")
  func schemasAreJSONAndKnowTheirNames() async throws {
    for name in ["report", "progress", "probe", "measure", "preset"] {
      let result = try await InProcess.run(["schema", name])
      #expect(result.status == 0)
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: result.output) }
    }
    #expect(try await InProcess.run(["schema", "nonsense"]).status == 2)
  }

  @Test("probe, measure, doctor, help, manual and completion scripts end with 0")
  func probeMeasureDoctorAndHelpAnswer() throws {
    let probe = try Product.run(["probe", source, "--json", "--deep"])
    #expect(probe.status == 0)
    #expect(String(decoding: probe.output, as: UTF8.self).contains("\"samples\" : 144000"))
    let table = try Product.run(["probe", source])
    let lines = String(decoding: table.output, as: UTF8.self).split(whereSeparator: \.isNewline)
    // Numbers stand to the right in three places, so that those of many streams are a column.
    #expect(lines.dropFirst().first?.hasPrefix("  0  audio     -a 0  pcm") == true, "\(lines)")
    let measure = try Product.run(["measure", source, source, "--csv"])
    #expect(
      String(decoding: measure.output, as: UTF8.self).split(whereSeparator: \.isNewline).count == 3)
    #expect(try Product.run(["doctor"]).status == 0)
    #expect(try Product.run(["--help"]).status == 0)
    #expect(try Product.run(["--version"]).status == 0)
    #expect(try Product.run([]).status == 0)
    let manual = try Product.run(["manual"])
    #expect(String(decoding: manual.output, as: UTF8.self).contains(".Ss pinna render"))
    let bash = try Product.run(["--generate-completion-script", "bash"])
    #expect(bash.status == 0 && bash.output.count > 1000)
  }

  @Test("two inputs go to a folder; one output file for both is refused")
  func severalInputsGoToAFolder() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("many"), withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: source, toPath: folder.file("second.wav"))
    let inputs = [source, folder.file("second.wav")]
    let result = try Product.run(["render"] + inputs + ["-o", folder.file("many"), "-j", "2"])
    #expect(result.status == 0, "\(result.errors)")
    let written = try FileManager.default.contentsOfDirectory(atPath: folder.file("many"))
    #expect(written.sorted() == ["in.wav", "second.wav"])
    let refused = try await InProcess.run(["render"] + inputs + ["-o", folder.file("one.wav")])
    #expect(refused.status == 2)
  }
}
