// SPDX-License-Identifier: Apache-2.0

// Reports as values, and all forms that they are shown in. Their JSON is a contract.
//
// To read in this order:
// 1. Values/RenderReport.swift: the report of a render; its parts lie beside it.
// 2. Text/ReportJSON.swift: the canonical JSON.
// 3. Schemas/ReportSchema.swift: schemas, made of the values.
// 4. Page/ReportPage.swift: the page, made of sections.
// 5. Plots/PlotFrame.swift: figures as SVG.
