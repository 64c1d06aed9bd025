import ArgumentParser
import AudioCore
import Inspection
import Rendering
import Verify

/// `pinna golden record`.
struct GoldenRecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record goldens that have no expected values yet.",
    discussion: """
      Ends with exit code 7 even when all went well: what was recorded has to be looked at before \
      a run may pass on it. Recorded values are only replaced by bless. A new case is made from \
      --input, --why, --oracle and the arguments behind --, such as: pinna golden record walk \
      --input walk.flac --why "…" --oracle "ffmpeg decode" -- render {input} -o {out}/out.wav
      """)

  @Argument(help: "Names of goldens; all unrecorded ones where none is given.")
  var ids: [String] = []
  @Argument(parsing: .postTerminator, help: "Arguments of a new case.") var command: [String] = []
  @OptionGroup(title: "Cases") var goldens: GoldenArguments
  @Option(help: "Input of a new case.") var input: String?
  @Option(help: "What a new case guards.") var why: String?
  @Option(help: "By which tool or document a new case's values are right.") var oracle: String?
  @Option(help: "Clause of a standard or number of a ticket of a new case.") var clause: String?
  @Flag(help: "Record although the cases' repository has changes that aren't committed.")
  var allowDirty = false

  mutating func run() async throws {
    let cases = try command.isEmpty ? known() : [made()]
    guard !cases.isEmpty else {
      Terminal.error("golden: everything is recorded\n")
      return
    }
    let recorder = GoldenRecorder(runner: goldens.runner(), allowsDirty: allowDirty)
    var failures = 0
    for golden in cases {
      do {
        try await recorder.record(golden, reason: nil)
        Terminal.error(PlainText.lines(["recorded  \(golden.id)"]))
      } catch let error as MediaError {
        failures += 1
        Terminal.complain(error.message)
      }
    }
    if failures < cases.count {
      Terminal.complain(
        "recording fails the run it records in: look at the \(cases.count - failures) recorded "
          + "golden(s), commit them, and verify")
    }
    throw ExitStatus(code: MediaError(.verificationFailed, "").exitCode)
  }

  private func known() throws -> [GoldenCase] {
    guard input == nil, why == nil, oracle == nil, clause == nil else {
      throw MediaError(
        .usage, "--input, --why, --oracle and --clause: make a new case; give its command behind --"
      )
    }
    let folder = goldens.folder
    let names = try goldens.chosen(ids)
    if let recorded = ids.first(where: { folder.isRecorded($0) }) {
      throw MediaError(
        .outputExists, about: recorded,
        "is recorded already; pinna golden bless \(recorded) --reason … replaces it")
    }
    return try names.filter { !folder.isRecorded($0) }.map { try folder.golden($0) }
  }

  private func made() throws -> GoldenCase {
    guard ids.count == 1, let input, let why, let oracle, !why.isEmpty, !oracle.isEmpty else {
      throw MediaError(.usage, "a new case needs one name, --input, --why and --oracle")
    }
    let id = ids[0]
    let isPlain = id.utf8.allSatisfy {
      $0 == 0x2D || $0 == 0x2E || $0 == 0x5F || (0x30...0x39).contains($0)
        || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
    }
    guard isPlain, !id.isEmpty, !id.hasPrefix(".") else {
      throw MediaError(.usage, about: id, "a golden's name has letters, digits, -, _ and . only")
    }
    guard !((try? goldens.folder.ids()) ?? []).contains(id) else {
      throw MediaError(.outputExists, about: id, "a golden of this name is there already")
    }
    return GoldenCase(
      id: id, why: why, clause: clause, input: input, command: command,
      oracle: GoldenCase.Oracle(name: oracle))
  }
}
