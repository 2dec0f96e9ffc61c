// kubernetes_build_info, which every component has among its metrics (component-base, metrics/prometheus/version).

import { versionInfo } from "#cluster/apiserver/http/version.ts";

export const buildInfoHelp =
  "[ALPHA] A metric with a constant '1' value labeled by major, minor, git version, git commit, git tree state, build date, Go version, and compiler from which Kubernetes was built, and platform on which it is running.";

export const buildInfoLabels = {
  build_date: versionInfo.buildDate,
  compiler: versionInfo.compiler,
  git_commit: versionInfo.gitCommit,
  git_tree_state: versionInfo.gitTreeState,
  git_version: versionInfo.gitVersion,
  go_version: versionInfo.goVersion,
  major: versionInfo.major,
  minor: versionInfo.minor,
  platform: versionInfo.platform,
} as const;

/** As they are written, without braces. */
export const buildInfoText = Object.entries(buildInfoLabels)
  .map(([name, value]) => `${name}="${value}"`)
  .join(",");
