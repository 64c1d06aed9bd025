// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Loudspeaker positions and the listener's head on the command line.
@Suite(.tags(.system), .fullRunOnly) struct ListenerTests {
  private let folder: TemporaryFolder
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.file("in.wav")
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("in.wav"))
  }

  private func render(_ extra: [String]) throws -> Tool.Result {
    try Product.run(
      ["render", source, "-o", folder.file("out.wav"), "-y", "-q", "--json"] + extra)
  }

  private func digest(_ extra: [String]) throws -> String {
    let result = try render(extra)
    #expect(result.status == 0, "\(extra): \(result.errors)")
    let report = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    let outputs = report?["outputs"] as? [[String: Any]]
    return outputs?.first?["pcmSHA256"] as? String ?? ""
  }

  @Test("--speakers takes the same positions from text and from a file")
  func positionsComeFromTextOrAFile() throws {
    let standard = try digest([])
    #expect(try digest(["--speakers", "L=30,R=-30"]) == standard)
    let wide = try digest(["--speakers", "L=45,R=-45/10"])
    #expect(wide != standard)
    try Data("L: 45\nR: [-45, 10]\n".utf8).write(to: folder.url("wide.yaml"))
    #expect(try digest(["--speakers", folder.file("wide.yaml")]) == wide)
    #expect(try digest(["-e", "speakers", "--speakers", "L=45,R=-45"]) != wide)
  }

  @Test("--yaw turns the loudspeakers, and --trajectory moves them in any block size")
  func theHeadTurnsAndMoves() throws {
    let turned = try digest(["--yaw", "30"])
    #expect(turned == (try digest(["--speakers", "L=0,R=-60"])))
    try Data("time,yaw,pitch,roll\n0,0,0,0\n1,90,0,0\n".utf8).write(to: folder.url("way.csv"))
    let moving = try digest(["--trajectory", folder.file("way.csv")])
    #expect(moving != turned)
    #expect(moving == (try digest(["--trajectory", folder.file("way.csv"), "--block-size", "77"])))
  }

  @Test("each room changes the samples; --room off doesn't")
  func aRoomAddsReflections() throws {
    let dry = try digest([])
    let small = try digest(["--room", "small"])
    let medium = try digest(["--room", "medium"])
    #expect(Set([dry, small, medium]).count == 3)
    #expect(try digest(["--room", "off"]) == dry)
  }

  @Test("--room-tail on adds reverberation with decay times in the report")
  func aRoomHasReverberationOnRequest() throws {
    let early = try render(["--room", "medium"])
    let late = try render(["--room", "medium", "--room-tail", "on", "--tail", "keep"])
    #expect(
      try digest(["--room", "medium", "--room-tail", "off"]) == (try digest(["--room", "medium"])))
    let rooms = try [early, late].map { result -> [String: Any] in
      let report = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
      let output = (report?["outputs"] as? [[String: Any]])?.first
      return (output?["render"] as? [String: Any])?["room"] as? [String: Any] ?? [:]
    }
    #expect(rooms.map { $0["id"] as? String } == ["medium", "medium"])
    #expect(rooms[0]["tailSeconds"] == nil)
    #expect(rooms[1]["tailSeconds"] as? Double ?? 0 > 0.5)
    let octaves = rooms[1]["octaves"] as? [[String: Any]] ?? []
    #expect(octaves.count == 7 && octaves.allSatisfy { $0["decaySeconds"] is Double })
    let ratios = rooms.map { $0["directToReverberantDB"] as? Double ?? 0 }
    #expect(ratios[1] < ratios[0] - 1)
    #expect(String(decoding: late.output, as: UTF8.self).contains("medium with its reverberation"))
    let blocks = ["--room", "small", "--room-tail", "on"]
    #expect(try digest(blocks) == (try digest(blocks + ["--block-size", "77"])))
    // The report says what is cut.
    let cut = try render(blocks)
    #expect(String(decoding: cut.output, as: UTF8.self).contains("what was cut peaks at"))
  }

  @Test("a room with a moving head differs from both alone, and is the same in any block size")
  func aRoomFollowsAMovingHead() throws {
    try Data("0,0,0,0\n1,90,0,0\n".utf8).write(to: folder.url("way.csv"))
    let way = ["--trajectory", folder.file("way.csv")]
    let moving = try digest(way + ["--room", "small"])
    #expect(moving != (try digest(way)))
    #expect(moving != (try digest(["--room", "small"])))
    #expect(moving == (try digest(way + ["--room", "small", "--block-size", "77"])))
  }

  @Test("wrong positions, angles, trajectories and rooms are refused in one sentence")
  func mistakesAreNamed() async throws {
    try Data("0,0,0\n".utf8).write(to: folder.url("bad.csv"))
    try Data("L: left\n".utf8).write(to: folder.url("bad.yaml"))
    try Data("- L\n".utf8).write(to: folder.url("list.yaml"))
    let cases: [([String], String)] = [
      (["--speakers", "L=x"], "--speakers"), (["--speakers", "XX=3"], "XX"),
      (["--speakers", "LFE=3"], "LFE"), (["--speakers", "C=0"], "no channel C"),
      (["--speakers", folder.file("bad.yaml")], "bad.yaml, line 1"),
      (["--speakers", folder.file("list.yaml")], "isn't a mapping"),
      (["--speakers", folder.file("no.yaml")], "no.yaml"),
      (["--room", "huge"], "small, medium"), (["-e", "none", "--room", "small"], "headphones"),
      (["--room-tail", "on"], "needs a room"),
      (["--room", "small", "--virtualizer", "off"], "--room: only means something"),
      (["--room", "hall.sofa", "--virtualizer", "off"], "--room: only means something"),
      (["--room", "small", "--room-tail", "long"], "on, off"),
      (["--yaw", "x"], "--yaw x"), (["--pitch", "400"], "--pitch 400"),
      (["--trajectory", folder.file("bad.csv")], "bad.csv"),
      (["--trajectory", folder.file("none.csv")], "none.csv"),
      (["-e", "none", "--yaw", "3"], "headphones"),
      (["-e", "none", "--speakers", "L=3"], "headphones"),
      (["-e", "speakers", "--yaw", "3"], "headphones"),
    ]
    for (extra, words) in cases {
      let result = try await InProcess.run(
        ["render", source, "-o", folder.file("out.wav"), "-y", "-q", "--json"] + extra)
      #expect(result.status == 2, "\(extra): \(result.errors)")
      #expect(result.errors.contains(words), "\(extra): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
  }
}
