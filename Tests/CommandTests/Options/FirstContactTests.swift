// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AudioCore
@testable import PinnaCLI

/// Words that people type first, or by mistake: each gets one sentence that names the word and leads on.
@Suite(.tags(.system)) struct FirstContactTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let words: String
    let says: String
    var testDescription: String { words }

    init(_ words: String, _ says: String) {
      self.words = words
      self.says = says
    }
  }

  private static let rows = [
    // Commands.
    Row(
      "film.mkv",
      "film.mkv: give a command first, e.g. pinna render film.mkv -o out.wav, or pinna probe film.mkv"
    ),
    Row("/tmp", "/tmp: give a command first, e.g. pinna batch /tmp -O rendered"),
    Row("rendr film.mkv -o a.wav", "rendr: pinna has no such command; did you mean render?"),
    Row("convert", "convert: pinna has no such command; use render"),
    Row("fnord", "fnord: pinna has no such command; pinna --help lists them"),
    Row(
      "render a -o b -vn",
      "-vn: pinna has no such option; use --video drop, or -v -n for a dry run in full"),
    Row("render a b.wav", "render needs --output <output>: did you mean -o b.wav?"),
    Row("render a -c copy -o b.mp4", "-c: pinna render has no such option; use -c:a"),
    Row(
      "render a -o b.wav --keep",
      "--keep: pinna render has no such option; did you mean --keep-audio?"),
    Row("hrtf lst --json", "lst: pinna hrtf has no such command; did you mean list?"),
    Row(
      "-o a.wav", "-o: pinna has no such option; a command comes first (pinna --help lists them)"),
    Row("help nosuch", "nosuch: pinna has no such command; pinna --help lists them"),
    Row("help hrtf lits", "lits: pinna hrtf has no such command; did you mean list?"),
    // Options.
    Row("render a --lufs -16 -o b", "--lufs: pinna render has no such option; use --loudness"),
    Row("render -i a -o b", "-i: inputs stand without an option, e.g. pinna render film.mkv"),
    Row("render a -ss 10 -o b", "-ss: pinna render has no such option; use --start"),
    Row("render a -map 0:1 -o b", "-map: pinna render has no such option; use -a"),
    Row("render a -ar 48000 -o b", "-ar: pinna render has no such option; use -r"),
    Row(
      "render a --gain 3 -o b",
      "--gain: pinna render has no such option; use --loudness off --tap post:avfilter=volume=volume=3dB"
    ),
    Row("measure -i a", "-i: inputs stand without an option, e.g. pinna measure film.mkv"),
    Row(
      "render a -o b --endpont none",
      "--endpont: pinna render has no such option; did you mean --endpoint?"),
    Row(
      "render a -o b --loud=-16",
      "--loud: pinna render has no such option; pinna render --help lists them"),
    Row(
      "render a -o b --true", "--true: pinna render has no such option; did you mean --true-peak?"),
    Row(
      "render a -o b --nope",
      "--nope: pinna render has no such option; pinna render --help lists them"),
    Row(
      "audition a -o p.html --nope",
      "--nope: pinna audition has no such option; pinna audition --help lists them"),
    // Values.
    Row(
      "render a",
      "render needs --output <output>: output file; a folder for several inputs; - is standard output"
    ),
    Row(
      "render a -o",
      "-o: give a value: output file; a folder for several inputs; - is standard output"),
    Row("probe", "probe needs <path>: media file, http(s) URL or playlist of HLS"),
    Row(
      "measure",
      "measure needs <paths>: media files, folders of them, http(s) URLs or playlists of HLS"),
    Row("render a -o b.wav -j two", "-j two: not a whole number"),
    Row("render a -o b.wav --dry-run=1", "--dry-run: takes no value; leave out =1"),
    Row("doctor now", "now: one word too many; pinna doctor --help shows its form"),
    Row("compare a b c d", "c: one word too many; pinna compare --help shows its form"),
    Row(
      "--generate-completion-script=csh", "--generate-completion-script=csh: give zsh, bash or fish"
    ),
    // Names of outputs.
    Row("render a -o ", "-o: the name is empty; give one, e.g. film.wav"),
    Row(
      "render a -o film",
      "-o film: has no extension, which says what is written; give one, e.g. film.wav or film.mkv, or add -f"
    ),
    // Numbers.
    Row("render a -o b.wav -l 16", "--loudness 16: give −70 to 0 LUFS, or off; did you mean -16?"),
    Row(
      "render a -o b.wav --true-peak 1dB", "--true-peak 1dB: give −30 to 0 dBTP; did you mean -1dB?"
    ),
    Row("render a -o b.wav -l -16bB", "--loudness -16bB: not a number; give −70 to 0 LUFS, or off"),
    Row("render a -o b.wav -r 48kb", "-r 48kb: not a number; give 8000 to 384000 Hz"),
    Row(
      "render a -o b.wav -b 192k",
      "-b 192k: means the bits of a sample, 16, 24 or 32f; a bit rate goes to -b:a, e.g. -b:a 192k"),
  ]

  @Test("a wrong command line gets one sentence that names the word and leads on", arguments: rows)
  func aSentenceLeadsOn(row: Row) async throws {
    let words = row.words.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let result = try await InProcess.run(words)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors == "pinna: \(row.says)\n")
  }

  @Test("each option of another program leads to an option that render has")
  func foreignOptionsLeadToOwnOnes() throws {
    let render = try #require(try CommandTree.root().command("render"))
    let own = Set(render.options)
    for (foreign, words) in ForeignOptions.table where foreign != "-i" {
      #expect(own.contains(words.split(separator: " ").first.map(String.init) ?? ""), "\(foreign)")
      #expect(!own.contains(foreign), "\(foreign) is an option already")
    }
  }

  @Test("a media file isn't a manifest") func aMediaFileIsNoBatch() async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("film.wav"))
    let result = try await InProcess.run(["batch", folder.file("film.wav"), "-O", folder.file("o")])
    #expect(result.status == 2)
    #expect(
      result.errors.contains(
        "film.wav: is a media file, and a batch takes a folder or a manifest; pinna render renders one file"
      ))
    #expect(folder.contents == ["film.wav"])
  }

  @Test(
    "numbers take their unit",
    arguments: [
      ("-16LUFS", "LUFS", -16.0), ("−16 LKFS", "LUFS", -16), ("-16dB", "LUFS", -16),
      ("-1dBTP", "dBTP", -1), ("-1.5 dBFS", "dBTP", -1.5), ("48k", "Hz", 48_000),
      ("44.1kHz", "Hz", 44_100), ("48000 Hz", "Hz", 48_000), ("192k", "bit/s", 192_000),
      ("192kbps", "bit/s", 192_000), ("57.5cm", "cm", 57.5), ("30°", "degrees", 30), ("3", "", 3),
    ])
  func numbersTakeUnits(text: String, unit: String, number: Double) {
    #expect(NumberUnits.number(text, in: unit) == number)
  }

  @Test(
    "other texts are no numbers",
    arguments: [
      ("", "dB"), ("dB", "dB"), ("nan", "dB"), ("inf", "LUFS"), ("0x10", "Hz"), ("16x", "LUFS"),
      ("48k", "dB"), ("3dB", ""), ("1 6dB", "dB"), ("16LUFSdB", "LUFS"),
    ])
  func othersAreRefused(text: String, unit: String) {
    #expect(NumberUnits.number(text, in: unit) == nil)
  }

  @Test("help of a command with a usual subcommand shows its options")
  func helpOfAuditionShowsOptions() async throws {
    let result = try await InProcess.run(["audition", "--help"])
    #expect(result.status == 0)
    let text = String(decoding: result.output, as: UTF8.self)
    #expect(text.contains("--at") && text.contains("pinna audition results"))
  }
}
