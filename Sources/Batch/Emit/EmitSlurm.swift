/// A script that submits itself to Slurm: an array with a task for each shard, and a merge that runs when
/// all of them have ended, however they ended.
struct EmitSlurm {
  let order: EmitOrder

  var text: String {
    let logs = order.root + "/.pinna/logs"
    let time = order.minutes.map { " --time=\($0)" } ?? ""
    let common =
      "--job-name=\(order.name) --cpus-per-task=\(order.cpus) --mem=\(order.memory)M\(time) "
      + "--open-mode=append"
    return """
      #!/bin/bash
      # Renders a batch on Slurm: bash THIS-FILE submits an array of \(order.shards) tasks and a merge behind it.
      # Options for sbatch, such as a partition, may follow on the command line.
      set -u

      case "${1-}" in
      shard)
        \(ShellText.line(order.batchWords))
        code=$?
        # 75 and signals may pass: the task goes back to the queue, a few times. 10 (some items failed) and
        # the rest are for the merge to tell.
        if { [ "$code" -eq 75 ] || [ "$code" -ge 128 ]; } && [ "${SLURM_RESTART_COUNT:-0}" -lt \(order.retries) ]; then
          scontrol requeue "$SLURM_JOB_ID" && sleep 60
        fi
        exit "$code"
        ;;
      merge)
        exec \(ShellText.line(order.mergeWords))
        ;;
      esac

      mkdir -p -- \(ShellText.quoted(logs)) || exit
      array=$(sbatch "$@" --parsable \(common) --requeue \\
        --array=0-\(order.shards - 1) --output=\(ShellText.quoted(EmitSlurm.pattern(logs) + "/%A_%a.log")) "$0" shard) || exit
      merge=$(sbatch "$@" --parsable \(common) \\
        --dependency="afterany:${array%%;*}" --output=\(ShellText.quoted(EmitSlurm.pattern(logs) + "/%j_merge.log")) "$0" merge) || exit
      echo "shards: job ${array%%;*}; merge: job ${merge%%;*}; report: "\(ShellText.quoted(order.report))

      """
  }

  /// Slurm replaces `%` in names of files.
  private static func pattern(_ path: String) -> String {
    String(path.flatMap { $0 == "%" ? "%%" : String($0) })
  }
}
