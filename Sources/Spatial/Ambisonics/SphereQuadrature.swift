import Platform

/// Points and weights on the sphere that average every polynomial up to a degree exactly: Gauss's
/// heights times even azimuths.
struct SphereQuadrature: Sendable {
  /// Points of the unit sphere.
  let places: [SIMD3<Double>]
  /// Weight of each point; they sum to 1.
  let weights: [Double]

  /// A rule that is exact up to `degree`, at least 0.
  init(degree: Int) {
    let rings = degree / 2 + 1
    let spokes = degree + 1
    var places: [SIMD3<Double>] = []
    var weights: [Double] = []
    for ring in 0..<rings {
      let (height, weight) = SphereQuadrature.gauss(ring, of: rings)
      let radius = (1 - height * height).squareRoot()
      for spoke in 0..<spokes {
        let angle = 2 * Double.pi * (Double(spoke) + 0.25) / Double(spokes)
        places.append(SIMD3(radius * cos(angle), radius * sin(angle), height))
        weights.append(weight / Double(2 * spokes))
      }
    }
    self.places = places
    self.weights = weights
  }

  /// Node `index` of Gauss's rule of `count` nodes over −1…1, by Newton's method on the Legendre
  /// polynomial, and its weight; the weights sum to 2.
  private static func gauss(_ index: Int, of count: Int) -> (node: Double, weight: Double) {
    var node = cos(.pi * (Double(index) + 0.75) / (Double(count) + 0.5))
    var slope = 1.0
    for _ in 0..<100 {
      var (before, value) = (0.0, 1.0)
      for n in 0..<count {
        let next = (Double(2 * n + 1) * node * value - Double(n) * before) / Double(n + 1)
        (before, value) = (value, next)
      }
      slope = Double(count) * (node * value - before) / (node * node - 1)
      let step = value / slope
      node -= step
      if step.magnitude < 1e-15 { break }
    }
    return (node, 2 / ((1 - node * node) * slope * slope))
  }
}
