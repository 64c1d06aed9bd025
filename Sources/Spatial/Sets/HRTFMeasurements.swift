import AudioCore

/// Head-related impulse responses as measured, before any processing.
struct HRTFMeasurements: Sendable {
  /// Samples per second of the responses.
  let sampleRate: Int
  /// Taps per response.
  let taps: Int
  /// One direction per measurement.
  let directions: [Direction]
  /// measurement × ear (left, right) × tap.
  let responses: [Float]
  /// measurement × ear: delay of the response's first tap, in samples.
  let delays: [Double]
  /// What unit ``delays`` had in the file.
  var delayUnit = MeasuredDelays.Unit.none

  /// Index into ``responses`` of the first tap of one ear of one measurement.
  func offset(_ measurement: Int, ear: Int) -> Int { (measurement * 2 + ear) * taps }

  /// First tap whose magnitude reaches a tenth (−20 dB) of the response's peak, plus the delay.
  func onset(_ measurement: Int, ear: Int) -> Double {
    let start = offset(measurement, ear: ear)
    var peak: Float = 0
    for tap in start..<start + taps { peak = max(peak, responses[tap].magnitude) }
    let first = (start..<start + taps).first { responses[$0].magnitude >= peak * 0.1 } ?? start
    return Double(first - start) + delays[measurement * 2 + ear]
  }

  /// Sum of squares of one response.
  func energy(_ measurement: Int, ear: Int) -> Double {
    let start = offset(measurement, ear: ear)
    var sum = 0.0
    for tap in start..<start + taps { sum += Double(responses[tap]) * Double(responses[tap]) }
    return sum
  }
}
