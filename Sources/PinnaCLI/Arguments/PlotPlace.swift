import AudioCore
import Platform
import Rendering

/// Checks on plots and pages before any work is done for them.
enum PlotPlace {
  /// Refuses standard output, which carries the figures.
  static func checkName(_ plot: String) throws {
    guard plot != "-" else {
      throw MediaError(
        .usage, "--plot -: standard output carries the figures; give a file name")
    }
  }

  /// Whether what `option` names may be written to `place`.
  /// - Throws: ``MediaError`` when it would replace an input or, without `overwrite`, any file.
  static func check(
    _ place: String, _ inputs: [String], _ overwrite: Bool, option: String = "--plot"
  ) throws {
    for input in inputs where MediaLocation.file(input).isSameFile(as: place) {
      throw MediaError(.outputUnwritable, "\(option) \(place): is an input; give another name")
    }
    guard overwrite || access(place, F_OK) != 0 else {
      throw MediaError(.outputExists, "\(option) \(place): exists already; add -y to replace it")
    }
    guard access(PathParts.folder(of: place), W_OK) == 0 else {
      throw MediaError(
        .outputUnwritable, "\(option) \(place): its folder can't be written; check the path")
    }
  }
}
