// SPDX-License-Identifier: Apache-2.0

// Loudness and peaks (ITU-R BS.1770, EBU R 128): measured, aimed at, held.
//
// To read in this order:
// 1. Metering/LoudnessMeter.swift: gates and figures of what passes.
// 2. TruePeak/TruePeakMeter.swift: peaks between samples.
// 3. Normalising/LoudnessTarget.swift: what is aimed at.
// 4. Normalising/LoudnessNormalizer.swift: the gain, solved by replaying.
// 5. TruePeak/TruePeakLimiter.swift: the limiter; GainEnvelope.swift is its curve.
