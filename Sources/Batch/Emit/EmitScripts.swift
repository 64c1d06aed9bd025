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
