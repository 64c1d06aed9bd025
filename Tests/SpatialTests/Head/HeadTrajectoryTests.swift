// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct HeadTrajectoryTests {
  private func near(_ a: HeadState, _ b: HeadPose) -> Bool {
    [(0.0, 0.0), (90, 0), (20, 70)].allSatisfy { azimuth, elevation in
      let direction = Direction(azimuth: azimuth, elevation: elevation)
      let gap = a.place(of: direction) - b.place(of: direction)
      return UnitVector.dot(gap, gap) < 1e-20
    }
  }

  @Test("a trajectory with BOM, header, comments and blanks equals the plain one")
  func readsWhatTheTextSays() throws {
    let plain = try HeadTrajectory(csv: "0,0,0,0\n1.5,30,-10,5\n")
    let dressed = try HeadTrajectory(
      csv: "\u{FEFF}# a tracker's\r\nTime, Yaw, Pitch, Roll\r\n\r\n0,0,0,0 # start\r\n"
        + " 1.500000000 ,+30,-1e1,5.0\r\n#1.6,1,1,1")
    #expect(plain == dressed)
    #expect(plain.points.map(\.time.ticks) == [0, 1_500_000_000])
    #expect(plain.points[1].pose == HeadPose(yaw: 30, pitch: -10, roll: 5))
    #expect(try HeadTrajectory(csv: "-2,1,2,3").points.count == 1)
  }

  @Test(
    "a wrong row of a trajectory is refused with its line or angle",
    arguments: [
      ("0,0,0,0\n1,0,0", "line 2"), ("0,0,0,0\n0,1,0,0", "line 2"),
      ("1,0,0,0\n0.5,1,0,0", "line 2"),
      ("time,yaw,pitch,roll\n0,0,x,0", "line 2"), ("t,y,p,r\n0,0,0,0", "line 1"),
      ("0,0,0,0\ntime,yaw,pitch,roll", "line 2"), ("# none\n\n0,400,0,0", "yaw"),
      ("0,0,91,0", "line 1"), ("0,0,0,nan", "roll"), ("nan,0,0,0", "line 1"),
      ("1e7,0,0,0", "line 1"), ("0,0,0,0,0", "line 1"), ("", "empty"),
      ("time,yaw,pitch,roll", "empty"),
      ("0,0,0,0\n1e-10,1,0,0", "line 2"), ("0 0 0 0", "line 1"),
      ("time,qw,qx,qy\n0,1,0,0", "neither yaw"), ("time,qw,qx,qy,qz\n0,2,0,0,0", "unit quaternion"),
      ("when,yaw,pitch,roll\n0,0,0,0", "named time"),
      ("time,yaw,pitch,roll\n0,0,0,0,0", "it has 5 fields, and the first line names 4"),
      ("time,yaw,pitch,roll\n0,0,0,0\n1,,,", "leave out the lines in which the head wasn't"),
      ("e8be6e1c.0 /play f 1", "no OSC message"), ("e8be6e1c.0 /ypr fff 0 99 0", "pitch"),
      ("0.1 /ypr fff 0 0 0\n0.1 /ypr fff 9 0 0", "immediately"),
      ("5.0 /ypr fff 0 0 0\n4.0 /ypr fff 9 0 0", "line 2: its time is before that of line 1"),
    ])
  func refusesWithTheLine(text: String, word: String) {
    let error = #expect(throws: MediaError.self) { try HeadTrajectory(csv: text) }
    #expect(error?.kind == .usage)
    #expect(error?.message.contains(word) == true, "\(text): \(error?.message ?? "")")
  }

  /// Rotations worked out by hand: 30° to the left about z, 20° up, 40° to the right about the nose, and all after each other.
  @Test(
    "logs with other columns, units, quaternions and OSC say the same",
    arguments: [
      "time,qw,qx,qy,qz\n0,1,0,0,0\n1.5,0.965925826,0,0,0.258819045",
      "time;yaw;pitch;roll\n0,0;0,0;0;0\n1,5;30,0;0;0",
      "0,0\t0\t0\t0\n1,5\t30\t0\t0",
      "time,\tyaw,\tpitch,\troll\n0,\t0,\t0,\t0\n1.5,\t30,\t0,\t0",
      "time,yaw,pitch,roll\n0,0,0,0,\n1.5,30,0,0,",
      "qz,qy,qx,qw,frame,timestamp_ms\n0,0,0,1,1,0\n0.258819045,0,0,0.965925826,2,1500",
      "Time (s);Yaw (rad);Pitch (rad);Roll (rad);note\n0;0;0;0;a\n1.5;0.523598776;0;0;b",
      "timestamp\tquat.w\tquat.x\tquat.y\tquat.z\n0\t1\t0\t0\t0\n1.5\t-0.965925826\t0\t0\t-0.258819045",
      "e8be6e1c.80000000 /ypr fff 0.0 0.0 0.0\ne8be6e1d.00000000 /other f 1.0\ne8be6e1e.00000000 /ypr fff 30.0 0.0 0.0",
      "e8be6e1c.80000000 /SceneRotator/quaternions ffff 1.0 0.0 0.0 0.0\n"
        + "e8be6e1e.00000000 /SceneRotator/quaternions ffff 0.965925826 0.0 0.0 0.258819045",
    ])
  func otherLogsSayTheSame(log: String) throws {
    let way = try HeadTrajectory(log: Array(log.utf8))
    #expect(way.points.map(\.time.ticks) == [0, 1_500_000_000])
    #expect(near(.resting(way.points[0].pose), .ahead))
    let turned = way.points[1].pose
    #expect(abs(turned.yaw - 30) < 1e-6 && abs(turned.pitch) < 1e-6 && abs(turned.roll) < 1e-6)
  }

  @Test("a quaternion of any rotation becomes the pose that turns sources as it does")
  func quaternionsBecomePoses() throws {
    for pose in [
      HeadPose(yaw: 30, pitch: 20, roll: 40), HeadPose(yaw: -150, pitch: -70, roll: 100),
      HeadPose(yaw: 10, pitch: 90), HeadPose(yaw: 170, pitch: -90), HeadPose(roll: -179),
    ] {
      let half = { (angle: Double) in angle * .pi / 360 }
      // The product of the three turns, written out (z, then −y, then x).
      let (cy, sy) = (cos(half(pose.yaw)), sin(half(pose.yaw)))
      let (cp, sp) = (cos(half(pose.pitch)), -sin(half(pose.pitch)))
      let (cr, sr) = (cos(half(pose.roll)), sin(half(pose.roll)))
      let parts = [
        cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy,
      ]
      let found = try HeadPose(quaternion: parts)
      for (azimuth, elevation) in [(0.0, 0.0), (90, 0), (20, 70), (-135, -30)] {
        let direction = Direction(azimuth: azimuth, elevation: elevation)
        let gap =
          found.place(of: direction) - HeadRotation(pose).place(of: UnitVector.of(direction))
        #expect(UnitVector.dot(gap, gap) < 1e-12, "\(pose)")
      }
    }
  }

  @Test("a log in UTF-16, as spreadsheets save it, equals the one in UTF-8")
  func wideTextIsRead() throws {
    let text = "time,yaw,pitch,roll\n0,0,0,0\n1,30,0,0\n"
    let plain = try HeadTrajectory(csv: text)
    for order in [[0, 1], [1, 0]] {
      let wide = ("\u{FEFF}" + text).utf16.flatMap { unit in
        order.map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) }
      }
      #expect(try HeadTrajectory(log: wide) == plain)
    }
    let error = #expect(throws: MediaError.self) { try HeadTrajectory(log: [0x30, 0xC3, 0x28]) }
    #expect(error?.message.contains("UTF-8 or UTF-16") == true)
  }

  @Test("a recording of OSC bundles is read, and one that is cut is refused")
  func bundlesAreRead() throws {
    func word(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
    func bundle(_ seconds: UInt32, _ yaw: Float) -> [UInt8] {
      let message =
        Array("/ypr\0\0\0\0,fff\0\0\0\0".utf8) + word(yaw.bitPattern) + word(0) + word(0)
      let body =
        Array("#bundle\0".utf8) + word(seconds) + word(0x8000_0000) + word(UInt32(message.count))
        + message
      return word(UInt32(body.count)) + body
    }
    let bytes = bundle(3_900_000_000, 10) + bundle(3_900_000_002, -20)
    let way = try HeadTrajectory(log: bytes, offset: 0.25)
    #expect(way.points.map(\.time.ticks) == [250_000_000, 2_250_000_000])
    #expect(way.points.map(\.pose.yaw) == [10, -20])
    let error = #expect(throws: MediaError.self) {
      try HeadTrajectory(log: Array(bytes.dropLast(3)))
    }
    #expect(error?.message.contains("no whole OSC bundle") == true)
  }

  @Test(
    "times of a wall clock count from the first pose on where that is asked for, and an offset is added"
  )
  func timesAreMoved() throws {
    let log = Array("timestamp,yaw,pitch,roll\n1700000000.5,0,0,0\n1700000001.5,10,0,0".utf8)
    let error = #expect(throws: MediaError.self) { try HeadTrajectory(log: log) }
    #expect(error?.message.contains("first lets the first pose begin at 0") == true)
    let way = try HeadTrajectory(log: log, startsAtFirst: true)
    #expect(way.points.map(\.time.ticks) == [0, 1_000_000_000])
    let late = try HeadTrajectory(log: Array("0,0,0,0\n1,5,0,0".utf8), offset: -0.5)
    #expect(late.points.map(\.time.ticks) == [-500_000_000, 500_000_000])
  }

  @Test("trajectories without points and with two at one time are refused")
  func refusesPointsThatDoNotAscend() throws {
    let point = HeadTrajectory.Point(time: MediaTime(ticks: 1, rate: 2), pose: .ahead)
    let same = HeadTrajectory.Point(time: MediaTime(ticks: 2, rate: 4), pose: .ahead)
    for points in [[], [point, same]] {
      let error = #expect(throws: MediaError.self) { try HeadTrajectory(points) }
      #expect(error?.kind == .usage)
    }
  }

  @Test("a trajectory holds its ends and turns evenly between its points")
  func isHeldBeforeAndAfterAndTurnsEvenlyBetween() throws {
    let way = try HeadTrajectory(csv: "1,10,0,0\n2,50,0,0\n3,50,0,0\n4,50,60,0\n5,50,60,-40")
    func state(_ seconds: Double) -> HeadState {
      way.state(at: Int((seconds * 48000).rounded()), rate: 48000)
    }
    #expect(state(-1) == .resting(HeadPose(yaw: 10)))
    #expect(state(0) == .resting(HeadPose(yaw: 10)))
    #expect(near(state(1.25), HeadPose(yaw: 20)))
    #expect(near(state(1.9), HeadPose(yaw: 46)))
    #expect(state(2.5) == .resting(HeadPose(yaw: 50)))
    #expect(near(state(3.5), HeadPose(yaw: 50, pitch: 30)))
    #expect(near(state(4.75), HeadPose(yaw: 50, pitch: 60, roll: -30)))
    #expect(state(99) == .resting(HeadPose(yaw: 50, pitch: 60, roll: -40)))
    // A pose is held from its very moment on.
    #expect(state(2) == .resting(HeadPose(yaw: 50)))
    #expect(state(5) == .resting(HeadPose(yaw: 50, pitch: 60, roll: -40)))
  }

  @Test("a trajectory from 170° to −170° passes 180°, and from 350° to 10° it passes 0°")
  func takesTheShorterWayRound() throws {
    let way = try HeadTrajectory(csv: "0,170,0,0\n1,-170,0,0\n2,350,0,0\n3,10,0,0")
    #expect(near(way.state(at: 24000, rate: 48000), HeadPose(yaw: 180)))
    #expect(near(way.state(at: 120_000, rate: 48000), HeadPose(yaw: 0)))
  }
}
