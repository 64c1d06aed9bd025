// SPDX-License-Identifier: Apache-2.0
import Pinna

/// Uses Pinna as a library: renders a file for headphones at −18 LUFS, with a tap of its own, and
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
    var rendition = Rendition(
      .headphones(), level: LoudnessTarget(integrated: -18, truePeak: -1))
    rendition.taps = [Tap(.programme, "fade in") { _ in FadeIn(length: 48_000) }]
    var request = RenderRequest(
      .file(arguments[1]), outputs: [OutputRequest(.file(arguments[2]), rendition)])
    request.policy.overwrite = true
    do {
      let report = try await RenderPipeline().render(request)
      for output in report.outputs {
        print("\(output.path): \(output.loudness?.output.integrated ?? 0) LUFS")
      }
      for entry in report.degradations { print("\(entry.code.rawValue): \(entry.message)") }
      for tap in report.outputs.flatMap({ $0.taps ?? [] }) {
        print("tap \(tap.name) at \(tap.point): latency \(tap.latency.used), tail \(tap.tail)")
      }
    } catch {
      print("failed: \(error)")
    }
  }
}
