// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform
import TestSupport
import Testing

/// `render --sandbox` writes the same bytes as without it.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: Sandbox.possible.landlock > 0, "this kernel has no Landlock"))
struct SandboxRenderTests {
  @Test(
    "a render with --sandbox has the same bytes as one without",
    arguments: [
      ("o.wav", [String]()), ("o.flac", []), ("o.opus", []), ("o.mp4", ["-e", "none"]),
      ("o.m3u8", ["--segment-files", "-e", "speakers"]), ("o.m3u8", []),
      ("o.wav", ["-e", "none", "--analyze", "spectrogram=PLACE/s.png,levels=PLACE/l.csv"]),
      ("o.wav", ["--also", "none:PLACE/second.flac", "--also", "speakers:PLACE/third.wav"]),
      ("o.wav", ["--max-memory", "1K", "--preset", "podcast"]),
      ("o.wav", ["--tap", "post:avfilter=highpass=f=80"]),
      ("o.wav", ["--tap-exec", "post", "--", "sh", "-c", "cat"]),
    ]) func anOutputHasTheSameBytes(output: String, arguments: [String]) throws
  {
    var job = try SandboxedJob(channels: 6)
    job.arguments = arguments
    #expect(try job.differences(output) == [])
  }

  @Test(
    "a missing folder of an output is made in the sandbox, too, and removed where nothing came of it"
  )
  func missingFoldersAreMade() throws {
    let job = try SandboxedJob()
    #expect(try job.run("plain/new", "o.wav", []).status == 0)
    #expect(try job.run("kept/new", "o.wav", ["--sandbox"]).status == 0)
    #expect(try job.content("kept/new") == job.content("plain/new"))
    let report = job.folder.file("kept/reports/o.json")
    #expect(try job.run("kept", "p.wav", ["--sandbox", "--report", report]).status == 0)
    #expect(FileManager.default.fileExists(atPath: report))
    // Neither a dry run nor a failure leaves a folder, and two missing levels are made by nobody.
    #expect(try job.run("kept/dry", "o.wav", ["--sandbox", "-n"]).status == 0)
    let silent = try job.run(
      "kept/none", "o.wav", ["--sandbox", "--peak-policy", "fail", "-l", "-1"])
    #expect(silent.status == 8)
    #expect(try job.run("kept/two/levels", "o.wav", ["--sandbox"]).status == 6)
    for name in ["dry", "none", "two"] {
      #expect(!FileManager.default.fileExists(atPath: job.folder.file("kept/" + name)), "\(name)")
    }
  }

  @Test("an equaliser, a trajectory and an impulse response outside are read in the sandbox")
  func sideFilesAreRead() throws {
    var job = try SandboxedJob()
    try Data("Preamp: -3 dB\nFilter 1: ON PK Fc 1000 Hz Gain 3 dB Q 1\n".utf8)
      .write(to: job.folder.url("side/hp.txt"))
    try Data("time,yaw,pitch,roll\n0,0,0,0\n1,30,0,0\n".utf8)
      .write(to: job.folder.url("side/head.csv"))
    try Data("L: 40\nR: -40\n".utf8).write(to: job.folder.url("side/places.yaml"))
    try TestProgramme.wav(channels: 1, seconds: 0.01).write(to: job.folder.url("side/fir.wav"))
    job.arguments = [
      "--eq", job.folder.file("side/hp.txt"), "--trajectory", job.folder.file("side/head.csv"),
      "--tap", "post:fir=" + job.folder.file("side/fir.wav"),
    ]
    #expect(try job.differences("o.wav") == [])
  }

