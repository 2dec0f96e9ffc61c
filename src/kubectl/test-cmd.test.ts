// Lines of upstream's test/cmd that ours once answered otherwise; outputs are those of the real kubectl v1.36.

import { describe, it } from "vitest";
import { check, kubectlWorld } from "./kubectl.test-kit.ts";

const files = {
  "/tmp/both.json": `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"text":"}{"}}
{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"b"}}`,
  "/tmp/web.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: nginx}]}}
---
apiVersion: apps/v1
ind: Deployment
metadata: {name: broken}
`,
  "/tmp/rc.yaml": `apiVersion: v1
kind: ReplicationController
metadata: {name: rc}
spec: {selector: {app: rc}, template: {metadata: {labels: {app: rc}}, spec: {containers: [{name: web, image: nginx}]}}}
`,
  "/tmp/sar.json": `{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"bob","nonResourceAttributes":{"path":"/x","verb":"get"}}}`,
};
const broken = `unable to decode "web.yaml": Object 'Kind' is missing in '{"apiVersion":"apps/v1","ind":"Deployment","metadata":{"name":"broken"}}'\n`;

describe("kubectl", () => {
  it("reads JSON objects one behind the other", () => {
    check(kubectlWorld(files), [
      { line: "create -f both.json", stdout: "configmap/a created\nconfigmap/b created\n" },
      {
        line: "get -f both.json -o name -w",
        stdout: "configmap/a\nconfigmap/b\n",
        stderr: "error: watch is only supported on individual resources and resource collections - 2 resources were found\n",
        code: 1,
      },
      {
        line: "get cm a b -o name -w",
        stdout: "configmap/a\nconfigmap/b\n",
        stderr: "error: you may only watch a single resource or type of resource at a time\n",
        code: 1,
      },
    ]);
  });

  it("does what is good in a file, and words what is not", () => {
    check(kubectlWorld(files), [
      {
        line: "create -f web.yaml",
        stdout: "deployment.apps/web created\n",
        stderr:
          'error: error validating "web.yaml": error validating data: kind not set; if you choose to ignore these errors, turn validation off with --validate=false\n',
        code: 1,
      },
      {
        line: "autoscale -f web.yaml --max=2",
        stdout: "horizontalpodautoscaler.autoscaling/web autoscaled\n",
        stderr: `error: ${broken}`,
        code: 1,
      },
      { line: "rollout pause -f web.yaml", stdout: "deployment.apps/web paused\n", stderr: broken, code: 1 },
      { line: "edit -f web.yaml", stderr: `error: ${broken}`, code: 1 },
      { line: "create -f rc.yaml", stdout: "replicationcontroller/rc created\n" },
      {
        line: "rollout undo -f rc.yaml",
        stderr: 'error: no rollbacker has been implemented for "ReplicationController"\n',
        code: 1,
      },
    ]);
  });

  it("asks for no group, uid or extra without a user", () => {
    for (const flag of ["--as-group=dev", "--as-uid=7", "--as-user-extra=key=v"]) {
      check(kubectlWorld(), [
        {
          line: `get pods ${flag}`,
          stderr: "error: requesting uid, groups or user-extra for kubernetes-admin without impersonating a user\n",
          code: 1,
        },
      ]);
    }
  });

  it("handles objects without a name, and groups that are none", () => {
    check(kubectlWorld(files), [
      { line: "create -f sar.json", stdout: "subjectaccessreview.authorization.k8s.io/<unknown> created\n" },
      {
        line: "create --raw /api/v1/namespaces -f sar.json --edit",
        stderr: "error: --raw and --edit are mutually exclusive\n",
        code: 1,
      },
      {
        line: "create role r --verb=get --resource=rs.none/scale",
        stderr: `the server doesn't have a resource type "rs" in group "none"\n`,
        code: 1,
      },
    ]);
  });

  it("takes --template for the format unless --output is given", () => {
    check(kubectlWorld(), [
      { line: "config view --template={{.kind}}:", stdout: "Config:" },
      { line: "create cm c --dry-run=client --template={{.kind}}: -o name", stdout: "configmap/c\n" },
    ]);
  });

  it("records the command of a patch", () => {
    check(kubectlWorld(files), [
      { line: "create -f both.json", stdout: "configmap/a created\nconfigmap/b created\n" },
      {
        line: `patch cm b -p {} --record -o jsonpath={.metadata.annotations}`,
        stdout: `{"kubernetes.io/change-cause":"kubectl patch cm b --patch={} --record=true --output=jsonpath={.metadata.annotations}"}`,
        stderr: "Flag --record has been deprecated, --record will be removed in the future\n",
      },
    ]);
  });
});
