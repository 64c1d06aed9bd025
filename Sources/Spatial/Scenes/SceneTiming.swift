/// When each way to the ears delivers, so that all onsets fall on the same sample.
struct SceneTiming {
  /// Samples by which output lags input.
  let latency: Int
  /// Samples by which the response outlasts the input after that.
  let tail: Int
  /// Samples by which the responses' output, whose onset has a lead of its own, is delayed.
  let responseDelay: Int
  /// Samples by which the diffuse bus's output is delayed.
  let diffuseDelay: Int
  /// Samples by which what goes straight to the ears is delayed.
  let straightDelay: Int
  /// Samples by which the low-pass's output is delayed.
  let bassDelay: Int

  /// Timing for responses with `lead` taps before and `tail` taps after their onset, filters of channels and
  /// rooms that have at most `longest` taps after it, a crosstalk canceller
  /// that delays by `cancellerDelay` and rings as long, and a low-pass of 2 × `bassHalf` + 1 taps, `nil`
  /// for none. Objects may be diffuse, and the decorrelators need time.
  init(
    lead: Int, tail: Int, longest: Int, cancellerDelay: Int, bassHalf: Int?, hasObjects: Bool
  ) {
    let diffuse = hasObjects ? DiffuseBus.delay : 0
    let latency = max(lead + diffuse + cancellerDelay, bassHalf ?? 0)
    let decorrelated = hasObjects ? DiffuseBus.length - DiffuseBus.delay + tail : 0
    let ringing = max(tail, longest, decorrelated)
    self.latency = latency
    self.tail = max(ringing + cancellerDelay, bassHalf ?? 0)
    straightDelay = latency - cancellerDelay
    responseDelay = straightDelay - lead
    diffuseDelay = responseDelay - diffuse
    bassDelay = latency - (bassHalf ?? 0)
  }
}
