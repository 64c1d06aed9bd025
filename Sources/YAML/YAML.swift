// SPDX-License-Identifier: Apache-2.0

// YAML that can't be trusted, read by libyaml within limits.
//
// To read in this order:
// 1. YAMLParser.swift: text to nodes.
// 2. YAMLText.swift: errors that name file and line.
