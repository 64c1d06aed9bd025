// SPDX-License-Identifier: Apache-2.0

// Bitstream of IAMF (Eclipsa Audio), read and written side by side, without files.
//
// To read in this order:
// 1. Units/OBU.swift: open bitstream units.
// 2. Descriptors/SequenceDescription.swift: all descriptors, checked against each other.
// 3. Descriptors/PlayableMix.swift: a mix that can be played.
// 4. Elements/ElementReconstructor.swift: substreams to channels or sound field.
// 5. Writing/WrittenSequence.swift: a sequence to be written.
