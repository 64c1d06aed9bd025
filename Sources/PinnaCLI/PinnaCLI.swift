// SPDX-License-Identifier: Apache-2.0

// The command line: parses, calls, prints.
//
// To read in this order:
// 1. Main.swift: the program and its exit codes.
// 2. Commands/RenderCommand.swift: a command; the others lie beside it.
// 3. Arguments/RequestChoice.swift: arguments to a request.
// 4. Running/RenderEngine.swift: the engine that batches render with.
// 5. Display/Summary.swift: what is printed at the end.
