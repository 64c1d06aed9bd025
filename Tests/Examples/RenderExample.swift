import Rendering
import AudioCore
import Loudness

/// Uses Pinna as a library: renders a file for headphones at −18 LUFS and prints what happened.
///
///     swift run -c release RenderExample film.mkv film.wav
@main
enum RenderExample {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      print("usage: RenderExample INPUT OUTPUT.wav")
      return
    }
    var job = RenderJob(
      input: .file(arguments[1]),
      outputs: [.init(endpoint: .headphones, location: .file(arguments[2]))])
    job.loudness = LoudnessTarget(integrated: -18, truePeak: -1, peakPolicy: .limit)
    job.overwrite = true
    do {
      let report = try await RenderPipeline().render(job) { progress in
        if progress.done == progress.total { print("\(progress.pass) done") }
      }
      print("loudness \(report.loudness?.output.integrated ?? 0) LUFS")
      for entry in report.degradations { print("\(entry.kind): \(entry.message)") }
    } catch {
      print("failed: \(error)")
    }
  }
}
