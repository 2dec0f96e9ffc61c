// What `kubectl kustomize` v1.36.3 prints for the same folders.

import { describe, expect, it } from "vitest";
import { built } from "./kustomize.test-kit.ts";

describe("components", () => {
  it("change what was there before them, each after the other, before the kustomization itself", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
components: [one, two]
images: [{name: nginx, newTag: top}]
% d.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: a, image: nginx}], volumes: [{name: v, configMap: {name: x}}]}}}
% one/kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
images: [{name: nginx, newTag: one}]
components: [../three]
labels: [{pairs: {one: "1"}}]
% three/kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
nameSuffix: -3
% two/kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
replicas: [{name: web, count: 2}]
configMapGenerator: [{name: x, literals: [a=b]}]
`),
    ).toBe(`error: accumulating components: accumulateDirectory: "recursed accumulation of path '/k/one': accumulating components: accumulateDirectory: \\"couldn't make target for path '/k/three': invalid Kustomization: json: cannot unmarshal number into Go struct field Kustomization.nameSuffix of type string\\""
(exit 1)
`);
  });

  it("see the resources of their parent, and bring their own", () => {
    expect(
      built(`% kustomization.yaml
namePrefix: top-
resources: [base]
components: [comp]
% base/d.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers: [{name: web, image: nginx}]
% base/kustomization.yaml
resources: [d.yaml]
% comp/cm.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: own}
% comp/kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources: [cm.yaml]
configMapGenerator:
- name: gen
  literals: [a=b]
namePrefix: c-
patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec: {template: {spec: {containers: [{name: web, envFrom: [{configMapRef: {name: gen}}]}]}}}
`),
    ).toBe(`apiVersion: v1
data:
  a: b
kind: ConfigMap
metadata:
  name: top-c-gen-4h2mbtbbt6
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: top-c-own
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: top-c-web
spec:
  template:
    spec:
      containers:
      - envFrom:
        - configMapRef:
            name: top-c-gen-4h2mbtbbt6
        image: nginx
        name: web
`);
  });

  it("are no resources", () => {
    expect(
      built(`% kustomization.yaml
resources: [comp]
% comp/kustomization.yaml
kind: Component
namePrefix: a
`),
    ).toBe(`error: accumulating resources: accumulation err='accumulating resources from 'comp': '/k/comp' must resolve to a file': expected kind != 'Component' for path '/k/comp'
(exit 1)
`);
  });

  it("are no other kustomizations", () => {
    expect(
      built(`% kustomization.yaml
components: [comp]
% comp/kustomization.yaml
namePrefix: a
`),
    ).toBe(`error: accumulating components: accumulateDirectory: "expected kind 'Component' for path '/k/comp' but got 'Kustomization'"
(exit 1)
`);
  });

  it("need their folder", () => {
    expect(
      built(`% kustomization.yaml
components: [comp]
`),
    ).toBe(`error: accumulating components: loader.New "must build at directory: not a valid directory: evalsymlink failure on '/k/comp' : lstat /k/comp: no such file or directory"
(exit 1)
`);
  });

  it("have a version of their own", () => {
    expect(
      built(`% kustomization.yaml
components: [comp]
% comp/kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Component
namePrefix: a
`),
    ).toBe(`error: accumulating components: accumulateDirectory: "couldn't make target for path '/k/comp': Failed to read kustomization file under /k/comp:\\napiVersion for Component should be kustomize.config.k8s.io/v1alpha1"
(exit 1)
`);
  });

  it("quote what went wrong below them", () => {
    expect(
      built(`% kustomization.yaml
components: [one]
% one/kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
resources: ["no'\\"file.yaml"]
`),
    ).toBe(`error: accumulating components: accumulateDirectory: "recursed accumulation of path '/k/one': accumulating resources: accumulation err='accumulating resources from 'no'\\"file.yaml': evalsymlink failure on '/k/one/no'\\"file.yaml' : lstat /k/one/no'\\"file.yaml: no such file or directory': must build at directory: not a valid directory: evalsymlink failure on '/k/one/no'\\"file.yaml' : lstat /k/one/no'\\"file.yaml: no such file or directory"
(exit 1)
`);
  });

  it("cannot hold themselves", () => {
    expect(
      built(`% kustomization.yaml
components: [one]
% one/kustomization.yaml
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
components: [../one]
`),
    ).toBe(`error: accumulating components: accumulateDirectory: "recursed accumulation of path '/k/one': accumulating components: loader.New \\"cycle detected: candidate root '/k/one' contains visited root '/k/one'\\""
(exit 1)
`);
  });
});
