import AudioCore

/// The cause of a failure that came out of a tap.
struct TapFault: Error {
  /// The tap, as the request has it.
  let tap: Tap
  /// What the tap itself gave as the cause; `nil` where it gave none.
  let cause: (any Error)?
}

extension LoadedTap {
  /// What `body` gives; any error names the tap, also one of a type of the tap's own, and has it as its cause.
  func guarding<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try MediaError.naming(plan.title) {
        do { return try body() } catch let error where !(error is MediaError) {
          throw MediaError(any: error, input: plan.title)
        }
      }
    } catch let error as MediaError {
      // A tap inside another's probe has said so already.
      guard let origin, !(error.cause is TapFault) else { throw error }
      throw error.caused(by: TapFault(tap: origin, cause: error.cause))
    }
  }
}

extension MediaError {
  /// The tap that failed; `nil` where something else did, or where the user has to correct what was asked for.
  var failedTap: Tap? {
    let kinds: [Kind] = [
      .unsupportedFeature, .damaged, .verificationFailed, .unavailable, .internal,
    ]
    return kinds.contains(kind) ? (cause as? TapFault)?.tap : nil
  }
}
