// What `kubectl kustomize` v1.36.3 prints for the same folders.

import { describe, expect, it } from "vitest";
import { built } from "./kustomize.test-kit.ts";

describe("patches of a kustomization", () => {
  it("merge by keys with what they add in front, and select targets by expressions and labels", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patches:
- path: p.yaml
- target: {kind: Deploy.*, name: "w.b"}
  patch: |-
    - op: add
      path: /metadata/labels
      value: {a: b}
    - op: replace
      path: /spec/replicas
      value: 5
- target: {labelSelector: "a=b"}
  patch: |-
    apiVersion: v1
    kind: X
    metadata: {name: any, annotations: {n: "1"}}
% d.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: web
        image: nginx
        args: [a, b]
        env:
        - {name: A, value: a}
        - {name: B, value: b}
        - {name: C, value: c}
        ports:
        - containerPort: 80
        - containerPort: 81
      volumes:
      - {name: old, emptyDir: {}}
      - {name: kept, emptyDir: }
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports:
  - {port: 80, protocol: TCP}
  - {port: 81, protocol: TCP}
% p.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
      - name: side
        image: new
      - name: web
        env:
        - name: B
          value: c
        - name: A
          $patch: delete
        ports:
        - containerPort: 80
          name: http
        - containerPort: 443
      volumes:
      - name: old
        $patch: delete
      - name: n
        emptyDir: {}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  ports:
  - port: 80
    targetPort: 8080
  - port: 443
    name: https
  selector: {x: y, app: null}
`),
    ).toBe(`apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  ports:
  - name: https
    port: 443
  - port: 80
    protocol: TCP
  - port: 81
    protocol: TCP
  selector:
    x: "y"
---
apiVersion: apps/v1
kind: Deployment
metadata:
  annotations:
    "n": "1"
  labels:
    a: b
  name: web
spec:
  replicas: 5
  template:
    spec:
      containers:
      - image: new
        name: side
      - args:
        - a
        - b
        env:
        - name: B
          value: c
        - name: C
          value: c
        image: nginx
        name: web
        ports:
        - containerPort: 80
          name: http
        - containerPort: 443
        - containerPort: 81
      volumes:
      - emptyDir: {}
        name: "n"
      - name: kept
`);
  });

  it("find ports by all the keys that are given", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patches:
- path: p.yaml
% d.yaml
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: web
    ports:
    - containerPort: 80
    - containerPort: 53
      protocol: UDP
    - containerPort: 53
      protocol: TCP
% p.yaml
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: web
    ports:
    - containerPort: 80
      protocol: TCP
      name: http
    - containerPort: 53
      protocol: UDP
      name: dns
`),
    ).toBe(`apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: web
    ports:
    - containerPort: 80
    - containerPort: 53
      name: dns
      protocol: UDP
    - containerPort: 53
      protocol: TCP
`);
  });

  it("replace and delete by directives", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patches:
- patch: |-
    apiVersion: v1
    kind: Pod
    metadata: {name: web}
    spec:
      containers:
      - $patch: replace
      - name: only
        image: x
      nodeSelector: {$patch: replace, z: "1"}
      tolerations: [{key: b}]
      imagePullSecrets: [{name: q}]
- patch: |-
    $patch: delete
    apiVersion: v1
    kind: Pod
    metadata: {name: gone}
% d.yaml
apiVersion: v1
kind: Pod
metadata: {name: web, finalizers: [a, b]}
spec:
  nodeSelector: {a: b}
  tolerations: [{key: a}]
  imagePullSecrets: [{name: p}]
  containers:
  - name: web
---
apiVersion: v1
kind: Pod
metadata: {name: gone}
`),
    ).toBe(`apiVersion: v1
kind: Pod
metadata:
  finalizers:
  - a
  - b
  name: web
spec:
  containers:
  - image: x
    name: only
  imagePullSecrets:
  - name: q
  - name: p
  nodeSelector:
    z: "1"
  tolerations:
  - key: b
`);
  });

  it("replace the lists of kinds that kustomize does not know", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patches:
- patch: |-
    apiVersion: v1
    kind: Pod
    metadata: {name: web, finalizers: [c, b]}
- patch: |-
    apiVersion: example.com/v1
    kind: Thing
    metadata: {name: t}
    spec: {list: [{name: b}], map: {a: null, c: d}}
% d.yaml
apiVersion: v1
kind: Pod
metadata: {name: web, finalizers: [a, b]}
---
apiVersion: example.com/v1
kind: Thing
metadata: {name: t}
spec: {list: [{name: a}], map: {a: b}}
`),
    ).toBe(`apiVersion: example.com/v1
kind: Thing
metadata:
  name: t
spec:
  list:
  - name: b
  map:
    c: d
---
apiVersion: v1
kind: Pod
metadata:
  finalizers:
  - c
  - b
  - a
  name: web
`);
  });

  it("merge lists of all sorts", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
patches:
- patch: |-
    apiVersion: v1
    kind: Pod
    metadata: {name: a}
    spec:
      volumes: [{name: c, emptyDir: {}}, {name: a, emptyDir: null, configMap: {name: x}}]
      containers:
      - name: b
        volumeMounts: [{mountPath: /x, name: c}]
        command: [new]
        resources: {limits: {cpu: null, memory: 1Gi}}
      hostAliases: [{ip: 1.1.1.1, hostnames: [x]}]
      topologySpreadConstraints: [{topologyKey: a, whenUnsatisfiable: DoNotSchedule, maxSkew: 2}]
% r.yaml
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  containers:
  - name: a
    image: x
  - name: b
    image: y
    command: [old, x]
    volumeMounts: [{mountPath: /y, name: a}, {mountPath: /x, name: a}]
    resources: {limits: {cpu: 1, memory: 2Gi}}
  volumes: [{name: a, emptyDir: {}}, {name: b, emptyDir: {}}]
  hostAliases: [{ip: 1.1.1.1, hostnames: [y]}, {ip: 2.2.2.2, hostnames: [y]}]
  topologySpreadConstraints: [{topologyKey: a, whenUnsatisfiable: DoNotSchedule, maxSkew: 1}, {topologyKey: a, whenUnsatisfiable: ScheduleAnyway, maxSkew: 1}]
`),
    ).toBe(`apiVersion: v1
kind: Pod
metadata:
  name: a
spec:
  containers:
  - command:
    - new
    image: "y"
    name: b
    resources:
      limits:
        memory: 1Gi
    volumeMounts:
    - mountPath: /x
      name: c
    - mountPath: /y
      name: a
  - image: x
    name: a
  hostAliases:
  - hostnames:
    - x
    ip: 1.1.1.1
  - hostnames:
    - "y"
    ip: 2.2.2.2
  topologySpreadConstraints:
  - maxSkew: 2
    topologyKey: a
    whenUnsatisfiable: DoNotSchedule
  - maxSkew: 1
    topologyKey: a
    whenUnsatisfiable: ScheduleAnyway
  volumes:
  - emptyDir: {}
    name: c
  - configMap:
      name: x
    name: a
  - emptyDir: {}
    name: b
`);
  });

  it("change name and kind when their options say so, and references follow", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
namePrefix: x-
patches:
- target: {kind: ConfigMap}
  options: {allowNameChange: true, allowKindChange: true}
  patch: |-
    apiVersion: v1
    kind: Secret
    metadata: {name: new}
- target: {kind: Pod}
  patch: |-
    - op: replace
      path: /metadata/name
      value: renamed
% d.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: old}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  volumes: [{name: a, configMap: {name: old}}, {name: b, secret: {secretName: old}}]
`),
    ).toBe(`apiVersion: v1
kind: Secret
metadata:
  name: x-new
---
apiVersion: v1
kind: Pod
metadata:
  name: x-renamed
spec:
  volumes:
  - configMap:
      name: x-new
    name: a
  - name: b
    secret:
      secretName: x-new
`);
  });

  it("do not change name, kind and namespace otherwise", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patches:
- target: {kind: ConfigMap}
  patch: |-
    apiVersion: v1
    kind: Secret
    metadata: {name: new, namespace: other}
    data: {a: b}
% d.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: old}
`),
    ).toBe(`apiVersion: v1
