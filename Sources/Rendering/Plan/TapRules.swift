import AudioCore
import MediaIn

/// What taps need of the sound and of the output that they are for.
struct TapRules {
  let programme: Programme
  /// The input, for messages.
  let input: String

  /// Makes sure that `taps` get channels of loudspeakers at their points, for the output `name` made by `plan`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  func check(_ taps: [LoadedTap], _ plan: RendererPlan, _ name: String) throws {
    if case .kept = plan, let tap = taps.first {
      throw MediaError(
        .unsupportedFeature, about: name,
        "\(tap.plan.title) works on channels of loudspeakers, but the output keeps \(programme.contents) as they "
          + "are; leave it out, or render to channels")
    }
    guard programme.bedFormat == nil, let tap = taps.first(where: { $0.plan.point == .item })
    else { return }
    throw MediaError(
      .unsupportedFeature, about: input,
      "\(tap.plan.title) works on channels of loudspeakers, but the programme holds \(programme.contents); put it "
        + "at programme or post")
  }

  /// Makes sure that nothing else of the output keeps the old tempo where one of `taps` changes it.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  static func checkTempo(
    _ taps: [LoadedTap], _ endpoint: Endpoint, _ beside: Companions
  ) throws {
    guard let tap = taps.first(where: { !$0.tempo.isSame }) else { return }
    if beside.hasVideo {
      throw MediaError(
        .unsupportedFeature, about: tap.plan.title,
        "changes the tempo, which the pictures can't follow; add \(setting: .video) drop, or leave the tap out"
      )
    }
    guard case .headphones(let listener) = endpoint, case .moving = listener.head,
      taps.contains(where: { $0.plan.point == .item && !$0.tempo.isSame })
    else { return }
    throw MediaError(
      .unsupportedFeature, about: tap.plan.title,
      "changes the tempo in front of the renderer, where the head of \(setting: .trajectory) keeps its own; put it at post, or "
        + "leave the tap or the trajectory out"
    )
  }

  /// Refuses those of `taps` that change the tempo: places in a queue are known before its items are rendered.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  static func checkQueue(_ taps: [LoadedTap]) throws {
    guard let tap = taps.first(where: { !$0.tempo.isSame }) else { return }
    throw MediaError(
      .unsupportedFeature, about: tap.plan.title,
      "changes the tempo, which isn't followed through a queue; render the items one by one, or leave it out"
    )
  }
}
