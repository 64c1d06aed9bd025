import ArgumentParser
import AudioCore
import PlayQueue
import Rendering

/// How lists of files are read.
struct ListArguments: ParsableArguments {
  @Option(help: "Gaps of a cue sheet: append, prepend or drop.")
  var cueGaps = CueGaps.append.rawValue
  @Option(
    help: ArgumentHelp(
      "Text encoding of a list: utf-8, windows-1252, windows-1251, shift-jis, gb18030, big5 or euc-kr."
    ))
  var textEncoding: String?

  /// What the flags say.
  /// - Throws: ``MediaError`` of kind `usage`.
  func joining() throws -> Joining {
    var joining = Joining()
    joining.cueGaps = try Choice.parse(cueGaps, "--cue-gaps")
    joining.textEncoding = try textEncoding.map(ListArguments.encoding)
    return joining
  }

  private static func encoding(_ name: String) throws -> TextEncoding {
    do {
      return try TextEncoding.named(name)
    } catch {
      throw MediaError(.usage, "--text-encoding: \(error.message)")
    }
  }
}
