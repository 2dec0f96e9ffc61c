// Which Go package a type is declared in: the name that OpenAPI documents give it.

import { packageTable } from "../generated/packages.ts";
import { goStruct } from "../go-types.ts";

let packages: Map<string, string> | undefined;

function packageOf(typeName: string): string {
  if (packages === undefined) {
    packages = new Map();
    for (const line of packageTable.split("\n")) {
      const [name = "", ...types] = line.split(" ");
      for (const type of types) packages.set(type, name);
    }
  }
  return packages.get(typeName) ?? "core.v1";
}

/** `io.k8s.api.apps.v1.DeploymentSpec` */
export function definitionName(typeName: string): string {
  const owner = packageOf(typeName);
  const { name } = goStruct(typeName);
  const [group = ""] = owner.split(".");
  if (group === "meta") return `io.k8s.apimachinery.pkg.apis.${owner}.${name}`;
  if (group === "apiextensions") return `io.k8s.apiextensions-apiserver.pkg.apis.${owner}.${name}`;
  if (group === "apiregistration") return `io.k8s.kube-aggregator.pkg.apis.${owner}.${name}`;
  return `io.k8s.api.${owner}.${name}`;
}
