/// Processing of the user's own at one point of the chain.
///
/// The calls come in this order, one at a time: `prepare` once, `process` for each block, `finish` once if
/// all went well, and ``close(_:)`` once in any case, even when `prepare` was never reached. Nothing is called
/// after `close`. The output has the format of the input.
public protocol AudioTap: AudioStage {
  /// What it states about itself; asked after `prepare`.
  var contract: TapContract { get }

  /// All its settings as they came out, one each, such as `gain=0.5`; asked after `prepare`.
  var settings: [String] { get }

  /// What it has to tell about what it did, as sentences for people; asked after `finish`.
  var remarks: [String] { get }

  /// Ends it: files, processes and memory are given back here, and not in `deinit`.
  func close(_ end: TapEnd)
}

extension AudioTap {
  /// Any block size, the same bits in every run, and a memory without bound.
  public var contract: TapContract { TapContract() }

  /// It states none.
  public var settings: [String] { [] }

  /// It has nothing to tell.
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
