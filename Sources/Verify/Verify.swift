// SPDX-License-Identifier: Apache-2.0

// Reads back and compares. Nothing is shared with MediaOut, so that a fault of a writer isn't read away.
//
// To read in this order:
// 1. WAV/WAVFileReader.swift: an own reader of WAV.
// 2. Comparing/LayerResult.swift: layers of a comparison, from bytes to what is heard.
// 3. Comparing/AlignmentSearch.swift: where two files belong.
// 4. Comparators/NullComparator.swift: the null test; the others lie beside it.
// 5. Goldens/GoldenComparator.swift: an outcome against a recorded one.
