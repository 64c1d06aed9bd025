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
      ("0,0,0,0\n1e-10,1,0,0", "line 2"), ("0;0;0;0", "line 1"),
    ])
  func refusesWithTheLine(text: String, word: String) {
    let error = #expect(throws: MediaError.self) { try HeadTrajectory(csv: text) }
    #expect(error?.kind == .usage)
    #expect(error?.message.contains(word) == true, "\(text): \(error?.message ?? "")")
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
