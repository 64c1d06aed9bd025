import AudioCore
import Platform
import Samples
import Signal
import Verify

/// Sends sound through a program of the user's.
final class ProgramTap: AudioTap {
  /// Seconds that a program may do nothing.
  private static let patience = 10
  /// Samples sent at a time.
  private static let block = 4096

  private let words: [String]
  private let launcher: ProgramLauncher
  private let context: TapContext
  private let name: String
  private let tailTime: TimeSpec
  let latency: Int
  private(set) var tail = 0
  private var program: PipedProgram?
  private var scratch: ScratchFolder?
  private var channels = 1
  private var sent: Int64 = 0
  private var received: Int64 = 0
  private var packed = PackedBlock(.float32)
  /// Bytes of its output that don't make a whole sample of all channels yet.
  private var rest: [UInt8] = []

  /// The program that `words` name, with whole paths; its output begins `latency` samples late and may be longer by
  /// `tail`.
  init(
    _ words: [String], launcher: ProgramLauncher, context: TapContext, latency: Int,
    tail: TimeSpec, name: String
  ) throws {
    self.words = words
    self.launcher = launcher
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

  func prepare(_ format: AudioFormat) throws -> AudioFormat {
    channels = format.channels
    tail = Int(tailTime.samples(at: format.sampleRate))
    let scratch = try ScratchFolder()
    self.scratch = scratch
    let seconds = context.expectedFrames.map { 2 * Int($0 / Int64(format.sampleRate)) + 60 }
    program = try launcher.start(
      words[0], Array(words.dropFirst()), environment: environment(format),
      seconds: seconds ?? 86_400, scratch: scratch.path)
    return format
  }

  /// All that the program's environment holds.
  private func environment(_ format: AudioFormat) -> [String] {
    [
      "PATH=\(ProgramPlace.folders.joined(separator: ":"))", "LC_ALL=C", "PINNA_TAP=1",
      "PINNA_RATE=\(format.sampleRate)", "PINNA_CHANNELS=\(format.channels)",
      "PINNA_LAYOUT=\(format.layout.name)",
      // Behind the sound it gets as much silence as its delay and its tail take.
      "PINNA_FRAMES=\(context.expectedFrames.map { $0 + Int64(latency + tail) } ?? -1)",
    ]
  }

  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    sent += Int64(input.frames)
    try packed.withBytes(input) { bytes in
      try watched {
        try running.exchange(bytes, within: ProgramTap.patience) { try take($0, into: output) }
      }
    }
  }

  func finish(into output: AudioBuffer) throws {
    let end = try watched {
      try running.finish(within: ProgramTap.patience) { try take($0, into: output) }
    }
    guard end == .code(0) else { throw failure(end) }
    guard rest.isEmpty, received >= sent else { throw wrongLength }
  }

  private var wrongLength: MediaError {
    MediaError(
      .verificationFailed, about: name,
      "gave \(received) samples for \(sent)\(tail > 0 ? " and a tail of \(tail)" : ""); what it makes longer or "
        + "shorter can't keep its time; state tail=TIME for what sounds on")
  }

  func close(_ end: TapEnd) {
    program?.stop()
    program = nil
    scratch = nil
  }

  private var running: PipedProgram {
    get throws {
      guard let program else { throw MediaError(.internal, about: name, "isn't started") }
      return program
    }
  }

  private func watched<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch PipedProgram.Stop.silence(let seconds) {
      throw MediaError(
        .unavailable, about: name,
        "took and gave nothing for \(seconds) s and was ended\(said); correct it, or leave it out")
    }
  }

  private func failure(_ end: ChildProcess.End) -> MediaError {
    let how =
      switch end {
      case .code(let code): "ended with exit \(code)"
      case .signal(SIGXCPU): "used more of the processor than it may"
      case .signal(let number): "crashed (signal \(number))"
      }
    return MediaError(
      .unsupportedFeature, about: name, "\(how)\(said); correct it, or leave it out")
  }

  /// The end of what it wrote to its standard error.
  private var lines: [String] {
    let all = program?.errors.split(whereSeparator: \.isNewline).map(String.init) ?? []
    return all.suffix(3)
  }

  /// The same for messages.
  private var said: String { lines.isEmpty ? "" : ": " + lines.joined(separator: " / ") }

  var remarks: [String] { lines }

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
