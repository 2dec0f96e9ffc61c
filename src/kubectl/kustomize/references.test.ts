// What `kubectl kustomize` v1.36.3 prints for the same folders.

import { describe, expect, it } from "vitest";
import { built } from "./kustomize.test-kit.ts";

describe("references", () => {
  it("follow names and namespaces, by the tables of kustomize", () => {
    expect(
      built(`% kustomization.yaml
namespace: ns
namePrefix: p-
nameSuffix: -s
resources: [all.yaml]
% all.yaml
apiVersion: v1
kind: Namespace
metadata: {name: old}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: sa}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: default}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: rb}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
subjects:
- {kind: ServiceAccount, name: default, namespace: x}
- {kind: ServiceAccount, name: sa}
- {kind: ServiceAccount, name: sa, namespace: default}
- {kind: ServiceAccount, name: other, namespace: x}
- {kind: User, name: joe}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: crb}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: r}
subjects:
- {kind: ServiceAccount, name: sa, namespace: x}
- {kind: ServiceAccount, name: sa, namespace: default}
- {kind: ServiceAccount, name: default}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: r}
rules: [{resources: [configmaps], resourceNames: [cm, other]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: r}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hook}
webhooks: [{name: a, clientConfig: {service: {name: svc, namespace: default, path: /x}}}, {name: b, clientConfig: {service: {name: svc, namespace: q}}}]
---
apiVersion: v1
kind: Service
metadata: {name: svc}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.x}
spec: {service: {name: svc, namespace: old}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crd.x}
spec: {conversion: {webhook: {clientConfig: {service: {name: svc, namespace: old}}}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: cm, namespace: foo}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: fs}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: pvc}
spec: {volumeName: pv, storageClassName: sc}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: sc}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: ic}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ing}
spec:
  ingressClassName: ic
  defaultBackend: {service: {name: svc}}
  tls: [{secretName: sec}]
  rules: [{http: {paths: [{path: /, backend: {service: {name: svc}}}]}}]
---
apiVersion: v1
kind: Secret
metadata: {name: sec}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: hpa}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: pc}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      serviceAccountName: sa
      priorityClassName: pc
      imagePullSecrets: [{name: sec}]
      volumes:
      - {name: a, configMap: {name: cm}}
      - {name: b, secret: {secretName: sec}}
      - {name: c, persistentVolumeClaim: {claimName: pvc}}
      - {name: d, projected: {sources: [{configMap: {name: cm}}, {secret: {name: sec}}]}}
      containers:
      - name: a
        envFrom: [{configMapRef: {name: cm}}, {secretRef: {name: sec}}]
        env: [{name: A, valueFrom: {configMapKeyRef: {name: cm, key: a}}}, {name: B, valueFrom: {secretKeyRef: {name: sec, key: a}}}]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: svc
  volumeClaimTemplates: [{metadata: {name: x}, spec: {storageClassName: sc}}]
---
apiVersion: v1
kind: ReplicationController
metadata: {name: rc}
spec: {template: {spec: {serviceAccountName: sa, volumes: [{name: a, configMap: {name: cm}}]}}}
`),
    ).toBe(`apiVersion: v1
kind: Namespace
metadata:
  name: ns
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: p-sc-s
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crd.x
spec:
  conversion:
    webhook:
      clientConfig:
        service:
          name: svc
          namespace: ns
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: p-default-s
  namespace: ns
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: p-sa-s
  namespace: ns
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: p-r-s
  namespace: ns
rules:
- resourceNames:
  - p-cm-s
  - other
  resources:
  - configmaps
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: p-r-s
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: p-rb-s
  namespace: ns
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: p-r-s
subjects:
- kind: ServiceAccount
  name: p-default-s
  namespace: ns
- kind: ServiceAccount
  name: p-sa-s
  namespace: ns
- kind: ServiceAccount
  name: p-sa-s
  namespace: ns
- kind: ServiceAccount
  name: other
  namespace: x
- kind: User
  name: joe
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: p-crb-s
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: p-r-s
subjects:
- kind: ServiceAccount
  name: sa
  namespace: x
- kind: ServiceAccount
  name: p-sa-s
  namespace: ns
- kind: ServiceAccount
  name: p-default-s
  namespace: ns
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: p-cm-s
  namespace: ns
---
apiVersion: v1
kind: Secret
metadata:
  name: p-sec-s
  namespace: ns
---
apiVersion: v1
kind: Service
metadata:
  name: p-svc-s
  namespace: ns
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: p-pc-s
---
apiVersion: v1
kind: PersistentVolume
metadata:
  name: p-pv-s
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: p-pvc-s
  namespace: ns
spec:
  storageClassName: p-sc-s
  volumeName: p-pv-s
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: p-web-s
  namespace: ns
spec:
  template:
    spec:
      containers:
      - env:
        - name: A
          valueFrom:
            configMapKeyRef:
              key: a
              name: p-cm-s
        - name: B
          valueFrom:
            secretKeyRef:
              key: a
              name: p-sec-s
        envFrom:
        - configMapRef:
            name: p-cm-s
        - secretRef:
            name: p-sec-s
        name: a
      imagePullSecrets:
      - name: p-sec-s
      priorityClassName: p-pc-s
      serviceAccountName: p-sa-s
      volumes:
      - configMap:
          name: p-cm-s
        name: a
      - name: b
        secret:
          secretName: p-sec-s
      - name: c
        persistentVolumeClaim:
          claimName: p-pvc-s
      - name: d
        projected:
          sources:
          - configMap:
              name: p-cm-s
          - secret:
              name: p-sec-s
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: p-db-s
  namespace: ns
spec:
  serviceName: p-svc-s
  volumeClaimTemplates:
  - metadata:
      name: x
    spec:
      storageClassName: p-sc-s
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata:
  name: v1.x
spec:
  service:
    name: p-svc-s
    namespace: ns
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: p-hpa-s
  namespace: ns
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: p-web-s
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata:
  name: p-fs-s
  namespace: ns
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: p-ing-s
  namespace: ns
spec:
  defaultBackend:
    service:
      name: p-svc-s
  ingressClassName: ic
  rules:
  - http:
      paths:
      - backend:
          service:
            name: p-svc-s
        path: /
  tls:
  - secretName: p-sec-s
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata:
  name: p-ic-s
---
apiVersion: v1
kind: ReplicationController
metadata:
  name: p-rc-s
  namespace: ns
spec:
  template:
    spec:
      serviceAccountName: p-sa-s
      volumes:
      - configMap:
          name: cm
        name: a
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: p-hook-s
webhooks:
- clientConfig:
    service:
      name: p-svc-s
      namespace: ns
      path: /x
  name: a
- clientConfig:
    service:
      name: svc
      namespace: q
  name: b
`);
  });

  it("lead to the object of the same base", () => {
    expect(
      built(`% kustomization.yaml
resources: [a, b]
% a/kustomization.yaml
namePrefix: a-
resources: [../base]
% b/kustomization.yaml
namePrefix: b-
namespace: other
resources: [../base]
% base/d.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
% base/kustomization.yaml
resources: [d.yaml]
`),
    ).toBe(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: b-web
  namespace: other
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: a-web
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: b-web
  namespace: other
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: b-web
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: a-web
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: a-web
`);
  });

  it("follow through nested bases", () => {
    expect(
      built(`% kustomization.yaml
resources: [mid, other]
namePrefix: top-
% base/d.yaml
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {volumes: [{name: a, configMap: {name: c}}]}
% base/kustomization.yaml
resources: [d.yaml]
configMapGenerator: [{name: c, literals: [a=b]}]
% mid/kustomization.yaml
namePrefix: mid-
resources: [../base]
% other/kustomization.yaml
nameSuffix: -o
resources: [../base]
`),
    ).toBe(`apiVersion: v1
data:
  a: b
kind: ConfigMap
metadata:
  name: top-c-o-4h2mbtbbt6
---
apiVersion: v1
data:
  a: b
kind: ConfigMap
metadata:
  name: top-mid-c-4h2mbtbbt6
---
apiVersion: v1
kind: Pod
metadata:
  name: top-mid-p
spec:
  volumes:
  - configMap:
      name: top-mid-c-4h2mbtbbt6
    name: a
---
apiVersion: v1
kind: Pod
metadata:
  name: top-p-o
spec:
  volumes:
  - configMap:
      name: top-c-o-4h2mbtbbt6
    name: a
`);
  });

  it("refuse to choose between two", () => {
    expect(
      built(`% kustomization.yaml
resources: [a, b, p.yaml]
% a/kustomization.yaml
namePrefix: a-
configMapGenerator: [{name: c, literals: [a=b]}]
% b/kustomization.yaml
namePrefix: b-
configMapGenerator: [{name: c, literals: [a=b]}]
% p.yaml
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {volumes: [{name: a, configMap: {name: c}}]}
`),
    ).toBe(`apiVersion: v1
data:
  a: b
kind: ConfigMap
metadata:
  name: a-c-4h2mbtbbt6
---
apiVersion: v1
data:
  a: b
kind: ConfigMap
metadata:
  name: b-c-4h2mbtbbt6
---
apiVersion: v1
kind: Pod
metadata:
  name: p
spec:
  volumes:
  - configMap:
      name: c
    name: a
`);
  });
});
