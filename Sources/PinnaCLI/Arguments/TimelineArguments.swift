import ArgumentParser

/// Which part of the input is used, and how its time is read.
struct TimelineArguments: ParsableArguments {
  @Option(parsing: .unconditional, help: "First sample: hh:mm:ss.mmm, 12.5s or 48000S.")
  var start: String?
  @Option(parsing: .unconditional, help: "End of the range.")
  var end: String?
  @Option(parsing: .unconditional, help: "Length of the range.")
  var duration: String?
  @Option(parsing: .unconditional, help: "Start-up samples to trim: auto, none or a count.")
  var priming = "auto"
  @Option(help: "What filters put before the source's first sample: trim or keep.")
  var head = "trim"
  @Option(help: "Filter tail beyond the source's end: trim or keep.")
  var tail = "trim"
  @Option(help: "Sample 0 lies at the first audio sample (audio) or at presentation time 0.")
  var align = "audio"
  @Option(help: "Timestamp jumps: fill (silence, trim overlaps) or ignore.")
  var gaps = "fill"
}
