// etcd seen from outside, by its own clients on the control-plane node: what lies there, encrypted or not, and snapshots.

import { describe, expect, it } from "vitest";
import { configurationFile, etcdctl, encryptionHead as head, pki, start } from "./encryption.test-kit.ts";

/** 32 bytes each. */
const [key1, key2] = ["QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=", "QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI="];
const aes = (...keys: readonly (readonly [string, string])[]): string =>
  `  - aescbc:\n      keys:\n${keys.map(([name, secret]) => `      - {name: ${name}, secret: ${secret}}\n`).join("")}`;
const identity = "  - identity: {}\n";

describe("etcdctl", () => {
  const { learner, onNode, wait } = start();

  it("[NET-417] shows a Secret's value in plain, in the bytes of the API server", () => {
    learner.run("kubectl create secret generic station --from-literal=password=brume-07");
    expect(onNode(`${etcdctl} get /registry/secrets/default/station | head -c 42 | xxd -p | tail -c 29`)).toContain("6b387300");
    expect(onNode(`${etcdctl} get /registry/secrets/default/station --print-value-only | grep -ac brume-07`)).toBe("1\n");
  });

  it("gives keys as etcd keeps them", () => {
    expect(onNode(`${etcdctl} get /registry/minions --prefix --keys-only`)).toBe(
      "/registry/minions/control-plane\n\n/registry/minions/node-1\n\n",
    );
    expect(onNode(`${etcdctl} get /registry/services/specs/default/kubernetes --count-only -w fields | tail -1`)).toBe(
      '"Count" : 1\n',
    );
    expect(onNode(`${etcdctl} get /registry/pods/default/nothing | wc -l`)).toBe("0\n");
  });

  it("writes keys of its own, and deletes an object past all rules", () => {
    expect(onNode(`${etcdctl} put wind 12; ${etcdctl} get wind; ${etcdctl} del wind`)).toBe("OK\nwind\n12\n1\n");
    expect(onNode(`${etcdctl} put /registry/x y`)).toBe("Error: put below /registry/: not simulated\n");
    learner.run(
      'kubectl create configmap mast && kubectl patch configmap mast -p \'{"metadata":{"finalizers":["example.com/hold"]}}\'',
    );
    expect(onNode(`${etcdctl} del /registry/configmaps/default/mast`)).toBe("1\n");
    expect(learner.run("kubectl get configmap mast")).toBe('Error from server (NotFound): configmaps "mast" not found\n');
  });

  it("watches", () => {
    onNode(`nohup ${etcdctl} watch /registry/configmaps/default/ --prefix > /tmp/watched 2>&1 & sleep 1`);
    learner.run("kubectl create configmap rain; kubectl delete configmap rain");
    wait(1);
    expect(onNode("grep -aE '^(PUT|DELETE|/registry)' /tmp/watched")).toBe(
      "PUT\n/registry/configmaps/default/rain\nDELETE\n/registry/configmaps/default/rain\n",
    );
    onNode(`nohup ${etcdctl} watch wind > /tmp/wind 2>&1 & sleep 1`);
    onNode(`${etcdctl} put wind 12; ${etcdctl} put wind-2 7; ${etcdctl} del wind; sleep 1`);
    expect(onNode("cat /tmp/wind")).toBe("PUT\nwind\n12\nDELETE\nwind\n\n");
  });

  it("says why it gets no answer", () => {
    const warning = (options: string): string => onNode(`etcdctl ${options} get x 2>&1 | grep -o 'error: desc.*'`);
    const last = "\nError: context deadline exceeded\n";
    const https = "--endpoints=https://127.0.0.1:2379";
    expect(warning("")).toBe('error: desc = \\"error reading server preface: EOF\\""}\n');
    expect(warning(`${https} --cacert=${pki}/ca.crt`)).toContain("tls: certificate required");
    expect(warning(https)).toContain("x509: certificate signed by unknown authority");
    expect(warning("--endpoints=127.0.0.1:1")).toContain("dial tcp 127.0.0.1:1: connect: connection refused");
    expect(onNode("etcdctl get x 2>&1")).toContain(last);
    expect(onNode(`etcdctl --cacert=/nowhere get x; echo $?`)).toBe("Error: open /nowhere: no such file or directory\n128\n");
    expect(onNode("etcdctl gte x; etcdctl get --perfix x; etcdctl compaction 4")).toBe(
      'Error: unknown command "gte" for "etcdctl"\nError: unknown flag: --perfix\nError: compaction 4: not simulated\n',
    );
  });

  it("tells of health, status and members", () => {
    expect(onNode(`${etcdctl} endpoint health`)).toMatch(
      /^127\.0\.0\.1:2379 is healthy: successfully committed proposal: took = \S+ms\n$/,
    );
    expect(onNode(`${etcdctl} member list`)).toMatch(
      /^[0-9a-f]+, started, control-plane, https:\/\/172\.18\.0\.2:2380, https:\/\/172\.18\.0\.2:2379, false\n$/,
    );
    expect(onNode(`${etcdctl} endpoint status | cut -d, -f1,3,4,9`)).toBe("127.0.0.1:2379, 3.6.6, 3.6.0, true\n");
  });

  it("is in etcd's own Pod, too", () => {
    const inPod = "kubectl -n kube-system exec etcd-control-plane -- ";
    expect(learner.run(`${inPod}${etcdctl} get /registry/secrets/default/station --keys-only`)).toBe(
      "/registry/secrets/default/station\n\n",
    );
  });
});

