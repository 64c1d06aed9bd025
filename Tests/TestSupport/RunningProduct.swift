// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// A running `pinna`: tests can wait for lines on its standard error, write to its standard input and
/// send it signals. Tests of interruption wait for such lines, never for a span of time.
package final class RunningProduct {
  /// The means of the process besides its arguments.
  package struct Setting: Sendable {
    /// Whether it may run on one processor core only, so that its processing competes with its handling of
    /// signals.
    package var isOnOneCore = false
    /// Whether SIGHUP is ignored when it starts, as under nohup.
    package var ignoresHangup = false
    /// Whether standard input is a pipe that ``feed(_:)`` writes to; else it is empty.
    package var isFed = false
    /// Whether standard output is a pipe that nobody reads; else it is discarded.
    package var isStalled = false

    /// Environment variables besides this process's own.
    package var environment = ["PINNA_CACHE": "off"]

    /// The settings of an ordinary run.
    package init() {}
  }

  /// Seconds after which a process that hangs is killed, so that the test fails instead of waiting
  /// forever. No ordinary run takes nearly as long, so no result depends on it.
  private static let hangGuard = 600.0

  /// fcntl(2)'s F_GETPIPE_SZ, which Swift's Glibc module doesn't declare.
  private static let getPipeSize: Int32 = 1032

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private let rescue: DispatchWorkItem
  private var unread: [UInt8] = []
  private var said = ""

  /// Starts `pinna` with `arguments`.
  package init(_ arguments: [String], _ setting: Setting = Setting()) throws {
    var command = [Product.path] + arguments
    if setting.isOnOneCore { command = ["taskset", "-c", RunningProduct.firstCore] + command }
    if setting.ignoresHangup {
      command = ["bash", "-c", "trap '' HUP; exec \"$0\" \"$@\""] + command
    }
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Under nohup, and in the background of a script, these signals are ignored from the start.
    process.arguments = ["--default-signal=HUP,INT,QUIT,TERM"] + command
    process.environment = ProcessInfo.processInfo.environment
      .merging(setting.environment) { $1 }
    process.standardInput = setting.isFed ? input : FileHandle.nullDevice as Any
    process.standardOutput = setting.isStalled ? output : FileHandle.nullDevice as Any
    process.standardError = errors
    try process.run()
    let identifier = process.processIdentifier
    rescue = DispatchWorkItem { kill(identifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(
      deadline: .now() + RunningProduct.hangGuard, execute: rescue)
  }

  deinit {
    rescue.cancel()
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Whether it hasn't ended yet.
  package var isRunning: Bool { process.isRunning }

  /// The process's number.
  package var identifier: Int32 { process.processIdentifier }

  /// The next line on standard error that `isWanted`.
  /// - Throws: ``ToolFailure`` with all lines so far when standard error ends before such a line.
  @discardableResult
  package func line(where isWanted: (String) -> Bool) throws -> String {
    while let line = nextLine() {
      if isWanted(line) { return line }
    }
    throw ToolFailure(text: "pinna ended without the awaited line; it said: \(said)")
  }

  /// The next line of `--progress ndjson` that states the progress of a pass.
  /// - Throws: ``ToolFailure`` when standard error ends before such a line.
  @discardableResult
  package func progress() throws -> ProgressLine {
    var found: ProgressLine?
    try line { text in
      found = ProgressLine(text)
      return found != nil
    }
    guard let found else { throw ToolFailure(text: "no progress") }
    return found
  }

  /// Sends it a signal.
  package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Writes to its standard input and returns when the process or its pipe has taken everything.
  /// - Throws: ``ToolFailure`` when the process has closed its standard input.
  package func feed(_ data: Data) throws {
    // A write to a pipe nobody reads raises SIGPIPE in this thread, which would end the test run.
    var pipeSignal = sigset_t()
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    do {
      try input.fileHandleForWriting.write(contentsOf: data)
    } catch {
      var noTime = timespec()
      sigtimedwait(&pipeSignal, nil, &noTime)
      throw ToolFailure(text: "pinna reads no more: \(error)")
    }
  }

  /// Closes its standard input.
  package func endInput() throws { try input.fileHandleForWriting.close() }

  /// Waits until its unread standard output fills the pipe, so that its next write blocks.
  package func waitUntilOutputIsStalled() {
    let descriptor = output.fileHandleForReading.fileDescriptor
    // A pipe stores whole pages. With less than one page left, the next block doesn't fit.
    let full = fcntl(descriptor, RunningProduct.getPipeSize) - 4096
    var waiting: Int32 = 0
    while process.isRunning {
      guard ioctl(descriptor, UInt(FIONREAD), &waiting) == 0, waiting <= full else { return }
      usleep(2000)
    }
  }

  /// Waits until the process ends.
  /// - Returns: the exit code, 128 + signal when it was killed, and everything on its standard error.
  package func finish() -> Tool.Result {
    while nextLine() != nil {}
    process.waitUntilExit()
    rescue.cancel()
    let isKilled = process.terminationReason == .uncaughtSignal
    return Tool.Result(
      status: process.terminationStatus + (isKilled ? 128 : 0), output: Data(), errors: said)
  }

  /// The next line on standard error without its line end; `nil` when standard error is closed.
  private func nextLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeFirst(end + 1)
        said += line + "\n"
        return line
      }
      let more = errors.fileHandleForReading.availableData
      guard !more.isEmpty else {
        defer { unread = [] }
        guard !unread.isEmpty else { return nil }
        let line = String(decoding: unread, as: UTF8.self)
        said += line
        return line
      }
      unread += more
    }
  }

  /// Number of the first core this process may run on.
  private static let firstCore: String = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let row = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") } ?? ""
    let list = row.dropFirst("Cpus_allowed_list:".count).drop { !$0.isNumber }
    return String(list.prefix { $0.isNumber })
  }()
}

/// One progress line of `--progress ndjson`.
package struct ProgressLine: Sendable {
  /// Name of the job.
  package let job: String
  /// Samples that are done.
  package let done: Int
  /// Samples in all; `nil` when that isn't known.
  package let total: Int?

  /// Reads `line`; `nil` when it isn't one.
  package init?(_ line: String) {
    guard
      let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      event["type"] as? String == "progress", let done = event["done"] as? Int
    else { return nil }
    job = event["job"] as? String ?? ""
    self.done = done
    total = event["total"] as? Int
  }

  /// The last of the progress lines in `text`.
  package static func last(in text: String) -> ProgressLine? {
    text.split(separator: "\n").reversed().lazy.compactMap { ProgressLine(String($0)) }.first
  }
}
