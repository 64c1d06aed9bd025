// SPDX-License-Identifier: Apache-2.0

// Presets, and the files that hold settings.
//
// To read in this order:
// 1. Preset.swift: a preset.
// 2. PresetLibrary.swift: built-in ones, and those of the user.
// 3. PresetDocument.swift: a preset's file.
// 4. SettingsTree.swift: YAML and JSON with the lines of their values.