describe("encryption at rest", () => {
  it("[NET-417] [NET-418] seals what is written from then on; older objects when they are written again", () => {
    const { learner, stored, encrypt } = start();
    learner.run("kubectl create secret generic old --from-literal=password=brume-07");
    encrypt(aes(["key1", key1]) + identity);
    learner.run("kubectl create secret generic new --from-literal=password=brume-08");
    expect(stored("new")).toMatch(/^k8s:enc:aescbc:v1:key1:/);
    expect(stored("old")).toMatch(/^k8sv1ecret/);
    expect(learner.run("kubectl get secrets -A -o json | kubectl replace -f - | grep old")).toBe("secret/old replaced\n");
    expect(stored("old")).toMatch(/^k8s:enc:aescbc:v1:key1:/);
    expect(learner.run("kubectl get secret old -o jsonpath={.data.password} | base64 -d; echo")).toBe("brume-07\n");
  });

  it("turns keys over: the first writes, all read", () => {
    const { learner, stored, encrypt } = start();
    encrypt(aes(["key1", key1]));
    learner.run("kubectl create secret generic mast --from-literal=password=brume-07");
    encrypt(aes(["key2", key2], ["key1", key1]));
    expect(stored("mast")).toMatch(/^k8s:enc:aescbc:v1:key1:/);
    learner.run("kubectl get secrets -A -o json | kubectl replace -f -");
    expect(stored("mast")).toMatch(/^k8s:enc:aescbc:v1:key2:/);
    encrypt(`  - secretbox: {keys: [{name: box, secret: ${key1}}]}\n${aes(["key2", key2])}`);
    learner.run("kubectl create secret generic box; kubectl get secret mast -o name");
    expect(stored("box")).toMatch(/^k8s:enc:secretbox:v1:box:/);
  });

  it("[NET-419] leaves unreadable what no key of the server fits", () => {
    const { learner, encrypt, restartWith } = start();
    encrypt(aes(["key1", key1]));
    learner.run("kubectl create secret generic mast --from-literal=password=brume-07");
    const refusal = (command: string): string =>
      learner.run(`kubectl ${command} 2>&1`).replace("Error from server (InternalError): ", "");
    encrypt(aes(["key2", key2]) + identity);
    const noKey = "no matching key was found for the provided AES transformer\n";
    expect(refusal("get secret mast")).toBe(`Internal error occurred: ${noKey}`);
    expect(learner.run("kubectl get secret mast -v=6 2>&1")).toContain('status="500 Internal Server Error"');
    expect(refusal("get secrets")).toBe(
      `Internal error occurred: unable to transform key "/registry/secrets/default/mast": ${noKey}`,
    );
    encrypt(identity);
    expect(refusal("get secret mast")).toBe("Internal error occurred: no matching prefix found\n");
    restartWith("");
    expect(refusal("delete secret mast")).toBe("Internal error occurred: identity transformer tried to read encrypted data\n");
    encrypt(aes(["key1", key2]));
    expect(refusal("get secret mast")).toBe("Internal error occurred: invalid padding on input\n");
    encrypt(aes(["key1", key1]));
    expect(learner.run("kubectl get secret mast -o name")).toBe("secret/mast\n");
  });

  it("keeps a server from starting that has not its file, or a wrong one", () => {
    const { onNode, files, restartWith } = start();
    const log = (): string =>
      onNode("crictl logs $(crictl ps -aq --name kube-apiserver | head -1) 2>&1 | tail -1").replace(/^.*err=/, "");
    files.makeDirectories("/etc/kubernetes/enc");
    restartWith(`--encryption-provider-config=${configurationFile}`);
    expect(log()).toBe(
      `"error while parsing file: error while loading file: error reading encryption provider configuration file \\"${configurationFile}\\": open ${configurationFile}: no such file or directory"\n`,
    );
    files.writeFile(configurationFile, `${head}- resources: [secrets]\n  providers:\n${aes(["key1", "c2hvcnQ="])}`);
    onNode("sleep 120");
    expect(log()).toBe(
      '"error while parsing file: resources[0].providers[0].aescbc.keys[0].secret: Invalid value: \\"REDACTED\\": secret is not of the expected length, got 5, expected one of [16 24 32]"\n',
    );
  });
});