  @Test(
    "a SOFA file is read in the sandbox, with and without a cache",
    .enabled(if: SharedMedia.hrtf != nil, "the SADIE test set is not beside the package"))
  func aSetFromAFileIsReadByAChildInTheSandbox() throws {
    var job = try SandboxedJob(channels: 6)
    job.arguments = ["--hrtf", try #require(SharedMedia.hrtf)]
    job.environment = ["PINNA_CACHE": "on", "XDG_CACHE_HOME": job.folder.file("side")]
    #expect(try job.differences("o.wav") == [])
    // The cache that the run without the sandbox filled would hide a child that can't read.
    try FileManager.default.removeItem(atPath: job.folder.file("side/pinna"))
    #expect(try job.run("kept", "again.wav", ["--sandbox"]).status == 0)
    #expect(try job.content("kept")["again.wav"] == job.content("plain")["o.wav"])
    #expect(try job.content("side").count == 1)
  }

  @Test(
    "an LV2 plugin gives the same bytes in the sandbox",
    .enabled(if: PluginBundle.canRun, "pinna-lv2, cc or the LV2 headers aren't here"))
  func aPluginRunsInTheSandbox() throws {
    var job = try SandboxedJob()
    job.environment = ["LV2_PATH": try PluginBundle.shared.get().path]
    job.arguments = ["--tap", "post:lv2=\(PluginBundle.prefix)gain"]
    #expect(try job.differences("o.wav") == [])
  }

  @Test("pictures and subtitles are copied in the sandbox")
  func picturesAndSubtitlesAreCarried() throws {
    var job = try SandboxedJob()
    try Data("1\n00:00:00,100 --> 00:00:00,600\nHello\n".utf8)
      .write(to: job.folder.url("side/s.srt"))
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=d=1:s=64x64:r=10", "-i", job.folder.file("in/in.wav"), "-c:v",
      "mpeg4", "-c:a", "aac", job.folder.file("in/film.mp4"),
    ])
    job.arguments = ["--subtitles", job.folder.file("side/s.srt")]
    #expect(try job.differences("o.mp4", of: job.folder.file("in/film.mp4")) == [])
  }

  @Test("a queue with a cache has the same bytes in the sandbox")
  func aQueueWithACacheIsTheSame() throws {
    var job = try SandboxedJob()
    for name in ["b", "c"] {
      try TestProgramme.wav(channels: 2, seconds: 0.7, level: name == "b" ? 0.2 : 0.05)
        .write(to: job.folder.url("in/\(name).wav"))
    }
    try Data("in.wav\nb.wav\nc.wav\n".utf8).write(to: job.folder.url("in/list.m3u"))
    let list = job.folder.file("in/list.m3u")
    job.arguments = ["--join"]
    #expect(try job.differences("joined.wav", of: job.folder.file("in")) == [])
    job.arguments = ["--crossfade", "0.1", "--cache", job.folder.file("side/cache")]
    #expect(try job.differences("o.wav", of: list) == [])
    // The cache in the sandbox is made, filled and used.
    try FileManager.default.removeItem(atPath: job.folder.file("side/cache"))
    for name in ["cold.wav", "warm.wav"] {
      #expect(try job.run("kept", name, of: list, ["--sandbox"]).status == 0)
      #expect(try job.content("kept")[name] == job.content("plain")["o.wav"])
    }
    #expect(try job.content("side").count >= 3)
  }

  @Test("a playlist whose items go to a folder has the same bytes in the sandbox")
  func aQueueGoesToAFolder() throws {
    let job = try SandboxedJob()
    try Data("in.wav\nin.wav\n".utf8).write(to: job.folder.url("in/list.m3u"))
    #expect(try job.differences("", of: job.folder.file("in/list.m3u")) == [])
    #expect(try job.content("kept").count == 2)
  }

  @Test("an HLS playlist's segments are read in the sandbox")
  func aPlaylistReadsItsSegments() throws {
    let job = try SandboxedJob()
    try Tool.ffmpeg([
      "-i", job.folder.file("in/in.wav"), "-c:a", "aac", "-f", "hls", "-hls_time", "1",
      "-hls_playlist_type", "vod", job.folder.file("in/list.m3u8"),
    ])
    #expect(try job.differences("o.wav", of: job.folder.file("in/list.m3u8")) == [])
  }

  @Test("standard input and output work in the sandbox")
  func standardStreamsStayOpen() throws {
    let job = try SandboxedJob()
    let input = try Data(contentsOf: job.folder.url("in/in.wav"))
    let plain = try job.run("plain", "-", of: "-", stdin: input)
    let kept = try job.run("kept", "-", of: "-", ["--sandbox"], stdin: input)
    #expect(kept.status == 0, "\(kept.errors)")
    #expect(plain.output.count > 1000)
    #expect(kept.output == plain.output)
    // The counters of `make coverage` can't be written from the sandbox, which their runtime prints.
    let lines = [kept, plain].map { run in
      run.errors.split(separator: "\n").count { !$0.hasPrefix("LLVM Profile Error") }
    }
    #expect(lines[0] == lines[1])
  }
}
