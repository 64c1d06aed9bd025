// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import MediaIn
import Platform
import PlayQueue

/// A queue as an input: what it says, and the files that it names.
final class QueueInput {
  /// The queue's own name, for messages.
  let name: String
  /// Content of the queue; paths are as they are opened.
  let queue: PlayQueue
  /// Line of each item in the queue's file; `nil` where it isn't known.
  let lines: [Int?]
  /// The clip that asks for the queue: how its files are decoded, and which part of the programme counts.
  let clip: Clip
  /// Whether the run is to stop.
  let isCancelled: () -> Bool
  /// Path of the queue's own file; `nil` when it has none.
  private let path: String?

  /// The queue called `name`, whose file lies at `path`.
  init(
    _ queue: PlayQueue, name: String, path: String?, lines: [Int?] = [], clip: Clip,
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.queue = queue
    self.name = name
    self.path = path
    self.lines = lines.count == queue.items.count ? lines : queue.items.map { _ in nil }
    self.clip = clip
    self.isCancelled = isCancelled
  }

  /// Whether the file at `path` is the queue's own.
  func isInput(_ path: String) -> Bool {
    self.path.map { MediaLocation.file($0).isSameFile(as: path) } ?? false
  }

  /// The files that it names.
  var localFiles: [String] { queue.files + queue.tapFiles }

  /// The item at `index` (from 0) in words, for messages: its line, number and file.
  func label(_ index: Int) -> String {
    let line = lines[index].map { "line \($0), " } ?? ""
    guard let path = queue.items[index].file else {
      return "\(name), \(line)item \(index + 1)"
    }
    return "\(name), \(line)item \(index + 1) (\(path))"
  }

  /// Makes what `body` throws a failure about the item at `index`.
  func naming<Value>(_ index: Int, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let fault as QueueFault {
      throw self.error(fault)
    } catch let error as MediaError where error.kind != .interrupted {
      throw MediaError(error.kind, about: label(index), error.message, cause: error.cause ?? error)
    }
  }

  /// The failure of a fault that was found in the queue.
  func error(_ fault: QueueFault) -> MediaError {
    var fault = fault
    fault.file = fault.file ?? name
    fault.line =
      fault.line ?? fault.item.flatMap { lines.indices.contains($0 - 1) ? lines[$0 - 1] : nil }
    return fault.mediaError
  }
}

/// One item of a queue after its file was looked at.
enum QueueEntry {
  /// Samples of a track.
  case sound(QueueTrack.Key, QueueTrack, Range<Int64>)
  /// Silence of this length; samples count at the programme's rate.
  case silence(TimeSpec)

  /// Its exact length in a programme of `rate` Hz.
  func length(at rate: Int) -> MediaTime {
    switch self {
    case .sound(_, let track, let range):
      return MediaTime(
        ticks: Int64(range.count), rate: Int64(track.programme.sampleRate))
    case .silence(let length): return Placement.length(ofSilence: length, at: rate)
    }
  }

  /// Programme of the item's track; `nil` for silence.
  var programme: Programme? {
    guard case .sound(_, let track, _) = self else { return nil }
    return track.programme
  }

  /// The rate of the programme of `entries` in Hz: `asked`, else what the queue says, else the one that most samples
  /// have.
  /// - Throws: ``MediaError`` of kind `usage` for a rate at which loudness isn't measured.
  static func rate(
    asked: Int?, _ input: QueueInput, _ entries: [QueueEntry]
  ) throws -> Int {
    let lengths = entries.map { $0.length(at: 48_000) }
    let asked = asked ?? input.queue.rate
    let rate = Placement.programmeRate(asked: asked, input.queue, lengths: lengths) ?? 48_000
    guard AudioFormat.sampleRates.contains(rate) else {
      throw MediaError(
        .usage, about: input.name, "rate \(rate): give a sample rate between 8000 and 384000 Hz")
    }
    return rate
  }

  /// The items of `input`, each looked up in `tracks`.
  /// - Throws: ``MediaError`` naming the first item that can't be used.
  static func all(of input: QueueInput, _ tracks: QueueTracks) throws -> [QueueEntry] {
    do { try input.queue.validate() } catch { throw input.error(error) }
    return try input.queue.items.enumerated().map { index, item in
      switch item.source {
      case .silence(let length): return .silence(length)
      case .file(let path, let track, let range):
        return try input.naming(index) {
          let key = QueueTrack.Key(path: path, track: track)
          let found = try tracks.track(key)
          let samples = try range.samples(
            of: found.frames, at: found.programme.sampleRate, item: index + 1)
          return .sound(key, found, samples)
        }
      }
    }
  }
}
