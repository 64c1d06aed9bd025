// SPDX-License-Identifier: Apache-2.0

// Measurements of what was written, while the proof reads it back (`--analysis`), and of files for `pinna measure`.
//
// To read in this order:
// 1. Analyser.swift: the contract: each sample once, in order.
// 2. Levels/LevelAnalyser.swift: levels; PhaseAnalyser.swift and SilenceAnalyser.swift beside it.
// 3. Spectra/SpectralFrames.swift: spectra over time.
// 4. Spectra/BandLimitAnalyser.swift: where content ends in frequency.
// 5. Pictures/SpectrogramPicture.swift: a spectrogram as a picture.
