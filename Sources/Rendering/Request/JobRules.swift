import Platform
import Signal
import AudioCore
import Loudness

/// What a job must satisfy before anything is opened.
enum JobRules {
  /// - Throws: ``MediaError`` of kind `usage` that names the option as the command line spells it.
  static func check(_ job: RenderJob) throws {
    guard !job.outputs.isEmpty else { throw MediaError(.usage, "no output: give one with -o") }
    if let rate = job.sampleRate, !LoudnessMeter.sampleRates.contains(rate) {
      throw MediaError(.usage, "-r \(rate): give a sample rate between 8000 and 384000 Hz")
    }
    try checkNames([job])
    if case .gain(let gain) = job.lfe, !(-40...20).contains(gain) {
      throw MediaError(
        .usage, "--lfe-gain \(Decibels.text(gain)): give −40 to 20 dB, or off")
    }
    guard (10...60).contains(job.speakerSpan) else {
      throw MediaError(
        .usage, "--speaker-span \(Decibels.text(job.speakerSpan)): give 10 to 60 degrees")
    }
    guard job.layout == nil || job.outputs.allSatisfy({ $0.endpoint == .none }) else {
      throw MediaError(
        .usage,
        "--layout: only means something with --endpoint none; headphones and speakers are "
          + "stereo")
    }
    guard job.fragmentDuration.samples(at: 1000) > 0 else {
      throw MediaError(
        .usage, "--fragment-duration and --segment-duration: give more than 0, such as 2s")
    }
    guard job.form.isMovie || job.subtitleFile == nil else {
      throw MediaError(
        .usage,
        "--subtitles: \(job.form.plainName) holds none; add -f fmp4 or -f hls, or leave the file out"
      )
    }
    guard job.encoderOptions.isEmpty || job.form.encoding != nil else {
      throw MediaError(.usage, "--out-opt: is for an encoder, which WAV and copies have none of")
    }
    guard !job.hasSegmentFiles || job.form.isHLS else {
      throw MediaError(.usage, "--segment-files: only means something with -f hls")
    }
    guard !job.isForMediaSource || job.form.encoding == .opus else {
      throw MediaError(.usage, "--opus-target mse: only means something with -c:a opus")
    }
    try checkCopy(job)
    try checkHRTF(job)
    try checkListener(job)
    try job.loudness?.validate()
  }

  /// A copy is what it was: nothing that changes samples goes with it.
  private static func checkCopy(_ job: RenderJob) throws {
    guard job.form.isCopy else { return }
    let changes: [(isAsked: Bool, option: String)] = [
      (job.outputs.count > 1, "--also"),
      (job.outputs.contains { $0.endpoint != .none }, "--endpoint other than none"),
      (job.loudness != nil, "--loudness other than off"),
      (job.sampleRate != nil, "-r"), (job.layout != nil, "--layout"),
      (job.alignment != .audio, "--align presentation"), (job.priming != .automatic, "--priming"),
      (job.tail == .keep, "--tail keep"), (job.lfe != .standard, "--lfe-gain"),
      (job.downmix != .standard, "--downmix"),
      (job.decoding.dynamicRange != .off, "--drc"), (!job.isVirtualizerOn, "--virtualizer off"),
      (job.decoding.dialogueGain != 0, "--dialog-enhancement"),
      (job.decoding.layout != nil, "--layout-in"), (job.hrtf != .builtIn, "--hrtf"),
      (job.encoding != .pcm24, "-b"), (job.dither != .none, "--dither"),
      (job.gaps != .fill, "--gaps"), (job.isDualMono, "--dual-mono"),
    ]
    guard let change = changes.first(where: \.isAsked) else { return }
    throw MediaError(
      .usage, "\(change.option): changes the sound, which -c:a copy leaves as it is; drop one")
  }

  private static func checkHRTF(_ job: RenderJob) throws {
    guard !job.hrtfOptions.isSymmetrised else { return }
    guard job.isVirtualizerOn, job.outputs.contains(where: { $0.endpoint != .none }) else {
      throw MediaError(
        .usage,
        "--hrtf-symmetry off: only means something when headphones or speakers are virtualised")
    }
    try HRTFLoader.check(job.hrtf, job.hrtfOptions)
  }

  private static func checkListener(_ job: RenderJob) throws {
    let isHeard = job.pose != .ahead || job.trajectory != nil || job.room != nil
    guard !isHeard || job.outputs.contains(where: { $0.endpoint == .headphones }) else {
      throw MediaError(
        .usage,
        "--yaw, --pitch, --roll, --trajectory and --room: only mean something with "
          + "--endpoint headphones")
    }
    guard job.trajectory == nil || job.pose == .ahead else {
      throw MediaError(.usage, "--trajectory: takes the place of --yaw, --pitch and --roll")
    }
    guard job.trajectory == nil || job.room == nil else {
      throw MediaError(
        .usage,
        "--room and --trajectory: the room's reflections can't follow a moving head yet; "
          + "leave one out")
    }
    guard job.positions == .standard || job.outputs.contains(where: { $0.endpoint != .none })
    else {
      throw MediaError(
        .usage, "--speakers: only means something with --endpoint headphones or speakers")
    }
  }

  /// Jobs that share one gain.
  static func checkAlbum(_ jobs: [RenderJob]) throws {
    guard let first = jobs.first, let target = first.loudness else {
      throw MediaError(.usage, "--album: needs a loudness target; leave --loudness off out")
    }
    guard target.mode == .measured else {
      throw MediaError(
        .usage, "--album: one gain can't follow every file's dialnorm; use --loudness-mode measured"
      )
    }
    guard jobs.allSatisfy({ $0.outputs.count == 1 && $0.loudness == target }) else {
      throw MediaError(.usage, "--album: every file needs one output and the same target")
    }
    try checkNames(jobs)
  }

  /// No file is written twice, playlists and movies of HLS included.
  private static func checkNames(_ jobs: [RenderJob]) throws {
    let places = jobs.flatMap { job in
      job.outputs.flatMap { job.form.possibleFiles(of: $0.location.name) }.map { FilePlace($0) }
    }
    guard Set(places).count == places.count else {
      throw MediaError(.usage, "two outputs are the same file; give each its own name")
    }
  }
}
