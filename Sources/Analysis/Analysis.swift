// Figures of sound that are gathered while it passes, and pictures of it.
//
// To read in this order:
// 1. Analyser.swift: the contract: sound in order, once.
// 2. Levels/LevelAnalyser.swift: levels; phase and silence lie beside it.
// 3. Spectra/SpectralFrames.swift: spectra over time.
// 4. Spectra/BandLimitAnalyser.swift: where content ends in frequency.
// 5. Pictures/SpectrogramPicture.swift: a spectrogram as a picture.
