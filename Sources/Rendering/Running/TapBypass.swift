import AudioCore

/// Requests without the taps that failed, where the user asked for that.
struct TapBypass {
  /// The requests as they are now.
  private(set) var requests: [RenderRequest]
  /// What the taps that were left out failed with.
  private(set) var failures: [MediaError] = []

  /// All of `requests`, with all their taps.
  init(_ requests: [RenderRequest]) { self.requests = requests }

  /// Leaves out the tap that `error` came from, in all outputs.
  /// - Returns: whether the requests may be tried again.
  mutating func leavesOut(_ error: MediaError) -> Bool {
    guard requests.allSatisfy({ $0.policy.tapFailure == .bypass }), let failed = error.failedTap
    else { return false }
    var isGone = false
    for request in requests.indices {
      for output in requests[request].outputs.indices {
        guard case .render(var rendition, let container) = requests[request].outputs[output].work
        else { continue }
        let count = rendition.taps.count
        rendition.taps.removeAll { $0 == failed }
        isGone = isGone || rendition.taps.count < count
        requests[request].outputs[output].work = .render(rendition, container)
      }
    }
    // A tap that no request has is one of a queue's items. One that was left out before would fail again for ever.
    if !isGone, failed.point == .item {
      for request in requests.indices {
        for clip in requests[request].clips.indices
        where !requests[request].clips[clip].joining.leftOut.contains(failed) {
          requests[request].clips[clip].joining.leftOut.append(failed)
          isGone = true
        }
      }
    }
    if isGone { failures.append(error) }
    return isGone
  }
}
