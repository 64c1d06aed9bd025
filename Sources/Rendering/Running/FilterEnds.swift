/// What is kept of the response of filters that begins before the sound or outlasts it.
struct FilterEnds {
  /// Whether what lies before the first sample is kept.
  var head = false
  /// Whether what lies behind the last sample is kept.
  var tail = false
}

extension RenderPlan.Branch {
  /// What is kept of its filters' response.
  var keeps: FilterEnds { FilterEnds(head: keepsHead, tail: keepsTail) }
}
