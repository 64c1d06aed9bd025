// SPDX-License-Identifier: Apache-2.0

/// Turns residuals into samples by the filters of a channel.
///
/// The FIR filter takes the samples before, the IIR filter the samples less their whole predictions. Both histories move on with
/// every sample, also while a filter is off.
enum Predictor {
  /// The filters of a channel in a block.
  struct Filters {
    let taps: UnsafePointer<Int32>
    let channel: Substream.Channel
    /// Low bits of a prediction that don't count.
    let step: Int
    /// Bits of a sample with its sign.
    let bits: Int

    /// Places that the sum is shifted right.
    var precision: Int64 {
      Int64(channel.firOrder > 0 ? channel.firPrecision : channel.iirPrecision)
    }
  }

  /// Replaces `count` residuals at `samples` by samples. Eight values lie before both pointers, the newest last.
  /// - Returns: whether all samples and errors fit the bits that they may have.
  static func run(
    _ samples: UnsafeMutablePointer<Int32>, _ errors: UnsafeMutablePointer<Int32>, count: Int,
    _ filters: Filters
  ) -> Bool {
    let orders = (filters.channel.firOrder, filters.channel.iirOrder)
    switch orders {
    case (0, 0):
      errors.update(from: samples, count: count)
      return true
    case (1, 0): return filter(samples, errors, count, filters, 1, 0)
    case (2, 0): return filter(samples, errors, count, filters, 2, 0)
    case (3, 0): return filter(samples, errors, count, filters, 3, 0)
    case (4, 0): return filter(samples, errors, count, filters, 4, 0)
    case (5, 0): return filter(samples, errors, count, filters, 5, 0)
    case (6, 0): return filter(samples, errors, count, filters, 6, 0)
    case (7, 0): return filter(samples, errors, count, filters, 7, 0)
    case (8, 0): return filter(samples, errors, count, filters, 8, 0)
    default: return filter(samples, errors, count, filters, orders.0, orders.1)
    }
  }

  /// Filters with orders that are constants where it's called with such ones, so that the loops over taps vanish.
  @inline(__always)
  private static func filter(
    _ samples: UnsafeMutablePointer<Int32>, _ errors: UnsafeMutablePointer<Int32>, _ count: Int,
    _ filters: Filters, _ fir: Int, _ iir: Int
  ) -> Bool {
    let (taps, precision) = (filters.taps, filters.precision)
    let mask = -1 as Int64 &<< Int64(filters.step)
    let half = 1 as Int64 &<< Int64(filters.bits - 1)
    let outside = ~(half &* 2 &- 1)
    var excess: Int64 = 0
    for index in 0..<count {
      var sum: Int64 = 0
      var place = iir
      while place > 0 {
        place &-= 1
        sum &+= Int64(taps[Substream.firTaps + place]) &* Int64(errors[index &- 1 &- place])
      }
      place = fir
      // The newest sample comes last, because the next sum waits for it.
      while place > 0 {
        place &-= 1
        sum &+= Int64(taps[place]) &* Int64(samples[index &- 1 &- place])
      }
      let prediction = sum &>> precision
      let sample = Int64(samples[index]) &+ (prediction & mask)
      let error = sample &- prediction
      excess |= (sample &+ half) | (error &+ half)
      samples[index] = Int32(truncatingIfNeeded: sample)
      errors[index] = Int32(truncatingIfNeeded: error)
    }
    return excess & outside == 0
  }
}
