// Which release the programs that the oracle builds from published modules say that they are.

export const release = "v1.36.3";

const [major, minor] = release.slice(1).split(".") as [string, string];

/** For `go build -ldflags`. */
export const versionFlags = [`gitVersion=${release}`, `gitMajor=${major}`, `gitMinor=${minor}`]
  .map((flag) => `-X k8s.io/component-base/version.${flag}`)
  .join(" ");
