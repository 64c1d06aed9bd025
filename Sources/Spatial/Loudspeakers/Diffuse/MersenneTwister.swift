/// The generator MT19937 of Matsumoto and Nishimura.
struct MersenneTwister {
  private static let length = 624
  private var state: [UInt32]
  private var position: Int

  /// The generator that `init_genrand(seed)` starts.
  init(seed: UInt32) {
    state = [seed]
    for index in 1..<MersenneTwister.length {
      let last = state[index - 1]
      state.append(1_812_433_253 &* (last ^ (last >> 30)) &+ UInt32(index))
    }
    position = MersenneTwister.length
  }

  /// The next 32 random bits.
  mutating func next() -> UInt32 {
    if position == MersenneTwister.length { refill() }
    var value = state[position]
    position += 1
    value ^= value >> 11
    value ^= (value << 7) & 0x9D2C_5680
    value ^= (value << 15) & 0xEFC6_0000
    return value ^ (value >> 18)
  }

  private mutating func refill() {
    let length = MersenneTwister.length
    for index in 0..<length {
      let mixed =
        (state[index] & 0x8000_0000) | (state[(index + 1) % length] & 0x7FFF_FFFF)
      let odd: UInt32 = mixed & 1 == 0 ? 0 : 0x9908_B0DF
      state[index] = state[(index + 397) % length] ^ (mixed >> 1) ^ odd
    }
    position = 0
  }
}
