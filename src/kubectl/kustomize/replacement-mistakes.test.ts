// What `kubectl kustomize` v1.36.3 prints for the same folders.

import { describe, expect, it } from "vitest";
import { built } from "./kustomize.test-kit.ts";

describe("replacements of a kustomization", () => {
  it("refuse a source that there is not", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: ConfigMap, name: nope, fieldPath: data.port}
  targets:
  - select: {kind: Service}
% r.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
`),
    ).toBe(`error: nothing selected by ConfigMap.[noVer].[noGrp]/nope.[noNs]:data.port
(exit 1)
`);
  });

  it("refuse a source that is not one", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: Service, fieldPath: data.port}
  targets:
  - select: {kind: Service}
% r.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
---
apiVersion: v1
kind: Service
metadata: {name: web2}
`),
    ).toBe(`error: multiple matches for selector Service.[noVer].[noGrp]/[noName].[noNs]:data.port
(exit 1)
`);
  });

  it("refuse a source without the field", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: Service, name: web, fieldPath: spec.port}
  targets:
  - select: {kind: Service}
% r.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
`),
    ).toBe(`error: fieldPath \`spec.port\` is missing for replacement source Service.[noVer].[noGrp]/web.[noNs]
(exit 1)
`);
  });

  it("refuse a field that the target does not have", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: Service, name: web}
  targets:
  - select: {kind: Service}
    fieldPaths: [spec.foo.bar]
% r.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {a: 1}
`),
    ).toBe(`error: unable to find field "spec.foo.bar" in replacement target
(exit 1)
`);
  });

  it("refuse an index behind the list", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: Service, name: web}
  targets:
  - select: {kind: Service}
    fieldPaths: [spec.ports.3.name]
% r.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {ports: [{port: 1, name: x}]}
`),
    ).toBe(`error: unable to find field "spec.ports.3.name" in replacement target: index 3 specified but only 1 elements found
(exit 1)
`);
  });

  it("refuse a part that the source does not have", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: Service, name: web, options: {delimiter: "-", index: 4}}
  targets:
  - select: {kind: Service}
    fieldPaths: [spec.ports.0.name]
% r.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {ports: [{port: 1, name: x}]}
`),
    ).toBe(`error: options.index 4 is out of bounds for value web
(exit 1)
`);
  });

  it("need something to select", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: Service, name: web}
  targets:
  - fieldPaths: [metadata.name]
% r.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
`),
    ).toBe(`error: target must specify resources to select
(exit 1)
`);
  });

  it("need targets", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: Service, name: web}
% r.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
`),
    ).toBe(`error: replacements must specify a source and at least one target
(exit 1)
`);
  });

  it("are inline or in a file", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: Service, name: web}
  path: x.yaml
  targets:
  - select: {kind: Service}
    fieldPaths: [metadata.name]
% r.yaml
apiVersion: v1
kind: Service
metadata: {name: web}
`),
    ).toBe(`error: trouble configuring builtin ReplacementTransformer with config: \`
Replacements:
- path: x.yaml
  source:
    kind: Service
    name: web
  targets:
  - fieldPaths:
    - metadata.name
    select:
      kind: Service
\`: cannot specify both path and inline replacement
(exit 1)
`);
  });

  it("take one value, not all of a list", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {kind: ConfigMap, name: conf, fieldPath: "data.*"}
  targets:
  - select: {kind: Ingress}
% r.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data: {host: "db", a.b: "81"}
`),
    ).toBe(`error: error looking up replacement source: wildcard is not supported in PathGetter
(exit 1)
`);
  });

  it("name the source that they did not find with all that was said of it", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
replacements:
- source: {group: apps, version: v1, kind: Deployment, name: web, namespace: x, fieldPath: spec.a, options: {delimiter: ",", index: 2, create: true}}
  targets:
  - {select: {kind: ConfigMap, name: t}}
% r.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
`),
    ).toBe(`error: nothing selected by Deployment.v1.apps/web.x:spec.a:,(2), create=true
(exit 1)
`);
  });
});
