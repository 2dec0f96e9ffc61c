// CustomResourceDefinitions as projects publish them: read from their Go modules, which are fetched into Go's own cache.

import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { isObject, type JsonObject, type JsonValue } from "#cluster/api/wire.ts";

interface Project {
  readonly module: string;
  /** Folders and files with definitions. */
  readonly within: readonly string[];
}

export const projects: readonly Project[] = [
  { module: "sigs.k8s.io/gateway-api@v1.6.3", within: ["config/crd/standard", "config/crd/experimental"] },
  {
    module: "sigs.k8s.io/cluster-api@v1.14.2",
    within: ["core/config/crd/bases", "bootstrap/kubeadm/config/crd/bases", "controlplane/kubeadm/config/crd/bases"],
  },
  { module: "github.com/argoproj/argo-rollouts@v1.8.3", within: ["manifests/crds"] },
  { module: "github.com/cilium/cilium@v1.20.2", within: ["pkg/k8s/apis/cilium.io/client/crds"] },
  { module: "github.com/prometheus-operator/prometheus-operator@v0.85.0", within: ["example/prometheus-operator-crd-full"] },
  { module: "github.com/external-secrets/external-secrets@v1.3.2", within: ["config/crds/bases"] },
  { module: "github.com/kedacore/keda/v2@v2.21.0", within: ["config/crd/bases"] },
  { module: "github.com/cert-manager/cert-manager@v1.21.2", within: ["deploy/crds"] },
  { module: "github.com/crossplane/crossplane/v2@v2.0.2", within: ["cluster/crds"] },
  { module: "istio.io/api@v1.32.0", within: ["kubernetes"] },
  { module: "knative.dev/serving@v0.51.0", within: ["config/core/300-resources"] },
  { module: "knative.dev/eventing@v0.45.0", within: ["config/core/resources"] },
];

/** Where a module's files are; undefined where it is not to be had. */
export function moduleFolder(module: string): string | undefined {
  const found = spawnSync("go", ["mod", "download", "-json", module], {
    cwd: tmpdir(),
    encoding: "utf8",
    env: { ...process.env, GOFLAGS: "-mod=mod", GOPROXY: onlyProxies() },
    timeout: 300_000,
  });
  return found.status === 0 ? (JSON.parse(found.stdout) as { readonly Dir: string }).Dir : undefined;
}

/** For what its proxies do not have, Go would look for the sources elsewhere, which takes minutes. */
function onlyProxies(): string {
  const all = execFileSync("go", ["env", "GOPROXY"], { encoding: "utf8" }).trim();
  return all.replace(/[,|]direct$/, "");
}

/** All definitions below a folder, or in a file. */
export function definitionsIn(path: string): readonly JsonObject[] {
  return filesIn(path)
    .filter((file) => file.endsWith(".yaml"))
    .flatMap((file) =>
      parseAllDocuments(readFileSync(file, "utf8").replace(/^\s*\{\{.*\}\}\s*$/gm, "")).map((one) => one.toJS() as JsonValue),
    )
    .filter(isObject)
    .filter((one) => one["kind"] === "CustomResourceDefinition" && isObject(one["spec"]));
}

function filesIn(path: string): readonly string[] {
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)]));
}
