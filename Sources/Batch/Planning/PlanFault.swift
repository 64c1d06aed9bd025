import AudioCore

/// Something that is wrong with a plan, and where.
struct PlanFault: Equatable {
  /// File, line or id; `nil` when the sentence names it.
  let place: String?
  /// What is wrong and what to do.
  let sentence: String

  /// The faults as errors: one that many places share is reported once.
  static func sentences(_ faults: [PlanFault]) -> [MediaError] {
    var order: [String] = []
    var places: [String: [String]] = [:]
    for fault in faults {
      if places[fault.sentence] == nil { order.append(fault.sentence) }
      places[fault.sentence, default: []] += [fault.place].compactMap { $0 }
    }
    return order.map { sentence in
      let all = places[sentence] ?? []
      let others = all.count - 1
      let place = all.first.map { $0 + (others > 0 ? " and \(others) more" : "") + ": " } ?? ""
      return MediaError(.usage, place + sentence)
    }
  }
}
