// SPDX-License-Identifier: Apache-2.0

// Boxes of MP4 (ISO/IEC 14496-12), read and written, apart from any file.
//
// To read in this order:
// 1. Boxes/BoxBuilder.swift: how a box is written.
// 2. Boxes/MovieBox.swift: a movie with its tracks; MovieFragmentBox.swift has the samples.
// 3. SampleEntries/AudioSampleEntry.swift: sound's sample entries.
// 4. Reading/BoxScanner.swift: how boxes are walked; MovieFacts.swift reads a whole movie.
// 5. Checks/FragmentedMovieCheck.swift: a written movie against itself.
