// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct GridTests {
  private let ring = (0..<72).map { Direction(azimuth: Double($0) * 5 - 180) }

  @Test("a measured direction has one share of weight 1")
  func aMeasuredDirectionIsTakenAsItIs() throws {
    let grid = try HRTFSet.builtIn().grid
    for direction in [Direction(azimuth: 30), Direction(azimuth: -110), Direction(azimuth: 0)] {
      let shares = GridInterpolation.shares(of: UnitVector.of(direction), in: grid)
      #expect(shares.count == 1)
      #expect(shares.first?.weight == 1)
    }
  }

  @Test("interpolation weights are positive, sum to 1 and reproduce the direction")
  func weightsReproduceTheDirection() throws {
    let grid = try HRTFSet.builtIn().grid
    for place in UnitVector.lattice(300) where place.z > -0.6 {
      let shares = GridInterpolation.shares(of: place, in: grid)
      #expect((shares.reduce(0) { $0 + $1.weight } - 1).magnitude < 1e-9)
      #expect(shares.allSatisfy { $0.weight >= 0 })
      var sum = SIMD3<Double>.zero
      for share in shares { sum += grid.points[share.point].position * share.weight }
      let length = UnitVector.dot(sum, sum).squareRoot()
      #expect(UnitVector.dot(sum, place) / length > 0.999999)
      #expect(length > 0.98, "the triangle around \(place) is wide")
    }
  }

  @Test("directions below the grid take shares of its lowest points only")
  func directionsBelowTheGridTakeItsEdge() throws {
    let grid = try HRTFSet.builtIn().grid
    for elevation in [-41.0, -60, -90] {
      let place = UnitVector.of(Direction(azimuth: 33, elevation: elevation))
      let shares = GridInterpolation.shares(of: place, in: grid)
      #expect((1...3).contains(shares.count))
      #expect(shares.allSatisfy { grid.points[$0.point].position.z < -0.64 })
    }
  }

  @Test("a ring of 72 directions gives one or two shares for a place above it")
  func aRingWithoutHeightStillAnswers() {
    let grid = DirectionGrid(directions: ring, hemisphere: false)
    #expect(grid.isSymmetric)
    #expect(grid.points.count == 72)
    let place = UnitVector.of(Direction(azimuth: 32, elevation: 30))
    let shares = GridInterpolation.shares(of: place, in: grid)
    #expect((1...2).contains(shares.count))
  }

  /// Beside a ring, the nearer of two points gets the greater share: 32° lies two fifths of the way from 30° to 35°.
  @Test("a place two fifths along an edge takes a weight of 0.6 from the nearer point")
  func theNearerPointOfAnEdgeWeighsMore() throws {
    let grid = DirectionGrid(directions: ring, hemisphere: false)
    let place = UnitVector.of(Direction(azimuth: 32))
    let shares = GridInterpolation.edge(place, in: grid)
    #expect(shares.count == 2)
    let near = UnitVector.of(Direction(azimuth: 30))
    let nearest = try #require(
      shares.first { UnitVector.dot(grid.points[$0.point].position, near) > 0.9999 })
    // The weights divide the chord, whose middle part is a little longer than the arc's.
    #expect((nearest.weight - 0.6).magnitude < 0.01)
    #expect((shares.reduce(0) { $0 + $1.weight } - 1).magnitude < 1e-9)
  }

  @Test("directions given twice are merged into 72 points of four members each")
  func duplicatesAreMerged() {
    let grid = DirectionGrid(directions: ring + ring, hemisphere: false)
    #expect(grid.points.count == 72)
    #expect(grid.points.allSatisfy { $0.members.count == 4 })
  }

  @Test("areas of a grid sum to 1, and those of an even ring differ by less than one share")
  func areasCoverTheSphereEvenly() {
    let directions = UnitVector.lattice(400).map { place in
      Direction(azimuth: 0, elevation: place.z * 90)
    }
    let uneven = DirectionGrid(directions: directions, hemisphere: false).areas(reach: 4)
    #expect((uneven.reduce(0, +) - 1).magnitude < 1e-9)
    let hemisphere = (0...36).map { Direction(azimuth: Double($0) * 5) }
    let grid = DirectionGrid(directions: hemisphere, hemisphere: true)
    let even = grid.areas(reach: 4)
    let share = 1 / Double(even.count)
    #expect(grid.points.count == 72)
    #expect(even.allSatisfy { ($0 - share).magnitude < share })
  }
}
