// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Rendering

/// Expected values are those of the reference implementation (python-xxhash 3).
@Suite struct XXH64Tests {
  private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 * 7 + $0 * 13 + 5) }
  }

  @Test(
    "texts have the sums of the reference implementation",
    arguments: [
      ("", 0, 0xEF46_DB37_51D8_E999), ("abc", 0, 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0, 0xFBCE_A83C_8A37_8BF1),
      ("xxhash", 20_141_025, 0xB559_B98D_844E_0635),
    ] as [(String, UInt64, UInt64)])
  func textsHaveTheReferencesSums(text: String, seed: UInt64, sum: UInt64) {
    #expect(XXH64.of(Array(text.utf8), seed: seed) == sum)
  }

  @Test("bytes of every length below 200, and 131,072 of them, have the reference's sums")
  func everyLengthHasTheReferencesSum() {
    let all = (0..<200).reduce(UInt64(0)) {
      $0 &* 31 &+ XXH64.of(bytes($1), seed: UInt64($1))
    }
    #expect(all == 0x7025_C9C4_D8B4_2082)
    #expect(
      XXH64.of(bytes(131_072), seed: 0x0123_4567_89AB_CDEF) == 0x5C54_58E6_4FD0_A77C)
  }
}
