// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// A tap whose files were read: it can be made as often as it is needed.
struct LoadedTap: Sendable {
  let plan: PlannedTap
  /// Tap as the request has it; `nil` where this is a part of another.
  var origin: Tap?
  /// Choices that were made for the user when it was read, as sentences.
  var notes: [String] = []
  /// How its delay is known.
  var latency = TapLatencyRule.trusted
  /// Whether what a trial showed holds for later runs, too: the plan's digest covers all that the tap depends on.
  var isKeptProved = false
  /// Whether its response may outlast the input, though it gives as many samples as it gets.
  var rings = false
  /// The items of a queue that pass it, counted from 0; `nil` for all.
  var items: Set<Int>?
  /// By how much it makes the sound faster.
  var tempo = Tempo.same
  /// Makes the tap without those of its parts that turn phases, which look like a delay; `nil` where there are none.
  var delaying: Processing?
  /// Makes one that changes the sound; `nil` for a tap that only looks at it.
  var processing: Processing?
  /// Makes one that looks at the sound; `nil` for a tap that changes it.
  var observing: Observing?

  /// Makes a tap that changes the sound. A tap whose delay is measured gets what a test signal showed; others pass over it.
  typealias Processing = @Sendable (TapContext, TapProof) throws -> any AudioTap
  /// Makes a tap that looks at the sound. Its findings may go to files, which the function opens.
  typealias Observing =
    @Sendable (
      TapContext, _ open: @escaping (String) throws -> DescriptorSink
    ) throws -> any AudioObserver

  /// This tap with its delay known as `policy` says; a tap of Pinna's own or the caller's stays as it is, and so
  /// does one that changes the tempo, whose delay is that of silence that Pinna itself puts in front.
  func following(_ policy: Tap.Latency) -> LoadedTap {
    guard latency != .trusted, plan.kind != "own", tempo.isSame else { return self }
    var tap = self
    switch policy {
    case .automatic: break
    case .report: tap.latency = .stated
    case .measure: tap.latency = .shown
    case .samples(let count): tap.latency = .pinned(count)
    }
    return tap
  }

  /// Whether the sound of item number `index`, or of the whole programme for `nil`, passes it.
  func isFor(_ index: Int?) -> Bool { items.map { index.map($0.contains) ?? false } ?? true }

  /// Tap as a plan lists it, with the items that pass it.
  var listed: PlannedTap {
    var plan = plan
    plan.items = items?.map { $0 + 1 }.sorted()
    return plan
  }

  /// The tap without those of its parts that turn phases, for measuring its delay.
  var onlyDelaying: LoadedTap? { delaying.map { LoadedTap(plan: plan, processing: $0) } }

  /// Makes one that changes sound, of which `known` is known.
  /// - Throws: what the tap throws; ``MediaError`` of kind `usage` for one that only looks.
  func make(_ context: TapContext, known: TapProof) throws -> any AudioTap {
    guard let processing else {
      throw MediaError(
        .usage, about: plan.title, "only looks at sound; put it at \(TapPoint.output.rawValue)")
    }
    return try processing(context, known)
  }
}

/// A tap as a plan, a cache and a report know it.
public struct PlannedTap: Sendable, Hashable, Codable {
  /// Point of the chain at which it sits.
  public var point: TapPoint
  /// Kind, as the command line calls it: `eq`, `fir`, `avfilter`, `lv2`, `exec` or `own`.
  public var kind: String
  /// The name of its file or its code.
  public var name: String
  /// SHA-256 of what decides its samples besides the settings; `nil` where there is nothing.
  public var sha256: String?
  /// Its settings, one each, as the report lists them.
  public var settings: [String]
  /// The items of a queue that pass it, counted from 1; `nil` for all.
  public var items: [Int]?

  /// Name in messages.
  var title: String { "the tap \(point.rawValue):\(kind) \(name)" }
}

/// The cause of a failure that came out of a tap.
struct TapFault: Error {
  /// The tap, as the request has it.
  let tap: Tap
  /// Cause that the tap itself gave; `nil` where it gave none.
  let cause: (any Error)?
}

extension LoadedTap {
  /// Result of `body`; any error names the tap, also one of a type of the tap's own, and has it as its cause.
  func guarding<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try MediaError.naming(plan.title) {
        do {
          return try body()
        } catch let error where !(error is MediaError) {
          throw plan.kind == "own"
            ? MediaError(.tapFailed, about: plan.title, "\(error)", cause: error)
            : MediaError(any: error, input: plan.title)
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
      .unsupportedFeature, .damaged, .verificationFailed, .unavailable, .internal, .tapFailed,
    ]
    return kinds.contains(kind) ? (cause as? TapFault)?.tap : nil
  }

  /// The failure as callers get it: its cause is what a tap itself gave, without the tap.
  var withoutTap: MediaError { (cause as? TapFault).map { caused(by: $0.cause) } ?? self }
}
