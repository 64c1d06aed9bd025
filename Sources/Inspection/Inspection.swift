// SPDX-License-Identifier: Apache-2.0

// Looks at files: probe, measure, compare, validate, goldens, HRTF sets, listening pages.
//
// To read in this order:
// 1. MediaProber.swift: what a file holds.
// 2. MediaMeasurer.swift: its levels.
// 3. TagRunner.swift: music files that get loudness tags; LoudnessTagger.swift makes those of one.
// 4. FileComparator.swift: two files, layer by layer.
// 5. Goldens/GoldenRunner.swift: a golden's command and its outcome.
// 6. Audition/AuditionMaker.swift: excerpts in several ways, of one loudness.
