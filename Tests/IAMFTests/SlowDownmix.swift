// SPDX-License-Identifier: Apache-2.0

/// The encoder's side of scalable channels, in plain words and Float64: what layers code of a programme.
struct SlowDownmix {
  /// The labels of layouts in the order of IAMF, and their numbers of channels.
  static let layouts: [(labels: String, surround: Int, top: Int)] = [
    ("C", 1, 0), ("L R", 2, 0), ("L C R Ls Rs LFE", 5, 0), ("L C R Ls Rs Ltf Rtf LFE", 5, 2),
    ("L C R Ls Rs Ltf Rtf Ltr Rtr LFE", 5, 4), ("L C R Lss Rss Lrs Rrs LFE", 7, 0),
    ("L C R Lss Rss Lrs Rrs Ltf Rtf LFE", 7, 2),
    ("L C R Lss Rss Lrs Rrs Ltf Rtf Ltb Rtb LFE", 7, 4), ("L C R Ltf Rtf LFE", 3, 2),
  ]

  /// Every way to stack layouts that grow.
  static let stacks: [[Int]] = {
    func above(_ stack: [Int]) -> [[Int]] {
      let (below, hasLFE) = (layouts[stack[stack.count - 1]], stack[stack.count - 1] > 1)
      return [stack]
        + layouts.indices.flatMap { next -> [[Int]] in
          let layout = layouts[next]
          let grows =
            layout.surround >= below.surround && layout.top >= below.top && (next > 1 || !hasLFE)
            && next != stack[stack.count - 1]
          return grows ? above(stack + [next]) : []
        }
    }
    return layouts.indices.flatMap { above([$0]) }
  }()

  /// α, β, γ, δ of each mode.
  static let factors: [Int: [Double]] = [
    0: [1, 1, 0.707, 0.707], 1: [0.707, 0.707, 0.707, 0.707], 2: [1, 0.866, 0.866, 0.866],
    4: [1, 1, 0.707, 0.707], 5: [0.707, 0.707, 0.707, 0.707], 6: [1, 0.866, 0.866, 0.866],
  ]
  static let weights = [
    0, 0.0179, 0.0391, 0.0658, 0.1038, 0.25, 0.3962, 0.4342, 0.4609, 0.4821, 0.5,
  ]

  /// Each version of each channel of one sample, by the standard's names with a digit for the version.
  private(set) var versions: [String: Double]

  /// The downmixes of one sample of a programme in a layout.
  init(_ sample: [String: Double], layout: Int, mode: Int, weight: Int) {
    let (_, surround, top) = SlowDownmix.layouts[layout]
    let factor = SlowDownmix.factors[mode] ?? [1, 1, 1, 1]
    var all = sample
    for side in ["L", "R"] {
      if surround == 7 {
        all[side + "s"] = factor[0] * (all[side + "ss"] ?? 0) + factor[1] * (all[side + "rs"] ?? 0)
      }
      let surrounds = factor[3] * (all[side + "s"] ?? 0)
      let front = all[side] ?? 0
      all[side + "3"] = surround >= 5 ? front + surrounds : front
      all[side + "2"] = surround >= 3 ? (all[side + "3"] ?? 0) + 0.707 * (all["C"] ?? 0) : front
      let first = all[side + "tf"] ?? 0
      let back = all[side + "tb"] ?? all[side + "tr"] ?? 0
      // 5.1.4 and 7.1.4 have other names for the same pair.
      (all[side + "tb"], all[side + "tr"]) = (back, back)
      all[side + "tf2"] = top == 4 ? first + factor[2] * back : first
      all[side + "tf3"] =
        surround == 3
        ? first : (all[side + "tf2"] ?? 0) + SlowDownmix.weights[weight] * surrounds
    }
    all["M"] = surround == 1 ? all["C"] : 0.5 * ((all["L2"] ?? 0) + (all["R2"] ?? 0))
    versions = all
  }

  /// The channels of a layout below the programme's.
  func channels(_ layout: Int) -> [Double] {
    let (labels, surround, top) = SlowDownmix.layouts[layout]
    return labels.split(separator: " ").map { label in
      var name = String(label)
      if surround == 1 { name = "M" }
      if name == "L" || name == "R" { name += surround == 2 ? "2" : surround == 3 ? "3" : "" }
      if name.hasSuffix("tf"), top == 2 { name += surround == 3 ? "3" : "2" }
      return versions[name] ?? 0
    }
  }

  /// Channels that a layer codes above another: pairs of names, then single ones.
  static func coded(_ layout: Int, above below: Int?) -> (pairs: [[String]], singles: [String]) {
    let (_, surround, top) = layouts[layout]
    let (oldSurround, oldTop) = below.map { (layouts[$0].surround, layouts[$0].top) } ?? (0, 0)
    var pairs: [String] = []
    if below == nil, surround == 2 || surround == 3 { pairs.append("# \(surround)") }
    if oldSurround < 5, surround >= 5 { pairs.append("# ") }
    if below == nil, surround == 5 { pairs.append("#s ") }
    if oldSurround < 7, surround == 7 { pairs.append("#ss ") }
    if below == nil, surround == 7 { pairs.append("#rs ") }
    if top > oldTop {
      pairs.append(top == 4 ? "#tf " : surround == 3 ? "#tf 3" : "#tf 2")
      if oldTop == 0, top == 4 { pairs.append(surround == 5 ? "#tr " : "#tb ") }
    }
    var singles: [String] = []
    if below == nil, surround == 1 { singles.append("M") }
    if oldSurround < 3, surround >= 3 { singles += ["C"] }
    if surround >= 3, oldSurround < 3 { singles += ["LFE"] }
    if oldSurround == 1, surround > 1 { singles.append("L2") }
    return (
      pairs.map { pair in
        ["L", "R"].map { side in
          String(pair.flatMap { $0 == "#" ? side : $0 == " " ? "" : "\($0)" })
        }
      }, singles
    )
  }
}
