// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import Verify

/// Sends sound through a program in a process of its own.
final class ProgramTap: AudioTap {
  /// The program in the process.
  struct Program {
    /// Seconds that it may do nothing.
    let patience: Double
    /// The kind of failure when it does nothing for longer.
    let silence: MediaError.Kind
    /// All its settings as they came out; none where it doesn't state them.
    var settings: [String] = []
    /// Remarks about it in any case, as sentences.
    let notes: [String]
    /// Lines, of those that it wrote to its standard error, that are reported when all went well.
    let remarks: ([String]) -> [String]
    /// Why it ended too early, from its end, what it wrote to its standard error, and the number of samples that it had
    /// given.
    let failure: (ChildProcess.End, String, Int64) -> MediaError
    /// Starts it for sound of a format; it may use so many seconds of the processor and write in this folder.
    let start: (AudioFormat, _ seconds: Int, _ scratch: String) throws -> PipedProgram
  }

  /// Samples sent at a time.
  private static let block = 4096

  private let program: Program
  private let context: TapContext
  private let name: String
  private let tailTime: TimeSpec
  let latency: Int
  private(set) var tail = 0
  private var child: PipedProgram?
  private var scratch: ScratchFolder?
  private var channels = 1
  private var sent: Int64 = 0
  private var received: Int64 = 0
  private var packed = PackedBlock(.float32)
  /// Bytes of its output that don't make a whole sample of all channels yet.
  private var rest: [UInt8] = []

  /// The tap `name` of `program`, whose output begins `latency` samples late and may be longer by `tail`.
  init(
    context: TapContext, latency: Int, tail: TimeSpec, name: String, _ program: Program
  ) {
    self.program = program
    self.context = context
    self.latency = latency
    self.name = name
    tailTime = tail
  }

  var contract: TapContract {
    var contract = TapContract()
    contract.blocks = .atMost(ProgramTap.block)
    // Behind the end it gets silence; what it adds when its input ends is cut.
    contract.needsSilence = true
    return contract
  }

  var settings: [String] { program.settings }

  func prepare(_ format: AudioFormat) throws -> AudioFormat {
    channels = format.channels
    tail = Int(tailTime.samples(at: format.sampleRate))
    let scratch = try ScratchFolder()
    self.scratch = scratch
    let seconds = context.expectedFrames.map { 2 * Int($0 / Int64(format.sampleRate)) + 60 }
    child = try program.start(format, seconds ?? 86_400, scratch.path)
    return format
  }

  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    sent += Int64(input.frames)
    try packed.withBytes(input) { bytes in
      try watched {
        try running.exchange(bytes, within: program.patience) { try take($0, into: output) }
      }
    }
  }

  func finish(into output: AudioBuffer) throws {
    let end = try watched {
      try running.finish(within: program.patience) { try take($0, into: output) }
    }
    guard end == .code(0) else {
      throw program.failure(end, child?.errors ?? "", max(0, received - Int64(latency)))
    }
    guard rest.isEmpty, received >= sent else { throw wrongLength }
  }

  private var wrongLength: MediaError {
    MediaError(
      .verificationFailed, about: name,
      "gave \(received) samples for \(sent)\(tail > 0 ? " and a tail of \(tail)" : ""); what it makes longer or "
        + "shorter can't keep its time; state tail=TIME for what sounds on")
  }

  func close(_ end: TapEnd) {
    child?.stop()
    child = nil
    scratch = nil
  }

  private var running: PipedProgram {
    get throws {
      guard let child else { throw MediaError(.internal, about: name, "isn't started") }
      return child
    }
  }

  private func watched<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch PipedProgram.Stop.silence(let seconds) {
      let whole = Int(exactly: seconds).map { "\($0)" }
      throw MediaError(
        program.silence, about: name,
        "took and gave nothing for \(whole ?? "\(seconds)") s and was ended\(said); correct it, or leave it out"
      )
    }
  }

  /// Lines that it wrote to its standard error.
  private var lines: [String] {
    child?.errors.split(whereSeparator: \.isNewline).map(String.init) ?? []
  }

  /// The end of it for messages.
  private var said: String { lines.isEmpty ? "" : ": " + lines.suffix(3).joined(separator: " / ") }

  var remarks: [String] { program.notes + program.remarks(lines) }

  private func take(_ bytes: ArraySlice<UInt8>, into output: AudioBuffer) throws {
    rest += bytes
    let size = 4 * channels
    let frames = rest.count / size
    guard frames > 0 else { return }
    received += Int64(frames)
    // A program that never stops would fill the memory.
    guard received <= sent + Int64(tail) else { throw wrongLength }
    let start = output.grow(by: frames)
    rest.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      output.unpack(base, count: frames, as: .float32, at: start)
    }
    rest.removeFirst(frames * size)
  }
}
