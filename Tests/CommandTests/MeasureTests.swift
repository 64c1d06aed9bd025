// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Several files are measured at once; what is printed doesn't depend on it.
@Suite(.tags(.system), .fullRunOnly) struct MeasureTests {
  private let folder: TemporaryFolder
  private let names = ["long.wav", "mid.wav", "short.wav"]

  init() throws {
    folder = try TemporaryFolder()
    for (name, seconds) in zip(names, [20.0, 6, 1]) {
      try TestProgramme.wav(channels: 2, seconds: seconds, level: Float(seconds) / 100)
        .write(to: folder.url(name))
    }
  }

  private var paths: [String] { names.map { folder.file($0) } }

  private func text(_ result: Tool.Result) -> String {
    String(decoding: result.output, as: UTF8.self)
  }

  @Test(
    "measurements stand in the order of the arguments, with any number of jobs",
    arguments: [[], ["--json"], ["--csv"]])
  func theOrderIsThatOfTheArguments(format: [String]) throws {
    let alone = try Product.run(["measure"] + paths + format + ["-j", "1"])
    #expect(alone.status == 0, "\(alone.errors)")
    for jobs in ["2", "3", "99"] {
      let result = try Product.run(["measure"] + paths + format + ["-j", jobs])
      #expect(result.output == alone.output)
      #expect(result.errors.isEmpty)
    }
    let whole = text(alone)
    let places = try names.map { try #require(whole.range(of: $0)).lowerBound }
    #expect(places == places.sorted())
  }

  @Test("a folder stands for its files, and --album adds what they measure together")
  func anAlbumIsMeasured() throws {
    let result = try Product.run(["measure", folder.path, "--album"])
    #expect(result.status == 0, "\(result.errors)")
    let lines = text(result).split(separator: "\n")
    #expect(lines.count == 5 && lines[4].hasSuffix("  album"))
    for (line, name) in zip(lines.dropFirst(), names) { #expect(line.hasSuffix(name)) }
    // One programme of all files; ffmpeg prints tenths, and has four blocks more where two files meet.
    let joined = folder.file("joined.flac")
    try FixtureStore.ffmpeg(
      paths.flatMap { ["-i", $0] } + ["-filter_complex", "concat=n=3:v=0:a=1", joined])
    let peer = try Tool.run(
      "ffmpeg", ["-nostats", "-i", joined, "-af", "ebur128", "-f", "null", "-"])
    let words = peer.errors.components(separatedBy: "Summary:").last ?? ""
    let figures = words.split(separator: "\n").compactMap { line -> Double? in
      let parts = line.split(separator: " ")
      return parts.first == "I:" ? Double(parts[1]) : nil
    }
    let json = try JSONSerialization.jsonObject(
      with: Product.run(["measure", "--album", "--json"] + paths).output)
    let album = try #require((json as? [String: Any])?["album"] as? [String: Any])
    #expect(abs((album["integrated"] as? Double ?? 0) - figures[0]) < 0.1)
    // The joined file has peaks at its joints that no track has.
    let tracks = try #require((json as? [String: Any])?["tracks"] as? [[String: Any]])
    let peaks = tracks.compactMap { ($0["levels"] as? [String: Any])?["truePeak"] as? Double }
    #expect(peaks.count == 3 && album["truePeak"] as? Double == peaks.max())
    let rows = text(try Product.run(["measure", "--album", "--csv"] + paths))
    #expect(rows.contains("\r\nalbum,"))
    let single = try Product.run(["measure", folder.path, "--json", "-q"])
    #expect(text(single).hasPrefix("["), "a folder may hold any number of files")
  }

  @Test("a missing and a broken file don't keep the others from being measured")
  func aFailureDoesntKeepTheOthers() throws {
    try Data("garbage".utf8).write(to: folder.url("bad.wav"))
    let missing = folder.file("missing.wav")
    let inputs = [missing, paths[0], folder.file("bad.wav"), paths[2]]
    let result = try Product.run(["measure"] + inputs + ["--json", "-j", "4"])
    #expect(result.status == 3)
    let reports = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [[String: Any]])
    let measured = reports.map { ($0["input"] as? [String: Any])?["path"] as? String }
    #expect(measured == [paths[0], paths[2]])
    #expect(result.errors.contains("missing.wav") && result.errors.contains("bad.wav"))
  }

  /// The code is that of the first input that fails, whichever ends first.
  @Test(
    "the first input that fails gives the exit code, with one job and with two",
    arguments: ["1", "2"]) func theFirstFailureGivesTheCode(jobs: String) throws
  {
    let (missing, damaged) = (folder.file("missing.wav"), folder.file("damaged.flac"))
    let made = try Product.run(
      ["render", paths[1], "-o", damaged, "-e", "none", "-l", "off", "-q"])
    #expect(made.status == 0, "\(made.errors)")
    var bytes = try Data(contentsOf: folder.url("damaged.flac"))
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 3000, with: Data(repeating: 0x55, count: 3000))
    try bytes.write(to: folder.url("damaged.flac"))
    for (inputs, status) in [([missing, damaged], 3), ([damaged, missing], 4)]
      as [([String], Int32)]
    {
      let result = try Product.run(["measure", paths[2]] + inputs + ["-j", jobs])
      #expect(result.status == status, "\(result.errors)")
    }
  }

  @Test("--csv has one column for each figure and empty cells for silence")
  func csvIsOneColumnPerFigure() throws {
    let strange = folder.file("a,\"b\"\n.wav")
    try TestProgramme.wav(channels: 6, seconds: 1, mask: 0x3F).write(
      to: URL(fileURLWithPath: strange))
    try WAVBytes.float32([[Float](repeating: 0, count: 48_000)], rate: 48_000)
      .write(to: folder.url("silent.wav"))
    let result = try Product.run([
      "measure", strange, paths[0], folder.file("silent.wav"), "--csv",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let rows = text(result).components(separatedBy: "\r\n")
    #expect(
      rows[0] == "path,integrated,momentary_max,short_term_max,range,true_peak,peak_to_loudness,"
        + "sample_peak,true_peak_fl,true_peak_fr,true_peak_fc,true_peak_lfe,true_peak_bl,"
        + "true_peak_br")
    #expect(rows[1].hasPrefix("\"" + strange.replacing("\"", with: "\"\"") + "\","))
    let stereo = rows[2].components(separatedBy: ",")
    #expect(stereo.count == 14)
    let figures = stereo[1...9]
    #expect(figures.allSatisfy { $0.wholeMatch(of: /-?\d+\.\d\d/) != nil }, "\(figures)")
    #expect(stereo[10...] == ["", "", "", ""])
    #expect(rows[3] == folder.file("silent.wav") + String(repeating: ",", count: 13))
    #expect(rows[4...] == [""])
  }

  @Test("the table's head names the channels of the true peaks")
  func theTableNamesTheChannels() throws {
    let result = try Product.run(["measure"] + paths)
    let lines = text(result).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].contains("TP FL     FR  file"), "\(lines[0])")
  }

  @Test("--progress ndjson counts each file up to its last sample")
  func progressIsTheContractsForEveryFile() throws {
    let inputs = paths + [paths[0]]
    let result = try Product.run(["measure"] + inputs + ["--progress", "ndjson", "-q", "-j", "3"])
    #expect(result.status == 0)
    var last: [String: Int] = [:]
    for line in result.errors.split(separator: "\n") {
      let event = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(event["type"] as? String == "progress")
      #expect(event["pass"] as? String == "render")
      let job = try #require(event["job"] as? String)
      let done = try #require(event["done"] as? Int)
      #expect(done >= last[job] ?? 0)
      last[job] = done
    }
    #expect(
      last == [
        paths[0]: 960_000, paths[1]: 288_000, paths[2]: 48_000, paths[0] + " (2)": 960_000,
      ])
  }

  @Test("a terminal shows one bar for all files; -q shows none")
  func aTerminalGetsOneBarForAll() throws {
    let command = ([Product.path, "measure"] + paths).map { "'\($0)'" }.joined(separator: " ")
    let script = "script -qec \"$1 > '$2'\" /dev/null"
    let shown = try Tool.run("bash", ["-c", script, "-", command, folder.file("table")])
    let bar = String(decoding: shown.output, as: UTF8.self)
    #expect(bar.contains("measuring ") && bar.contains("of 3 files") && bar.contains(" %"))
    #expect(bar.hasSuffix("\r\u{1B}[K"))
    let quiet = try Tool.run("bash", ["-c", script, "-", command + " -q", folder.file("table")])
    #expect(quiet.output.isEmpty)
  }

  @Test("a wrong -j, --progress or pair of formats is refused")
  func badValuesAreNamed() async throws {
    for (extra, words) in [
      (["-j", "0"], "-j 0"), (["--progress", "fast"], "auto, none, ndjson"),
      (["--json", "--csv"], "--json and --csv"),
    ] {
      let result = try await InProcess.run(["measure", paths[0]] + extra)
      #expect(result.status == 2)
      #expect(result.errors.contains(words), "\(result.errors)")
    }
  }

  @Test("SIGTERM stops all measurements with exit code 143")
  func aSignalStopsAllOfThem() throws {
    try LongProgramme.make(folder.file("endless.wav"))
    let inputs = Array(repeating: folder.file("endless.wav"), count: 6)
    let run = try RunningProduct(["measure", "-j", "4"] + inputs + ["--progress", "ndjson"])
    try run.progress()
    run.send(SIGTERM)
    let result = run.finish()
    #expect(result.status == 143, "\(result.errors)")
    let last = try #require(ProgressLine.last(in: result.errors))
    #expect(last.done < LongProgramme.samples / 2)
  }
}
