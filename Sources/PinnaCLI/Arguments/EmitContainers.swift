import ArgumentParser

/// Options of `pinna emit` for engines that run containers.
struct EmitContainers: ParsableArguments {
  @Option(help: "Container image (kubernetes, aws-batch).") var image: String?
  @Option(help: "What containers mount: a claim of Kubernetes, a file system of AWS.")
  var volume = "media"
  @Option(help: "Where containers mount it.") var mount = "/data"
  @Option(help: "Queue (aws-batch).") var queue: String?
}
