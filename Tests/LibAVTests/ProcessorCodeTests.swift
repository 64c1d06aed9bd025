// SPDX-License-Identifier: Apache-2.0
import LibAV
import Testing

@Suite struct ProcessorCodeTests {
  @Test("processor flags are those of this architecture")
  func anExtensionBelongsToThisArchitecture() {
    #if arch(x86_64) || arch(i386)
      let known: Set = ["sse2", "ssse3", "sse4.2", "avx", "fma3", "avx2"]
    #else
      let known: Set = ["neon", "dotprod", "i8mm", "sve", "sve2", "sme", "sme2"]
    #endif
    #expect(Set(ProcessorCode.extensions).isSubset(of: known))
  }

  @Test("plain C code stays chosen while another thread asks for the processor's extensions")
  func aQuestionDoesNotUndoTheChoice() async {
    let asking = Task.detached { while !Task.isCancelled { _ = ProcessorCode.extensions } }
    let undone = Task.detached {
      (0..<20_000).count { _ in
        ProcessorCode.usePortable(false)
        ProcessorCode.usePortable(true)
        return (0..<20).contains { _ in !ProcessorCode.extensions.isEmpty }
      }
    }
    #expect(await undone.value == 0)
    asking.cancel()
    await asking.value
    ProcessorCode.usePortable(false)
    #expect(!ProcessorCode.extensions.isEmpty)
  }
}
