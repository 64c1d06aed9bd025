import Pinna

/// Uses Pinna as a library: renders a file for headphones at −18 LUFS, with a stage of its own, and
/// prints what happened.
///
///     swift run RenderExample film.mkv film.wav
@main
enum RenderExample {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else {
      print("usage: RenderExample INPUT OUTPUT.wav")
      return
    }
    let rendition = Rendition(
      .headphones(), level: LoudnessTarget(integrated: -18, truePeak: -1))
    var request = RenderRequest(
      .file(arguments[1]), outputs: [OutputRequest(.file(arguments[2]), rendition)])
    request.policy.overwrite = true
    var environment = RenderEnvironment()
    environment.stages = [.init("fade in") { FadeIn(length: 48_000) }]
    do {
      let report = try await RenderPipeline(environment).render(request)
      for output in report.outputs {
        print("\(output.path): \(output.loudness?.output.integrated ?? 0) LUFS")
      }
      for entry in report.degradations { print("\(entry.code.rawValue): \(entry.message)") }
      for entry in report.decisions where entry.code == .stage {
        print("stage \(entry.chose): \(entry.why)")
      }
    } catch {
      print("failed: \(error)")
    }
  }
}
