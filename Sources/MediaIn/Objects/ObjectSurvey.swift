import ADM
import AudioCore

/// Goes through the changes of a scene's objects without reading any samples.
struct ObjectSurvey {
  private let layout: SceneLayout
  private let items: [RenderingItem]

  /// A survey of `layout`, whose elements are made of `items`, one of each.
  init(_ layout: SceneLayout, _ items: [RenderingItem]) {
    (self.layout, self.items) = (layout, items)
  }

  /// What is known of each element, in their order.
  /// - Throws: ``ADMError`` for times that can't be added.
  func facts() throws(ADMError) -> [ObjectFacts] {
    var result: [ObjectFacts] = []
    var plane = 0
    for (element, item) in zip(layout.elements, items) {
      let planes = layout.planes[plane..<plane + element.planes]
      let tracks = Set(planes.flatMap { $0.terms.terms.map(\.track) }).sorted()
      let timeline = layout.timelines.first { $0.plane == plane }?.timeline
      plane += element.planes
      guard case .object(let name, let start) = element, let timeline else {
        let ranges = planes.map(\.range)
        let end = ranges.map(\.upperBound).max() ?? .max
        var facts = ObjectSurvey.facts(item, nil, .field, tracks)
        facts.start = ranges.map(\.lowerBound).min()
        facts.end = end == .max ? nil : end
        result.append(facts)
        continue
      }
      var facts = ObjectSurvey.facts(item, name, ObjectSurvey.kind(start), tracks)
      try walk(timeline, into: &facts)
      result.append(facts)
    }
    return result
  }

  /// What is known of an item without its changes.
  private static func facts(
    _ item: RenderingItem, _ name: String?, _ kind: ObjectFacts.Kind, _ tracks: [Int]
  ) -> ObjectFacts {
    ObjectFacts(
      id: item.object?.text, kinds: item.listener.kinds, interaction: item.listener.interaction,
      name: name,
      kind: kind, tracks: tracks)
  }

  private static func kind(_ state: ObjectState) -> ObjectFacts.Kind {
    switch state.rules.role {
    case .source: return .object
    case .speaker: return .speaker
    case .ear: return .ear
    }
  }

  private func walk(_ timeline: ItemTimeline, into facts: inout ObjectFacts) throws(ADMError) {
    var timeline = timeline
    while let event = try timeline.advance() {
      facts.add(event.motion.target, at: event.at, isResting: event.motion.isResting)
    }
  }
}
