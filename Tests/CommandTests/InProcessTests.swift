// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A command inside the tests' process ends as `pinna` does.
@Suite(.tags(.system), .fullRunOnly) struct InProcessTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 0.2).write(to: folder.url("in.wav"))
    try Data("no media".utf8).write(to: folder.url("bad.wav"))
    try Data("schema: pinna.manifest/1\njobs:\n  - {input: in.wav, name: x.wav, loudnes: 3}\n".utf8)
      .write(to: folder.url("m.yaml"))
    try Data("schema: pinna.queue/1\nitems:\n  - {file: gone.wav}\n".utf8)
      .write(to: folder.url("q.yaml"))
  }

  /// Command lines with the exit code of each; `@` is the folder.
  private static let lines: [(Int32, String)] = [
    (0, "--version"), (0, "schema batch"), (0, "presets show podcast"), (0, "probe @in.wav"),
    (0, "explain limited 7"), (2, "explain limitd"),
    (2, "--nonsense"), (2, "nonsense"), (2, "render @in.wav"),
    (2, "render @in.wav -o @a.wav -l loud"), (2, "render @in.wav -o @a.wav -e none --yaw 3"),
    (2, "render @in.wav -o @a.wav --json --report @r.json --report"),
    (3, "render @no.wav -o @a.wav"),
    (3, "render @no.wav @bad.wav -o @ --json"), (3, "render @bad.wav -o @a.wav --progress ndjson"),
    (5, "render ftp://example.org/a.wav -o @a.wav"), (6, "render @in.wav -o @in.wav"),
    (2, "batch @m.yaml -O @out"), (2, "batch @in.wav -O @out -l loud"),
    (2, "merge @m.yaml -O @out"),
    (3, "measure @bad.wav @no.wav -j 1"), (2, "compare @in.wav @in.wav --tolerance loose"),
    (3, "queue show @q.yaml --json"), (2, "queue edit @q.yaml"), (3, "validate @no.wav"),
    (3, "report @no.json --markdown @a.md"), (2, "taps check post:reverb=x"),
    (3, "hrtf inspect @no.sofa"), (2, "audition @in.wav -o @a.html --at 1x"),
    (3, "queue diff @q.yaml @no.yaml"), (2, "queue convert @q.yaml -o @a.txt"),
    (3, "queue pin @q.yaml --from @no.json"), (3, "hrtf list @none"), (2, "hrtf fit"),
    (2, "presets show nobody"), (3, "audition results @in.wav"),
    (8, "render @in.wav -o @a.wav -e none -l -5 --peak-policy fail -q"),
    (3, "golden verify --cases @none"), (2, "emit slurm @m.yaml -O @out"),
  ]

  @Test(
    "a command inside the tests' process has the exit code and the text of the program",
    arguments: lines)
  func endingsAreTheProgrammes(code: Int32, line: String) async throws {
    let words = line.split(separator: " ").map(String.init).map {
      $0.replacing("@", with: folder.path + "/")
    }
    let started = try Product.run(words)
    let inside = try await InProcess.run(words)
    #expect(started.status == code, "\(started.errors)")
    #expect(inside.status == started.status)
    #expect(inside.errors == started.errors)
    // A failed render's report has the time that it took.
    if !words.contains("--json") { #expect(inside.output == started.output) }
    #expect(inside.output.isEmpty == started.output.isEmpty)
  }
}
