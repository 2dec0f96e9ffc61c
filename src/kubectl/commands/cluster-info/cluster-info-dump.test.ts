import { it } from "vitest";
import { check, kubectlWorld } from "../../kubectl.test-kit.ts";

it("kubectl cluster-info dump prints every list in the form that is asked for", () => {
  check(kubectlWorld(), [
    {
      line: "cluster-info dump --namespaces=nowhere -o jsonpath={.kind};",
      stdout: "NodeList;EventList;ReplicationControllerList;ServiceList;DaemonSetList;DeploymentList;ReplicaSetList;PodList;",
    },
    {
      line: "cluster-info dump --namespaces=nowhere -o name",
      stderr: "error: list types are not supported by name printing: *v1.NodeList\n",
      code: 1,
    },
  ]);
});
