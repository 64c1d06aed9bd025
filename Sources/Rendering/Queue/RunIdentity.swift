import MediaIn
import Report

/// What the rendered samples of all items of a run depend on besides their files and renderers, as text.
struct RunIdentity {
  /// Versions of Pinna and libavcodec, and the processor's extensions.
  let tools: String
  /// How files are opened and decoded.
  let decoding: String

  /// The identity of a run that reads its files as `clip` says.
  /// - Throws: ``MediaError`` when the settings can't be put into words.
  init(_ clip: Clip, isPortable: Bool) throws {
    let tools = ToolchainFacts.current
    let processor = isPortable ? "portable" : tools.cpu.joined(separator: ",")
    self.tools = "pinna \(tools.pinna), libavcodec \(tools.libavcodec), \(processor)"
    // What doesn't change the samples of an item isn't part of it.
    var clip = clip
    clip.input = .standardStream
    clip.range = Clip.Range()
    clip.joining = Joining()
    clip.decoding.bounds = InputBounds()
    decoding = try ReportJSON.line(clip)
  }
}
