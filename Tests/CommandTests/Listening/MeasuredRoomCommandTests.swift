// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Rooms that were measured, on the command line.
@Suite(.tags(.system), .fullRunOnly) struct MeasuredRoomCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 6, seconds: 1).write(to: folder.url("in.wav"))
  }

  private func render(_ room: String, _ flags: [String] = []) throws -> Tool.Result {
    try Product.run(
      ["render", folder.file("in.wav"), "-o", folder.file("out.wav"), "-y", "--json", "-q"]
        + ["--room", folder.file(room)] + flags)
  }

  private func report(
    _ result: Tool.Result
  ) throws -> (render: [String: Any], digest: String, why: String) {
    #expect(result.status == 0, "\(result.errors)")
    let report = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    let output = (report?["outputs"] as? [[String: Any]])?.first
    let decisions = report?["decisions"] as? [[String: Any]] ?? []
    let room = decisions.first { $0["code"] as? String == "room" }
    return (
      output?["render"] as? [String: Any] ?? [:], output?["pcmSHA256"] as? String ?? "",
      room?["why"] as? String ?? ""
    )
  }

  @Test(
    "a measured room of each convention is played in any block size; options that contradict the room are refused",
    .enabled(if: RoomFileMaker.isThere, "h5py is not installed"),
    arguments: ["MultiSpeakerBRIR", "SingleRoomSRIR"])
  func aSOFARoomIsPlayed(convention: String) throws {
    try RoomFileMaker.write(
      folder.file("hall.sofa"), azimuths: [30, -30, 0, 110, -110], convention: convention)
    let plain = try report(render("hall.sofa"))
    let room = plain.render["room"] as? [String: Any]
    #expect(room?["id"] as? String == "hall.sofa")
    #expect(((room?["tailSeconds"] as? Double ?? 0) - 0.498).magnitude < 0.002)
    #expect(room?["directToReverberantDB"] is Double)
    #expect((plain.render["hrtf"] as? [String: Any])?["id"] as? String == "hall.sofa")
    #expect(plain.digest == (try report(render("hall.sofa", ["--block-size", "77"])).digest))
    let kept = try report(render("hall.sofa", ["--tail", "keep"]))
    #expect(kept.render["tail"] as? Int ?? 0 > 20_000)
    for (flags, status, words) in [
      (["--yaw", "30"], 5, "yaw 30.0° is more than 5° from"),
      (["--pitch", "5"], 5, "turns to the side only"),
      (["--speakers", "L=20,R=-20"], 5, "in their places; leave out --speakers"),
      (["-e", "speakers"], 2, "headphones"),
      (["--room-tail", "on"], 2, "its own reverberation"),
      (["--hrtf", folder.file("hall.sofa")], 2, "leave out --hrtf"),
      (["--itd-scale", "1.1"], 2, "played as it is"),
      (["--layout", "stereo", "-e", "none"], 2, "headphones"),
    ] as [([String], Int32, String)] {
      let result = try render("hall.sofa", flags)
      #expect(
        result.status == status && result.errors.contains(words), "\(flags): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
    let set = try Product.run(
      [
        "render", folder.file("in.wav"), "-o", folder.file("x.wav"), "--hrtf",
        folder.file("hall.sofa"),
      ])
    #expect(set.status == 5 && set.errors.contains("give it with --room"), "\(set.errors)")
  }

  /// A head that turned is heard by the nearest view, at the gain of the one ahead: here it hears what that one hears, negated.
  @Test(
    "a turned head is heard through the nearest measured view",
    .enabled(if: RoomFileMaker.isThere, "h5py is not installed"))
  func aHeadTurnsToTheNearestView() throws {
    let azimuths = [30.0, -30, 0, 110, -110]
    try RoomFileMaker.write(folder.file("hall.sofa"), azimuths: azimuths)
    try RoomFileMaker.write(folder.file("negated.sofa"), azimuths: azimuths, change: "ir *= -1")
    let ahead = try report(render("hall.sofa"))
    let turned = try report(render("hall.sofa", ["--yaw", "88.5"]))
    #expect(turned.digest == (try report(render("negated.sofa")).digest))
    #expect(turned.digest != ahead.digest)
    #expect(
      turned.why.contains("heard by the view at yaw +90.00°, which is nearest, 1.50° from --yaw"),
      "\(turned.why)")
    // Angles go on behind the back, and a small turn stays with the view ahead.
    #expect(turned.digest == (try report(render("hall.sofa", ["--yaw", "-270"])).digest))
    #expect(ahead.digest == (try report(render("hall.sofa", ["--yaw", "-2"])).digest))
  }

  @Test(
    "a moving head is heard through the measured views on its way; one beyond them is refused",
    .enabled(if: RoomFileMaker.isThere, "h5py is not installed"))
  func aHeadMovesFromViewToView() throws {
    try RoomFileMaker.write(
      folder.file("hall.sofa"), azimuths: [30, -30, 0, 110, -110],
      views: [-20, -10, 0, 10, 20, 30], samples: 6000)
    func move(_ way: String, _ flags: [String] = []) throws -> Tool.Result {
      try Data(way.utf8).write(to: folder.url("way.csv"))
      return try render("hall.sofa", ["--trajectory", folder.file("way.csv")] + flags)
    }
    let way = "0,-15,0,0\n0.4,12,0,0\n0.8,0,0,0\n"
    let moved = try report(move(way))
    #expect(moved.why.contains("the head comes by 4 views of 6, from yaw -20.00° to +10.00°"))
    #expect(moved.digest == (try report(move(way, ["--block-size", "77"])).digest))
    #expect(moved.digest != (try report(render("hall.sofa")).digest))
    let rests = try report(move("0,9,0,0\n1,11,0,0\n"))
    #expect(rests.why.contains("the head stays at the view at yaw +10.00°"), "\(rests.why)")
    #expect(rests.digest == (try report(render("hall.sofa", ["--yaw", "10"])).digest))
    for (way, words) in [
      (
        "0,0,0,0\n1,40,0,0\n",
        "6 heads from yaw −20.0° to 30.0°, at most 10.0° apart, and yaw 40.0°"
      ),
      ("0,0,0,0\n1,0,20,0\n", "turns to the side only"),
    ] {
      let result = try move(way)
      #expect(result.status == 5 && result.errors.contains(words), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
  }

  @Test(
    "a room with silence, no numbers, one ear or missing loudspeakers is refused with the reason",
    .enabled(if: RoomFileMaker.isThere, "h5py is not installed"))
  func badRoomsAreRefused() throws {
    let changes: [(name: String, change: String, status: Int32, words: String)] = [
      ("nan.sofa", "ir[0, 0, 0, 5] = np.nan", 3, "no numbers"),
      ("silent.sofa", "ir[0, :, 0] = 0", 3, "which is silent"),
      ("late.sofa", "ir[0, :, 0, 100] = 0.001; ir[0, :, 0, 6000] = 0.2", 3, "no direct sound"),
      ("mono.sofa", "ir = ir[:, :1]", 5, "two ears"),
      ("long.sofa", "ir = np.zeros((1, 2, 5, 48000 * 600), np.float32)[:, :, :1]", 3, "last 600 s"),
    ]
    for (name, change, status, words) in changes {
      try RoomFileMaker.write(
        folder.file(name), azimuths: [30, -30, 0, 110, -110], change: change)
      let result = try render(name)
      #expect(result.status == status && result.errors.contains(words), "\(name): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    }
    try RoomFileMaker.write(folder.file("stereo.sofa"), azimuths: [30, -30])
    let few = try render("stereo.sofa")
    #expect(
      few.status == 5 && few.errors.contains("has no loudspeaker within 20° of FC"), "\(few.errors)"
    )
    // A fault of a view is reported when the head turns there.
    try RoomFileMaker.write(
      folder.file("half.sofa"), azimuths: [30, -30, 0, 110, -110],
      change: "ir[1, 0, 2, 5] = np.nan; ir[1, :, 1] = 0")
    #expect(try render("half.sofa").status == 0)
    let half = try render("half.sofa", ["--yaw", "90"])
    #expect(
      half.status == 3
        && half.errors.contains(
          "loudspeaker at −30.0°/0.0°, heard by the head at yaw 90.0°, which is silent"),
      "\(half.errors)")
    let missing = try render("none.sofa")
    #expect(missing.status == 3 && missing.errors.contains("none.sofa"), "\(missing.errors)")
  }

  /// A WAV file of HeSuVi is the same room with either option.
  @Test("--room and --hrtf give the same samples for a HeSuVi file")
  func aWAVRoomIsThatOfHeSuVi() throws {
    var noise = SeededNoise(seed: 5)
    let planes = (0..<14).map { _ in noise.samples(300, peak: 0.5) }
    try WAVBytes.float32(planes, rate: 48_000).write(to: folder.url("room.wav"))
    let room = try report(render("room.wav"))
    #expect((room.render["room"] as? [String: Any])?["id"] as? String == "room.wav")
    let set = try report(
      Product.run(
        ["render", folder.file("in.wav"), "-o", folder.file("out.wav"), "-y", "--json", "-q"]
          + ["--hrtf", folder.file("room.wav")]))
    #expect(room.digest == set.digest)
    #expect(set.render["room"] == nil)
  }
}
