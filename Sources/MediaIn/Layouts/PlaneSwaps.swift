import AudioCore

/// Brings planes into another order by exchanging pairs of them.
struct PlaneSwaps {
  /// Planes that change places, one pair after the other.
  private var pairs: [(Int, Int)] = []

  /// Exchanges that bring plane `sources[i]` to place `i`; `sources` holds each number below its count once.
  init(_ sources: [Int]) {
    var held = Array(sources.indices)
    for place in sources.indices {
      guard let other = held[place...].firstIndex(of: sources[place]), other != place else {
        continue
      }
      pairs.append((place, other))
      held.swapAt(place, other)
    }
  }

  /// Exchanges that bring the channels of `order` into mask order.
  init(_ order: ChannelOrder) {
    self.init(order.layout.speakers.compactMap(order.speakers.firstIndex))
  }

  /// Whether all planes stay where they are.
  var isEmpty: Bool { pairs.isEmpty }

  /// Exchanges the planes of the frames of `buffer` from `start` on.
  func apply(to buffer: AudioBuffer, from start: Int) {
    for (one, other) in pairs {
      guard let first = buffer.channel(one).baseAddress,
        let second = buffer.channel(other).baseAddress
      else { continue }
      for index in start..<buffer.frames {
        (first[index], second[index]) = (second[index], first[index])
      }
    }
  }
}
