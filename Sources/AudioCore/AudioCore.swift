// SPDX-License-Identifier: Apache-2.0

// Values and contracts that all targets share; it imports nothing.
//
// To read in this order:
// 1. Programme/Programme.swift: a programme: rate, elements in plane order, facts.
// 2. Programme/ProgrammeBlock.swift: what flows: planes with timed updates of objects, and the laws that hold however blocks are cut.
// 3. Programme/AudioStage.swift: the contract of a step, with exact latency and tail, and its host.
// 4. Formats/Containers.swift: a row for each container, as CodecTraits.swift has one for each codec.
// 5. Failures/MediaError.swift: kinds of failures and their exit codes; Diagnostic.swift has what is reported instead.
// 6. Settings/Setting.swift: each option once: its flag, key, value with range and words, and its effect.
