import AudioCore
import Loudness

/// Runs several requests under one gain: all are rendered, one gain is solved for all, all are
/// written and verified, then all appear. After a failure none appears.
final class AlbumRun {
  private let runs: [RenderRun]
  private let seams: AlbumSeams
  /// Number of the request that is being worked on.
  private(set) var current = 0

  /// An album of `runs`.
  init(_ runs: [RenderRun]) {
    self.runs = runs
    seams = AlbumSeams(runs.map(\.request))
    for run in runs { run.seams = seams }
  }

  /// Does all of them.
  /// - Throws: ``MediaError`` of the request at ``current``.
  func run() throws {
    let requests = runs.map(\.request)
    try RequestRules.checkAlbum(requests)
    try each { try $0.render() }
    guard let rendition = requests.first?.outputs.first?.rendition, let target = rendition.level,
      requests.first?.policy.isDryRun == false
    else { return }
    current = 0
    guard target.peakPolicy != .limit || !runs.contains(where: \.keepsObjects) else {
      throw MediaError(
        .usage,
        "\(setting: .album): objects that are stored as they are can't be limited; add \(setting: .peakPolicy) lower"
      )
    }
    let normalizer = LoudnessNormalizer(target: target, dualMono: rendition.isDualMono)
    let plan = try MediaError.naming("album of \(runs.count)") {
      try normalizer.solve(runs.flatMap(\.programmes))
    }
    var former: SeamJudge.Former?
    try each { run in
      run.adopt(plan, track: current, reference: target.reference)
      try run.deliver(after: seams.parted.contains(current) ? nil : former)
      former = run.last
    }
    try each { try $0.complete() }
    try each { try $0.commit() }
  }

  private func each(_ body: (RenderRun) throws -> Void) throws {
    for (index, run) in runs.enumerated() {
      current = index
      try body(run)
    }
  }
}
