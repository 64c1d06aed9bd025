/// A system that runs the shards of a batch on several machines, or several of them on one.
package enum EmitEngine: String, Sendable, CaseIterable {
  /// Slurm: a script that submits an array and a merge after it.
  case slurm
  /// Kubernetes: an indexed job and a suspended one that merges.
  case kubernetes
  /// AWS Batch: a script that registers and submits an array job and a merge after it.
  case awsBatch = "aws-batch"
  /// Snakemake: a Snakefile with a rule for shards and one that merges.
  case snakemake
  /// GNU parallel: a script.
  case gnuParallel = "gnu-parallel"

  /// Whether shards run in containers.
  package var usesImages: Bool { self == .kubernetes || self == .awsBatch }
}
