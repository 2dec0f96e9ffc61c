import { describe, it } from "vitest";
import { serviceAccounts } from "#cluster/api/kinds.ts";
import { check } from "../kubectl.test-kit.ts";
import { rbacWorld } from "../rbac.test-kit.ts";

describe("kubectl describe", () => {
  it("[NET-447] of roles, bindings and service accounts prints what kubectl prints", () => {
    const made = rbacWorld();
    const account = { metadata: { name: "robot", namespace: "team-a" }, imagePullSecrets: [{ name: "a" }, { name: "b" }] };
    made.client.create(serviceAccounts, account);
    check(made, [
      {
        line: "describe role reader -n team-a",
        stdout: `Name:         reader
Labels:       <none>
Annotations:  <none>
PolicyRule:
  Resources               Non-Resource URLs  Resource Names  Verbs
  ---------               -----------------  --------------  -----
  secrets                 []                 [own]           [get]
  deployments.apps/scale  []                 []              [get]
  pods/log                []                 []              [list get]
  pods                    []                 []              [list get]
`,
      },
      {
        line: "describe clusterrolebinding system:kube-dns",
        stdout: `Name:         system:kube-dns
Labels:       kubernetes.io/bootstrapping=rbac-defaults
Annotations:  rbac.authorization.kubernetes.io/autoupdate: true
Role:
  Kind:  ClusterRole
  Name:  system:kube-dns
Subjects:
  Kind            Name      Namespace
  ----            ----      ---------
  ServiceAccount  kube-dns  kube-system
`,
      },
      {
        line: "describe sa robot -n team-a",
        stdout: `Name:                robot
Namespace:           team-a
Labels:              <none>
Annotations:         <none>
Image pull secrets:  a
                     b
Events:              <none>
`,
      },
    ]);
  });
});
