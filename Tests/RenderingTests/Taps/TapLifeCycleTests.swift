// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import PlayQueue
import Rendering
import TestSupport
import Testing

/// A tap is closed exactly once whatever fails, and never called out of order.
@Suite(.serialized) struct TapLifeCycleTests {
  private static let blocks = 52

  /// A file of 52 blocks of 1024 samples.
  private static func input(_ folder: TemporaryFolder, name: String = "in.wav") throws -> String {
    let planes = QueueCase.noise(2, blocks * 1024)
    try WAVBytes.float32(planes, rate: 48_000).write(to: folder.url(name))
    return folder.file(name)
  }

  private static func request(_ input: MediaLocation, _ output: String, _ log: LifeLog)
    -> RenderRequest
  {
    var rendition = Rendition(.channels())
    rendition.taps = log.taps
    var request = RenderRequest(
      input, outputs: [OutputRequest(.file(output), rendition)])
    request.policy.blockSize = 1024
    return request
  }

  /// Numbers of blocks among `count`: the first ones, one in the middle and the last ones; all of them in a soak.
  private static func places(_ count: Int) -> [Int] {
    let all = Array(1...count)
    let isSampled = count > 6 && !Soak.isRunning
    return isSampled ? [1, 2, 3, count / 2, count - 1, count] : all
  }

  /// Calls of taps that fail: make, prepare and finish once, and ``places(_:)`` of the blocks.
  private static let faults: [LifeLog.Fault] =
    // Each of three taps is asked once, and sent a signal three times.
    (1...9).flatMap { number in
      LifeLog.Call.allCases.map { LifeLog.Fault(tap: "probe", call: $0, number: number) }
    }
    + TapPoint.allCases.flatMap { point -> [LifeLog.Fault] in
      // The written file is read in blocks of another size.
      let processed = point == .output ? 3 : blocks
      return LifeLog.Call.allCases.filter { $0 != .process }.map {
        LifeLog.Fault(tap: point.rawValue, call: $0)
      }
        + TapLifeCycleTests.places(processed).map {
          LifeLog.Fault(tap: point.rawValue, call: .process, number: $0)
        }
    }

  @Test("a tap that fails at any call is closed once, in order, and leaves no file")
  func noFailureBreaksTheOrderOfCalls() async throws {
    let folder = try TemporaryFolder()
    let input = try Self.input(folder)
    for fault in Self.faults {
      let log = LifeLog(fault)
      let request = Self.request(.file(input), folder.file("out.wav"), log)
      let failure = await #expect(throws: RenderFailure.self, "\(fault)") {
        try await RenderPipeline().render(request)
      }
      #expect(failure?.error.kind == .tapFailed, "\(fault)")
      #expect(failure?.error.cause is LifeLog.Injected, "\(fault)")
      #expect(log.violations.isEmpty, "\(fault)")
      #expect(log.open == 0, "\(fault)")
      #expect(log.ends.allSatisfy { $0 == .failed }, "\(fault)")
      #expect(log.closed == log.closed.sorted(by: >), "\(fault)")
      #expect(folder.contents == ["in.wav"], "\(fault)")
    }
  }

  @Test("a full output limit closes all taps as failed") func whatFailsElsewhereClosesThem()
    async throws
  {
    let folder = try TemporaryFolder()
    let input = try Self.input(folder)
    for kilobytes in stride(from: 1, to: 280, by: 10) {
      let log = LifeLog()
      var request = Self.request(.file(input), folder.file("out.wav"), log)
      request.policy.outputLimit = Int64(kilobytes * 1000)
      await #expect(throws: RenderFailure.self) { try await RenderPipeline().render(request) }
      #expect(log.violations.isEmpty)
      #expect(log.open == 0 && log.made.count >= 3)
      #expect(log.ends.allSatisfy { $0 == .failed })
    }
    #expect(folder.contents == ["in.wav"])
  }

  @Test("--strict with a degradation closes all taps as failed") func anExistingOutputClosesThem()
    async throws
  {
    let folder = try TemporaryFolder()
    let input = try Self.input(folder)
    let log = LifeLog()
    var request = Self.request(.file(input), folder.file("out.wav"), log)
    request.policy.isStrict = true
    // Silence that can't be levelled is a degradation.
    try WAVBytes.float32([[Float](repeating: 0, count: 48_000)], rate: 48_000)
      .write(to: folder.url("in.wav"))
    let failure = await #expect(throws: RenderFailure.self) {
      try await RenderPipeline().render(request)
    }
    #expect(failure?.error.kind == .degraded)
    #expect(log.made == ["item", "programme", "post", "output"])
    #expect(log.open == 0 && log.violations.isEmpty)
    #expect(log.ends.allSatisfy { $0 == .failed })
  }

  @Test("a cancelled run closes all taps as cancelled") func stoppingClosesThem() async throws {
    let folder = try TemporaryFolder()
    let input = try Self.input(folder)
    for block in stride(from: 0, to: Self.blocks, by: 5) {
      let log = LifeLog()
      let request = Self.request(.file(input), folder.file("out.wav"), log)
      let task = Task {
        try await RenderPipeline().render(request) { progress in
          if progress.done >= Int64(block * 1024) { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      // The run may come to its end before it sees that it was stopped.
      if block == 0 { task.cancel() }
      let result = await task.result
      #expect(log.violations.isEmpty && log.open == 0)
      let wanted: TapEnd = (try? result.get()) == nil ? .cancelled : .finished
      #expect(log.ends.allSatisfy { $0 == wanted })
    }
  }

  @Test("a good run closes each tap as finished") func aGoodRunFinishesThem() async throws {
    let folder = try TemporaryFolder()
    let log = LifeLog()
    let request = Self.request(.file(try Self.input(folder)), folder.file("out.wav"), log)
    _ = try await RenderPipeline().render(request)
    #expect(log.violations.isEmpty && log.open == 0)
    #expect(log.made == ["item", "programme", "post", "output"])
    #expect(log.closed == log.closed.sorted(by: >))
    #expect(log.closed.count == 4)
    #expect(log.ends.allSatisfy { $0 == .finished })
  }

  @Test("a queue makes a tap for each item and closes all of them after a failure")
  func aQueueHasATapForEachItem() async throws {
    let folder = try TemporaryFolder()
    let paths = try (1...3).map { try Self.input(folder, name: "\($0).wav") }
    let queue = PlayQueue(paths.map { QueueCase.item($0) })
    var faults: [LifeLog.Fault?] = [nil]
    for item in 0..<3 {
      for place in Self.places(Self.blocks) {
        faults.append(
          LifeLog.Fault(tap: "item", call: .process, number: Self.blocks * item + place))
      }
      for call in LifeLog.Call.allCases {
        faults.append(LifeLog.Fault(tap: "item", call: call, number: item + 1))
      }
    }
    for fault in faults {
      let log = LifeLog(fault)
      let request = Self.request(.queue(queue), folder.file("out.wav"), log)
      let report = try? await RenderPipeline().render(request)
      #expect(log.violations.isEmpty && log.open == 0, "\(String(describing: fault))")
      guard fault == nil else {
        #expect(report == nil, "\(String(describing: fault))")
        continue
      }
      #expect(log.made.filter { $0 == "item" }.count == 3)
      let tap = try #require(report?.outputs.first?.taps?.first)
      #expect(tap.instances == 3)
      try FileManager.default.removeItem(atPath: folder.file("out.wav"))
    }
    #expect(folder.contents == ["1.wav", "2.wav", "3.wav"])
  }
}
