// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import Synchronization

/// Notes every call of taps and observers, and finds calls that come out of order.
final class LifeLog: Sendable {
  /// A call that can be made to fail.
  enum Call: String, Sendable, CaseIterable {
    case make, prepare, process, finish
  }

  /// A call that fails: that of this name and number in the tap of this name; `nil` for none.
  struct Fault: Sendable {
    let tap: String
    let call: Call
    var number = 1
  }

  /// The failure of a tap.
  struct Injected: Error {}

  private struct Life {
    let tap: String
    var calls: [Call] = [.make]
    var end: TapEnd?
  }

  private struct State {
    var lives: [Life] = []
    var violations: [String] = []
    var closed: [Int] = []
    var counts: [String: Int] = [:]
  }

  private let state = Mutex(State())
  private let fault: Fault?
  private let thread = Mutex<[Int: pthread_t]>([:])

  init(_ fault: Fault? = nil) { self.fault = fault }

  /// Calls out of order.
  var violations: [String] { state.withLock { $0.violations } }
  /// Taps that were made and never closed.
  var open: Int { state.withLock { $0.lives.filter { $0.end == nil }.count } }
  /// How taps ended, by name.
  /// Taps that were only tried aren't among them.
  var ends: [TapEnd?] {
    state.withLock { $0.lives.filter { $0.tap != "probe" }.map(\.end) }
  }
  /// The taps that were made for the sound, and the observers.
  var made: [String] { state.withLock { $0.lives.map(\.tap).filter { $0 != "probe" } } }
  /// Numbers of the taps in the order in which they were closed, without those that were only tried.
  var closed: [Int] {
    state.withLock { state in state.closed.filter { state.lives[$0].tap != "probe" } }
  }

  /// Notes that a tap is made.
  /// - Throws: ``Injected``.
  func make(_ tap: String) throws -> Int {
    try fail(tap, .make)
    return state.withLock { state in
      state.lives.append(Life(tap: tap))
      let number = state.lives.count - 1
      thread.withLock { $0[number] = pthread_self() }
      return number
    }
  }

  /// Notes a call.
  /// - Throws: ``Injected``.
  func note(_ number: Int, _ call: Call) throws {
    let tap = state.withLock { state -> String in
      let life = state.lives[number]
      let before: [Call] =
        switch call {
        case .make: []
        case .prepare: [.make]
        case .process, .finish: [.prepare, .process]
        }
      if life.end != nil { state.violations.append("\(life.tap): \(call) after close") }
      if let last = life.calls.last, !before.contains(last) {
        state.violations.append("\(life.tap): \(call) after \(last)")
      }
      if !isOwnThread(number) { state.violations.append("\(life.tap): another thread") }
      state.lives[number].calls.append(call)
      return life.tap
    }
    try fail(tap, call)
  }

  /// Notes the end.
  func close(_ number: Int, _ end: TapEnd) {
    state.withLock { state in
      if state.lives[number].end != nil {
        state.violations.append("\(state.lives[number].tap): closed twice")
      }
      if !isOwnThread(number) {
        state.violations.append("\(state.lives[number].tap): closed by another thread")
      }
      state.lives[number].end = end
      state.closed.append(number)
    }
  }

  private func isOwnThread(_ number: Int) -> Bool {
    thread.withLock { $0[number].map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  private func fail(_ tap: String, _ call: Call) throws {
    guard let fault, fault.tap == tap, fault.call == call else { return }
    let count = state.withLock { state in
      state.counts[tap + call.rawValue, default: 0] += 1
      return state.counts[tap + call.rawValue] ?? 0
    }
    if count == fault.number { throw Injected() }
  }
}

/// Leaves the sound as it is and notes its calls.
final class LoggedTap: AudioTap {
  let latency = 0
  private let number: Int
  private let log: LifeLog

  init(_ name: String, _ log: LifeLog) throws {
    self.log = log
    number = try log.make(name)
  }

  func prepare(_ format: AudioFormat) throws -> AudioFormat {
    try log.note(number, .prepare)
    return format
  }

  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    try log.note(number, .process)
    output.append(input)
  }

  func finish(into output: AudioBuffer) throws { try log.note(number, .finish) }

  func close(_ end: TapEnd) { log.close(number, end) }
}

/// Looks at nothing and notes its calls.
final class LoggedObserver: AudioObserver {
  private let number: Int
  private let log: LifeLog

  init(_ log: LifeLog) throws {
    self.log = log
    number = try log.make("output")
  }

  func prepare(_ format: AudioFormat) throws { try log.note(number, .prepare) }

  func observe(_ block: AudioBuffer, at position: Int64) throws { try log.note(number, .process) }

  func finish() throws { try log.note(number, .finish) }

  func close(_ end: TapEnd) { log.close(number, end) }
}

extension LifeLog {
  /// Taps at all points, in order.
  var taps: [Tap] {
    [TapPoint.item, .programme, .post].map { point in
      Tap(point, point.rawValue) { context in
        try LoggedTap(context.isProbe ? "probe" : point.rawValue, self)
      }
    } + [.observing("output") { _ in try LoggedObserver(self) }]
  }
}
