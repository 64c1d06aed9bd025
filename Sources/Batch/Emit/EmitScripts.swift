// SPDX-License-Identifier: Apache-2.0

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

/// A script that runs the shards by GNU parallel, on this machine or on others with the same folders.
struct EmitGNUParallel {
  let order: EmitOrder

  var text: String {
    """
    #!/bin/bash
    # Renders a batch by GNU parallel: bash THIS-FILE [options of parallel, such as -j 4 or --sshlogin].
    set -u

    case "${1-}" in
    shard)
      # 75 and signals may pass, the rest is for the merge to tell.
      for attempt in \((0...order.retries).map(String.init).joined(separator: " ")); do
        [ "$attempt" -eq 0 ] || sleep $((2 ** attempt))
        \(order.batchLine(part: "\"$2\""))
        code=$?
        [ "$code" -eq 75 ] || [ "$code" -ge 128 ] || break
      done
      exit "$code"
      ;;
    esac

    self=$(realpath -- "$0") || exit
    seq 1 \(order.shards) | parallel -q "$@" bash "$self" shard '{}'
    \(ShellText.line(order.mergeWords))

    """
  }
}

/// A script for the command line of AWS: registers two job definitions, submits an array job and a
/// merge that follows it.
///
/// AWS Batch starts a dependent job only if the other one succeeded. So a shard with failed items
/// (exit code 10) counts as done here, and the merge reports the items.
struct EmitAWSBatch {
  let order: EmitOrder

  var text: String {
    let shards = ShellText.line(order.batchWords)
    let script = "\(shards); code=$?; [ $code -eq 10 ] && exit 0; exit $code"
    return """
      #!/bin/bash
      # Renders a batch on AWS Batch: bash THIS-FILE submits an array of \(order.shards) jobs and a merge behind it.
      # Options for aws, such as --region or --profile, may follow on the command line.
      set -eu

      aws "$@" batch register-job-definition --cli-input-json \(ShellText.quoted(definition(order.name, ["/bin/sh", "-c", script]))) >/dev/null
      aws "$@" batch register-job-definition --cli-input-json \(ShellText.quoted(definition(order.name + "-merge", order.mergeWords))) >/dev/null
      job=$(aws "$@" batch submit-job --cli-input-json \(ShellText.quoted(submission)) --query jobId --output text)
      merge=$(aws "$@" batch submit-job --job-name \(order.name)-merge --job-definition \(order.name)-merge \\
        --job-queue \(ShellText.quoted(order.queue ?? "")) --depends-on "jobId=$job" --query jobId --output text)
      echo "shards: job $job; merge: job $merge"

      """
  }

  private func definition(_ name: String, _ words: [String]) -> String {
    let timeout =
      order.minutes.map { ",\n  \"timeout\": {\"attemptDurationSeconds\": \($0 * 60)}" } ?? ""
    return """
      {
        "jobDefinitionName": \(JSONWord.quoted(name)),
        "type": "container",
        "containerProperties": {
          "image": \(JSONWord.quoted(order.image ?? "")),
          "command": \(JSONWord.list(words)),
          "resourceRequirements": [
            {"type": "VCPU", "value": "\(order.cpus)"}, {"type": "MEMORY", "value": "\(order.memory)"}
          ],
          "mountPoints": [{"sourceVolume": "media", "containerPath": \(JSONWord.quoted(order.mount))}],
          "volumes": [{"name": "media", "efsVolumeConfiguration": {"fileSystemId": \(JSONWord.quoted(order.volume))}}]
        },
        "retryStrategy": {
          "attempts": \(order.retries + 1),
          "evaluateOnExit": [
            {"onStatusReason": "Host EC2*", "action": "RETRY"},
            {"onExitCode": "75", "action": "RETRY"},
            {"onExitCode": "137", "action": "RETRY"},
            {"onExitCode": "*", "action": "EXIT"}
          ]
        }\(timeout)
      }
      """
  }

  private var submission: String {
    """
    {
      "jobName": \(JSONWord.quoted(order.name)),
      "jobQueue": \(JSONWord.quoted(order.queue ?? "")),
      "jobDefinition": \(JSONWord.quoted(order.name)),
      "arrayProperties": {"size": \(order.shards)}
    }
    """
  }
}
