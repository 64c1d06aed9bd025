// SPDX-License-Identifier: Apache-2.0

// Speech found in a programme without learnt weights, its loudness, and the slow gain that levels a programme by it.
//
// Only + − × ÷, square roots and comparisons decide, so that every processor finds the same. Files and reports are others' work.
//
// To read in this order:
// 1. Speech/SpeechFeatures.swift: from samples to two numbers for each frame of 20 ms; FrameSpectra.swift and PitchTracker.swift
//    are its parts.
// 2. Speech/SpeechDetector.swift: passages and their speech frames.
// 3. Speech/DialogueFinder.swift: in which signals speech is looked for, and which of them counts where.
// 4. DialogueLoudness.swift: figures of one output, from its StepEnergies.swift.
// 5. Levelling/LevelSolver.swift: the gain that brings a programme into a range; LevelCurve.swift is one try.