data:
  a: b
kind: ConfigMap
metadata:
  name: old
`);
  });

  it("find objects by their namespace", () => {
    expect(
      built(`% kustomization.yaml
resources: [r.yaml]
patches:
- patch: |-
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: a, namespace: x}
    data: {hit: x}
- target: {namespace: default}
  patch: |-
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: a}
    data: {hit: default}
% r.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: x}
`),
    ).toBe(`apiVersion: v1
data:
  hit: x
kind: ConfigMap
metadata:
  name: a
  namespace: x
---
apiVersion: v1
data:
  hit: default
kind: ConfigMap
metadata:
  name: a
`);
  });

  it("find objects by every name that they had", () => {
    expect(
      built(`% kustomization.yaml
resources: [a]
namePrefix: z-
patches:
- patch: |-
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: c}
    data: {x: "1"}
- patch: |-
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: a-c}
    data: {y: "1"}
replacements:
- source: {kind: ConfigMap, name: c}
  targets:
  - select: {kind: ConfigMap, name: a-c}
    fieldPaths: [data.z]
    options: {create: true}
% a/c.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
% a/kustomization.yaml
namePrefix: a-
resources: [c.yaml]
`),
    ).toBe(`apiVersion: v1
data:
  x: "1"
  "y": "1"
  z: z-a-c
kind: ConfigMap
metadata:
  name: z-a-c
`);
  });

  it("come in old fields as well, which are deprecated", () => {
    expect(
      built(`% kustomization.yaml
resources: [d.yaml]
patchesStrategicMerge:
- p.yaml
- |-
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: old}
  data: {inline: y}
patchesJson6902:
- target: {version: v1, kind: ConfigMap, name: old}
  path: j.yaml
- target: {version: v1, kind: ConfigMap, name: old}
  patch: |-
    - {op: remove, path: /data/a}
% d.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: old}
data: {a: b}
% j.yaml
- op: add
  path: /data/c
  value: d
% p.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: old}
data: {x: y}
`),
    ).toBe(`apiVersion: v1
data:
  c: d
  inline: "y"
  x: "y"
kind: ConfigMap
metadata:
  name: old
# Warning: 'patchesJson6902' is deprecated. Please use 'patches' instead. Run 'kustomize edit fix' to update your Kustomization automatically.
# Warning: 'patchesStrategicMerge' is deprecated. Please use 'patches' instead. Run 'kustomize edit fix' to update your Kustomization automatically.
`);
  });
});