describe("a snapshot", () => {
  it("brings back what was there, and takes what came after it", () => {
    const { learner, onNode, wait } = start();
    learner.run("kubectl create deployment web --image=nginx:1.27");
    wait(20);
    onNode(`${etcdctl} put wind 12; ${etcdctl} put calm 0`);
    expect(onNode(`${etcdctl} snapshot save /var/backups.db 2>/dev/null`)).toBe(
      "Snapshot saved at /var/backups.db\nServer version 3.6.0\n",
    );
    learner.run("kubectl delete deployment web; kubectl create configmap later");
    onNode(`${etcdctl} put wind 99; ${etcdctl} put gust 3; ${etcdctl} del calm`);
    wait(40);
    onNode("mv /etc/kubernetes/manifests/kube-apiserver.yaml /etc/kubernetes/manifests/etcd.yaml /root/");
    wait(60);
    expect(
      onNode("etcdutl snapshot restore /var/backups.db --data-dir /var/lib/etcd-restored 2>&1 | grep -c restored.snapshot"),
    ).toBe("1\n");
    onNode(
      "sed -i 's#path: /var/lib/etcd$#path: /var/lib/etcd-restored#' /root/etcd.yaml; mv /root/etcd.yaml /root/kube-apiserver.yaml /etc/kubernetes/manifests/",
    );
    wait(120);
    expect(learner.run("kubectl get deployment web -o jsonpath='{.status.availableReplicas}{\"\\n\"}'")).toBe("1\n");
    expect(learner.run("kubectl get configmap later")).toBe('Error from server (NotFound): configmaps "later" not found\n');
    expect(onNode(`for k in wind calm gust; do ${etcdctl} get $k; done`)).toBe("wind\n12\ncalm\n0\n");
    expect(onNode("etcdutl snapshot restore /var/backups.db --data-dir /var/lib/etcd-restored")).toContain(
      "not empty or could not be read",
    );
  });
});
