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

  private func report(_ result: Tool.Result) throws -> (render: [String: Any], digest: String) {
    #expect(result.status == 0, "\(result.errors)")
    let report = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    let output = (report?["outputs"] as? [[String: Any]])?.first
    return (output?["render"] as? [String: Any] ?? [:], output?["pcmSHA256"] as? String ?? "")
  }

  @Test(
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
      (["--yaw", "30"], 5, "in their places"), (["-e", "speakers"], 2, "headphones"),
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

  @Test(.enabled(if: RoomFileMaker.isThere, "h5py is not installed"))
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
    let missing = try render("none.sofa")
    #expect(missing.status == 3 && missing.errors.contains("none.sofa"), "\(missing.errors)")
  }

  /// A WAV file of HeSuVi is the same room with either option.
  @Test func aWAVRoomIsThatOfHeSuVi() throws {
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
