import ArgumentParser
import Inspection

/// `pinna doctor`.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check that this installation can do its work.")

  func run() throws {
    let findings = Doctor.examine()
    for finding in findings {
      let mark = Figures.padded(finding.state.rawValue, 6)
      let line = "\(mark)  \(Figures.padded(finding.subject, 16)) \(finding.detail)"
      Terminal.output(PlainText.lines([line]))
    }
    if findings.contains(where: { $0.state == .failed }) { throw ExitStatus(code: 1) }
  }
}
