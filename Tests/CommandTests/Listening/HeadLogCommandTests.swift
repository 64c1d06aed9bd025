// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Logs of head poses on the command line: reports name the log, and the times that it doesn't reach.
@Suite(.tags(.system)) struct HeadLogCommandTests {
  private let folder: TemporaryFolder
  private static let log = "time,yaw,pitch,roll\n100,0,0,0\n101.5,40,0,0\n"

  init() throws {
    folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 4).write(to: folder.url("in.wav"))
    try Data(Self.log.utf8).write(to: folder.url("walk.csv"))
  }

  private static let rows: [(offset: String, poses: String, rests: String?)] = [
    ("first", "from 0.00 to 1.50 s", "after 1.50 s"),
    ("first+0.25", "from 0.25 to 1.75 s", "after 1.75 s"),
    ("first+2", "from 2.00 to 3.50 s", "before 2.00 s"),
    ("first-1", "from -1.00 to 0.50 s", "after 0.50 s"),
    ("-98.5", "from 1.50 to 3.00 s", "before 1.50 s and after 3.00 s"),
    ("-200", "from -100.00 to -98.50 s", "after 0.00 s"),
  ]

  @Test("the log stands in the report by its name and digest, and so do its ends", arguments: rows)
  func logsAreNamed(offset: String, poses: String, rests: String?) throws {
    let result = try Product.run([
      "render", folder.file("in.wav"), "-o", folder.file("out.wav"), "-y", "--json", "-q",
      "--trajectory", folder.file("walk.csv"), "--trajectory-offset", offset,
    ])
    #expect(result.status == 0, "\(result.errors)")
    let report = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    let decisions = report?["decisions"] as? [[String: Any]] ?? []
    let chosen = decisions.filter { $0["code"] as? String == "head" }
      .compactMap { $0["chose"] as? String }
    let digest = try Tool.run("sha256sum", [folder.file("walk.csv")])
    let hash = String(decoding: digest.output, as: UTF8.self).prefix(64)
    #expect(chosen.first == "2 poses of walk.csv (SHA-256 \(hash)) \(poses)")
    #expect(chosen.dropFirst().first == rests.map { "the head rests \($0)" })
  }
}
