/// Codebooks of joint object coding (A-JOC, TS 103 190-2, Annex A.1).
final class AJOCBooks {
  private let dry = [
    BookFamily(
      ObjectCodebooks.ajocDryFineF0, ObjectCodebooks.ajocDryFineDf, ObjectCodebooks.ajocDryFineDt),
    BookFamily(
      ObjectCodebooks.ajocDryCoarseF0, ObjectCodebooks.ajocDryCoarseDf,
      ObjectCodebooks.ajocDryCoarseDt),
  ]
  private let wet = [
    BookFamily(
      ObjectCodebooks.ajocWetFineF0, ObjectCodebooks.ajocWetFineDf, ObjectCodebooks.ajocWetFineDt),
    BookFamily(
      ObjectCodebooks.ajocWetCoarseF0, ObjectCodebooks.ajocWetCoarseDf,
      ObjectCodebooks.ajocWetCoarseDt),
  ]

  /// The books of wet or dry values.
  func family(isWet: Bool, isCoarse: Bool) -> BookFamily { (isWet ? wet : dry)[isCoarse ? 1 : 0] }
}
