// SPDX-License-Identifier: Apache-2.0

// Samples as files hold them, bits, transforms and filter banks: several steps need them, and none owns them.
//
// To read in this order:
// 1. PackedSamples.swift: between planes of floats and bytes; SampleGrid.swift rounds.
// 2. Bits/BitReader.swift: bit fields, with the failure beyond the end.
// 3. Transforms/DoubleFFT.swift: the transform that designs filters; SingleFFT.swift is that of decoders, ParallelFFT.swift
//    that of measurements whose bits no processor changes.
// 4. Subbands/FilterBank.swift: the 64 bands of AC-4 and JOC.
// 5. Decibels.swift: levels, and their text.
