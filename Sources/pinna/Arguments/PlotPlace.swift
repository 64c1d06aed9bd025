import AudioCore
import Platform
import Rendering

/// Checks on every file that `--plot` writes.
enum PlotPlace {
  /// Refuses standard output, which carries the figures.
  static func checkName(_ plot: String) throws {
    guard plot != "-" else {
      throw MediaError(
        .usage, "--plot -: standard output carries the figures; give a file name")
    }
  }

  /// Whether a plot may be written to `place`.
  /// - Throws: ``MediaError`` when it would replace an input or, without `overwrite`, any file.
  static func check(_ place: String, _ inputs: [String], _ overwrite: Bool) throws {
    for input in inputs where MediaLocation.file(input).isSameFile(as: place) {
      throw MediaError(.outputUnwritable, "--plot \(place): is an input; give another name")
    }
    guard overwrite || access(place, F_OK) != 0 else {
      throw MediaError(.outputExists, "--plot \(place): exists already; add -y to replace it")
    }
    let folder = place.lastIndex(of: "/").map { String(place[...$0]) } ?? "."
    guard access(folder, W_OK) == 0 else {
      throw MediaError(
        .outputUnwritable, "--plot \(place): its folder can't be written; check the path")
    }
  }
}
