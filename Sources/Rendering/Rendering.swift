// SPDX-License-Identifier: Apache-2.0

// Composes the steps: a request becomes a plan, the plan a run, the run files and a report.
//
// To read in this order:
// 1. Request/RenderRequest.swift: what is asked for.
// 2. Source/OpenedClip.swift: inputs, and a clip that has been opened.
// 3. Plan/PlanCompiler.swift: request and input to plan.
// 4. Running/RenderRun.swift: all steps of a run in order.
// 5. Running/Branch.swift: the way of the sound to one output, up to the spool.
// 6. Delivery/Delivery.swift: from the spool into the file, with its proof.
// 7. Queue/QueueSound.swift: many items as one programme.
