// What `kubectl kustomize` v1.36.3 prints for the same folders.

import { describe, expect, it } from "vitest";
import { built } from "./kustomize.test-kit.ts";

describe("patches of a kustomization", () => {
  it("refuse an object that there is not", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patches:
- patch: |-
    apiVersion: v1
    kind: Pod
    metadata: {name: no}
% d.yaml
apiVersion: v1
kind: Pod
metadata: {name: web}
`),
    ).toBe(`error: no resource matches strategic merge patch "Pod.v1.[noGrp]/no.[noNs]": no matches for Id Pod.v1.[noGrp]/no.[noNs]; failed to find unique target for patch Pod.v1.[noGrp]/no.[noNs]
(exit 1)
`);
  });

  it("need a patch", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patches:
- target: {kind: Service}
% d.yaml
apiVersion: v1
kind: Pod
metadata: {name: web}
`),
    ).toBe(`error: trouble configuring builtin PatchTransformer with config: \`
target:
  kind: Service
\`: must specify one of patch and path in
target:
  kind: Service
(exit 1)
`);
  });

  it("need their file", () => {
    expect(
      built(`% kustomization.yaml
patches:
- target: {kind: Service}
  path: a.yaml
`),
    ).toBe(`error: trouble configuring builtin PatchTransformer with config: \`
path: a.yaml
target:
  kind: Service
\`: failed to get the patch file from path(a.yaml): evalsymlink failure on '/k/a.yaml' : lstat /k/a.yaml: no such file or directory
(exit 1)
`);
  });

  it("are one kind of patch or the other", () => {
    expect(
      built(`% kustomization.yaml
patches:
- patch: "hello"
`),
    ).toBe(`error: trouble configuring builtin PatchTransformer with config: \`
patch: hello
\`: unable to parse SM or JSON patch from [patch: "hello"]
(exit 1)
`);
  });

  it("of JSON need a target", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patches:
- patch: |-
    - op: add
      path: /a
      value: b
% d.yaml
apiVersion: v1
kind: Pod
metadata: {name: web}
`),
    ).toBe(`error: must specify a target for JSON patch [patch: "- op: add\\n  path: /a\\n  value: b"]
(exit 1)
`);
  });

  it("are one for a target", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patches:
- target: {kind: Pod}
  path: p.yaml
% d.yaml
apiVersion: v1
kind: Pod
metadata: {name: web}
% p.yaml
apiVersion: v1
kind: Pod
metadata: {name: web}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
`),
    ).toBe(`error: Multiple Strategic-Merge Patches in one \`patches\` entry is not allowed to set \`patches.target\` field: [path: "p.yaml"]
(exit 1)
`);
  });

  it("tell what a JSON patch cannot do", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patches:
- target: {kind: Pod}
  patch: |-
    - op: replace
      path: /spec/foo
      value: b
% d.yaml
apiVersion: v1
kind: Pod
metadata: {name: web}
`),
    ).toBe(`error: replace operation does not apply: doc is missing path: /spec/foo: missing value
(exit 1)
`);
  });

  it("refuse a wrong expression", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patches:
- target: {kind: "Pod["}
  patch: '[{"op": "remove", "path": "/spec/a"}]'
% d.yaml
apiVersion: v1
kind: Pod
metadata: {name: web}
`),
    ).toBe(`error: error parsing regexp: missing closing ]: \`[)$\`
(exit 1)
`);
  });

  it("refuse a map where a text is", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patches:
- patch: |-
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: old}
    data:
      a:
        b: c
% d.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: old}
data: {a: b}
`),
    ).toBe(`error: wrong node kind: expected ScalarNode but got MappingNode: node contents:
b: c
(exit 1)
`);
  });

  it("refuse a directive that there is not", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patches:
- patch: |-
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: old}
    data: {$patch: foo}
% d.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: old}
data: {a: b}
`),
    ).toBe(`error: unknown patch strategy 'foo'
(exit 1)
`);
  });

  it("of JSON are lists", () => {
    expect(
      built(`% kustomization.yaml
patchesJson6902:
- target: {kind: ConfigMap, name: x}
  patch: |-
    op: add
`),
    ).toBe(`# Warning: 'patchesJson6902' is deprecated. Please use 'patches' instead. Run 'kustomize edit fix' to update your Kustomization automatically.
error: trouble configuring builtin PatchJson6902Transformer with config: \`
jsonOp: 'op: add'
target:
  kind: ConfigMap
  name: x
\`: decoding {"op":"add"}: json: cannot unmarshal object into Go value of type jsonpatch.Patch
(exit 1)
`);
  });

  it("in brackets are JSON", () => {
    expect(
      built(`% kustomization.yaml
resources: [x.yaml]
patches:
- target: {labelSelector: "a in (b,c),d", annotationSelector: "x=y", namespace: "n.*", group: "", version: v1}
  patch: '[{op: add, path: /data, value: {hit: "1"}}]'
% x.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: ns, labels: {a: b, d: e}, annotations: {x: y}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b, namespace: ns, labels: {a: z, d: e}, annotations: {x: y}}
`),
    ).toBe(`error: trouble configuring builtin PatchTransformer with config: \`
patch: '[{op: add, path: /data, value: {hit: "1"}}]'
target:
  annotationSelector: x=y
  labelSelector: a in (b,c),d
  namespace: n.*
  version: v1
\`: unable to parse SM or JSON patch from [patch: "[{op: add, path: /data, value: {hit: \\"1\\"}}]"]
(exit 1)
`);
  });

  it("leave an object its name", () => {
    expect(
      built(`% kustomization.yaml
resources: [x.yaml]
patches:
- target: {kind: ConfigMap}
  patch: |-
    - op: remove
      path: /metadata/name
% x.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
`),
    ).toBe(`error: missing metadata.name in object {{v1 ConfigMap} {{ } map[] map[internal.config.kubernetes.io/previousKinds:ConfigMap internal.config.kubernetes.io/previousNames:a internal.config.kubernetes.io/previousNamespaces:default]}}
(exit 1)
`);
  });
});
