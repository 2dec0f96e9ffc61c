import { it } from "vitest";
import { WholeCluster } from "../whole-cluster.ts";

it("probe", () => {
  const c = new WholeCluster(2, 3);
  const run = (s: string) => console.log("$ " + s + "\n" + c.sh(s));
  run("kubectl get pods,ds,deploy,svc -n kube-system -o wide");
  run("kubectl get node node-1 -o yaml");
  run("kubectl get leases -n kube-system -o yaml");
  run("kubectl get events -A");
  run("ssh control-plane 'ls /usr/bin /usr/local/bin; systemctl status kubelet; crictl ps; ls /var/lib /etc/kubernetes'");
  run(
    "ssh control-plane 'mv /etc/kubernetes/manifests/etcd.yaml /tmp'; sleep 20; kubectl get nodes; kubectl get --raw '/readyz?verbose'; kubectl get pods -A; ",
  );
}, 200000);
