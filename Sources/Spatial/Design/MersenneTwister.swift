/// The generator MT19937 (M. Matsumoto, T. Nishimura: "Mersenne Twister", ACM TOMACS 8, 1998), seeded as
/// `init_genrand` does.
struct MersenneTwister {
  private var state: [UInt32]
  private var next624 = 624

  /// A generator whose sequence depends on `seed` only.
  init(seed: UInt32) {
    state = [seed]
    for index in 1..<624 {
      let last = state[index - 1]
      state.append(1_812_433_253 &* (last ^ (last >> 30)) &+ UInt32(index))
    }
  }

  /// The next 32 random bits.
  mutating func next() -> UInt32 {
    if next624 == 624 { renew() }
    var bits = state[next624]
    next624 += 1
    bits ^= bits >> 11
    bits ^= (bits << 7) & 0x9D2C_5680
    bits ^= (bits << 15) & 0xEFC6_0000
    return bits ^ (bits >> 18)
  }

  private mutating func renew() {
    for index in 0..<624 {
      let joined = (state[index] & 0x8000_0000) | (state[(index + 1) % 624] & 0x7FFF_FFFF)
      let turned = (joined >> 1) ^ (joined & 1 == 0 ? 0 : 0x9908_B0DF)
      state[index] = state[(index + 397) % 624] ^ turned
    }
    next624 = 0
  }
}
