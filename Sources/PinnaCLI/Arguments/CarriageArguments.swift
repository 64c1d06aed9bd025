import ArgumentParser

/// What is copied into the output besides the sound.
struct CarriageArguments: ParsableArguments {
  @Option(help: "Video: copy (default, H.264, HEVC, AV1 and VP9 into MP4 and HLS) or drop.")
  var video = "copy"
  @Option(help: "Subtitles: copy (default), drop, or a file (.srt, .ass, .vtt) to carry instead.")
  var subtitles = "copy"
  @Flag(help: "Carry no tags over.")
  var noMetadata = false
  @Option(help: "Write the chapters to this file, too: .cue, .json (podcasts) or .txt (labels).")
  var chaptersOut: String?
  @Flag(help: "Carry no chapters over.")
  var noChapters = false
}
