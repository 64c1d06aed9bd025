// SPDX-License-Identifier: Apache-2.0

// Files, descriptors, processes, digests and the sandbox: all that a system does differently.
//
// To read in this order:
// 1. Files/AtomicFile.swift: an output appears whole or not at all.
// 2. Files/PathParts.swift: paths are bytes, not characters.
// 3. Files/Descriptor.swift: reading and writing until all is done.
// 4. Processes/ChildProcess.swift: programs that are started, as PipedProgram.swift does with their sound.
// 5. Sandbox/SandboxPolicy.swift: what a run may touch; Sandbox.swift asks the kernel for it.
