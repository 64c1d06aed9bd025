// SPDX-License-Identifier: Apache-2.0

/// Processing of the user's own at one point of the chain.
///
/// The calls come in this order, one at a time: `prepare` once, `process` for each block, `finish` once if
/// all went well, and ``close(_:)`` once in any case, even when `prepare` was never reached. Nothing is called
/// after `close`. The output has the format of the input.
public protocol AudioTap: AudioStage {
  /// Contract that it states about itself; asked after `prepare`.
  var contract: TapContract { get }

  /// All its settings as they came out, one each, such as `gain=0.5`; asked after `prepare`.
  var settings: [String] { get }

  /// Remarks on what it did, as sentences for people; asked after `finish`.
  var remarks: [String] { get }

  /// Ends it: files, processes and memory are given back here, and not in `deinit`.
  func close(_ end: TapEnd)
}

extension AudioTap {
  /// Any block size, the same bits in every run, and a memory without bound.
  public var contract: TapContract { TapContract() }

  /// No settings are stated.
  public var settings: [String] { [] }

  /// No remarks are made.
  public var remarks: [String] { [] }

  /// Nothing is given back.
  public func close(_ end: TapEnd) {}
}

/// Something that looks at the samples that are written, and changes nothing.
///
/// The calls come as those of an ``AudioTap``.
public protocol AudioObserver: AnyObject {
  /// Fixes the format of what comes.
  /// - Throws: ``MediaError`` when it can't look at it.
  func prepare(_ format: AudioFormat) throws

  /// Looks at the next samples, the first of which is sample `position` of the output. The block is valid
  /// during the call.
  /// - Throws: ``MediaError`` when it can't look at them.
  func observe(_ block: AudioBuffer, at position: Int64) throws

  /// Called behind the last sample.
  /// - Throws: ``MediaError`` when it can't complete what it does.
  func finish() throws

  /// Ends it.
  func close(_ end: TapEnd)
}

/// Why a tap is closed.
public enum TapEnd: Sendable, Hashable {
  /// The run is done; all outputs are in their places.
  case finished
  /// The run failed, be it in the tap or elsewhere; no output is left.
  case failed
  /// The run was stopped.
  case cancelled
}

/// The point in the chain of an output at which a tap gets the sound.
///
/// The chain is: decode and trim · `item` · renderer · sum of all items · `programme` · rate conversion ·
/// `post` · meter · gain and limiter · `output`.
public enum TapPoint: String, Hashable, ReportWord {
  /// The channels of one decoded item, from its first valid sample, at the item's own rate; of a queue one
  /// tap for each item.
  case item
  /// The rendered programme, all items together, before the rate is converted.
  case programme
  /// The rendered programme at the rate of the output; what comes out is measured and normalised.
  case post
  /// The samples as readers of the file get them. They can only be looked at.
  case output
}

/// The facts reported to a tap about the sound that it will get.
public struct TapContext: Sendable, Hashable {
  /// Point at which it sits.
  public var point: TapPoint
  /// Rate and channels of what it gets.
  public var format: AudioFormat
  /// Number of the output, from 0.
  public var output: Int
  /// Number of the item, from 0; `nil` for the whole programme.
  public var item: Int?
  /// Number of items; 1 for a single input.
  public var items: Int
  /// Title of the item or programme; `nil` where none is known.
  public var title: String?
  /// The input's path or address, without user and password.
  public var source: String
  /// Number of the track in its container; `nil` for a whole queue.
  public var track: Int?
  /// Language tag of the track; `nil` where it states none.
  public var language: String?
  /// Samples that will probably come; `nil` where the input doesn't state them.
  public var expectedFrames: Int64?
  /// Whether the tap is only tried with a test signal before the run.
  public var isProbe: Bool

  /// A context at `point` for sound of `format`; everything else is unknown.
  public init(point: TapPoint, format: AudioFormat) {
    self.point = point
    self.format = format
    output = 0
    item = nil
    items = 1
    title = nil
    source = ""
    track = nil
    language = nil
    expectedFrames = nil
    isProbe = false
  }
}

/// The statements of a tap about itself; asked once, after `prepare`.
public struct TapContract: Sendable, Hashable {
  /// How many samples a tap gets at a time. Blocks are counted from sample 0 of its point, so that they don't
  /// depend on how the pipeline cuts the sound.
  public enum Blocks: Sendable, Hashable, Codable {
    /// Any number; the output bits don't depend on it.
    case any
    /// Always this number; the last block is filled up with silence, and what comes of that is cut.
    case fixed(Int)
    /// This number; only the last block is shorter.
    case atMost(Int)

    /// The number; `nil` for any.
    package var size: Int? {
      switch self {
      case .any: return nil
      case .fixed(let size), .atMost(let size): return size
      }
    }
  }

  /// How much of the past the output depends on.
  public enum Memory: Sendable, Hashable, Codable {
    /// On the same sample only.
    case none
    /// On this many samples before.
    case finite(Int)
    /// On everything before.
    case unbounded
  }

  /// How many samples it gets at a time.
  public var blocks = Blocks.any
  /// How much of the past its output depends on.
  public var memory = Memory.unbounded
  /// Whether equal input gives equal output bits in every run.
  public var isDeterministic = true
  /// Whether `finish` appends nothing, so that latency and tail come out only when silence follows the
  /// sound. The host sends that silence then.
  public var needsSilence = false
  /// Whether it may give more than its input, latency and tail come to, which is cut.
  public var maySoundOn = false

  /// A contract for any block size, whose output is the same in every run and depends on everything before.
  public init() {}
}
