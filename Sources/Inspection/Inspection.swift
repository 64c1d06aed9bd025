// Looks at files: probe, measure, compare, validate, goldens, HRTF sets, listening pages.
//
// To read in this order:
// 1. MediaProber.swift: what a file holds.
// 2. MediaMeasurer.swift: its levels.
// 3. FileComparator.swift: two files, layer by layer.
// 4. Goldens/GoldenRunner.swift: a golden's command and its outcome.
// 5. Audition/AuditionMaker.swift: excerpts in several ways, of one loudness.
