// SPDX-License-Identifier: Apache-2.0

// Many jobs in worker processes.
//
// To read in this order:
// 1. Manifest/Manifest.swift: what a batch is asked for.
// 2. Planning/BatchPlanner.swift: items, their outputs and their keys.
// 3. Running/BatchRunner.swift: workers, one after the other.
// 4. Running/WorkerSession.swift: a worker's end of the conversation.
// 5. Results/ResultStore.swift: what was done, kept for the next run.
