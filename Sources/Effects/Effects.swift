// SPDX-License-Identifier: Apache-2.0

// Processing that users ask for by name: equalisers.
//
// To read in this order:
// 1. EqualizerText.swift: the text of Equalizer APO and AutoEq.
// 2. Equalizer.swift: bands and curves.
// 3. EqualizerTap.swift: the filters over channels; Biquad.swift is one of them.
