// Encryption at rest by a KMS plugin, a static Pod of the control-plane node; and a configuration that changes while the server runs.

import { describe, expect, it } from "vitest";
import { encryptionHead, etcdctl, start } from "./encryption.test-kit.ts";

const plugin = (keyId: string): string => `apiVersion: v1
kind: Pod
metadata: {name: kms, namespace: kube-system}
spec:
  hostNetwork: true
  priorityClassName: system-node-critical
  containers:
  - name: kms
    image: docker.io/pilothouse/mock-kms-plugin:1.0
    args: [-listen-addr=unix:///run/kms/kms.sock, -key-id=${keyId}]
    volumeMounts:
    - {name: run, mountPath: /run/kms}
    - {name: keys, mountPath: /var/lib/kms, readOnly: true}
  volumes:
  - {name: run, hostPath: {path: /etc/kubernetes/enc, type: DirectoryOrCreate}}
  - {name: keys, hostPath: {path: /var/lib/kms, type: DirectoryOrCreate}}
`;

/** The socket lies where the server's container has the configuration mounted. */
const socket = "/etc/kubernetes/enc/kms.sock";
const provider = `  - kms: {apiVersion: v2, name: vault, endpoint: 'unix://${socket}'}\n`;
const file = "/etc/kubernetes/enc/enc.yaml";
const identity = "  - identity: {}\n";
const away = `rpc error: code = DeadlineExceeded desc = latest balancer error: connection error: desc = "transport: Error while dialing: dial unix ${socket}: connect: no such file or directory"`;
const refused = "Error from server (InternalError): Internal error occurred: ";

function startWithPlugin() {
  const started = start();
  const { onNode, files, wait, learner } = started;
  onNode("mkdir -p /var/lib/kms; for k in one two; do head -c 32 /dev/urandom > /var/lib/kms/$k; done");
  const runPlugin = (keyId: string): void => {
    files.writeFile("/etc/kubernetes/manifests/kms.yaml", plugin(keyId));
    wait(60);
  };
  const stopPlugin = (): void => {
    files.unlink("/etc/kubernetes/manifests/kms.yaml");
    wait(45);
  };
  /** kubectl quotes an answer that is an error. */
  const raw = (path: string): string =>
    learner.run(`kubectl get --raw '${path}' 2>&1; echo`).replaceAll("\\n", "\n").replaceAll('\\"', '"').trimEnd();
  const serverLog = (): string => onNode("crictl logs $(crictl ps -aq --name kube-apiserver | head -1) 2>&1");
  return { ...started, runPlugin, stopPlugin, raw, serverLog };
}

describe("a KMS plugin", () => {
  it("seals by a seed that its key encrypts, and by another one when its key changes", () => {
    const { learner, encrypt, stored, runPlugin, onNode, raw, wait } = startWithPlugin();
    runPlugin("one");
    encrypt(provider + identity);
    expect(raw("/readyz?verbose")).toContain("[+]kms-providers ok\n");
    learner.run("kubectl create secret generic mast --from-literal=password=brume-07");
    expect(stored("mast")).toMatch(/^k8s:enc:kms:v2:vault:/);
    const value = (name: string): string =>
      onNode(`${etcdctl} get /registry/secrets/default/${name} --print-value-only | tr -dc 'a-z0-9:.'; echo`);
    expect(value("mast")).toContain("one");
    expect(value("mast")).toContain("version.encryption.remote.io");
    expect(learner.run("kubectl get secret mast -o jsonpath={.data.password} | base64 -d; echo")).toBe("brume-07\n");

    runPlugin("two");
    wait(60);
    learner.run("kubectl create secret generic boom");
    expect(value("boom")).toMatch(/two/);
    expect(value("mast")).not.toMatch(/two.*version/);
    const revision = "kubectl get secret mast -o jsonpath={.metadata.resourceVersion}; echo";
    const before = learner.run(revision);
    learner.run("kubectl get secrets -o json | kubectl replace -f -");
    expect(learner.run(revision)).not.toBe(before);
    expect(value("mast")).toMatch(/two/);
    const after = learner.run(revision);
    learner.run("kubectl get secrets -o json | kubectl replace -f -");
    expect(learner.run(revision)).toBe(after);
  });

  it("that is away when the server starts keeps it from being ready, until it comes", () => {
    const { learner, encrypt, runPlugin, raw, serverLog, wait } = startWithPlugin();
    learner.run("kubectl create secret generic old");
    encrypt(provider + identity);
    expect(raw("/readyz/kms-providers")).toContain(`kms-provider-0: ${away}`);
    expect(raw("/readyz")).toContain("[-]kms-providers failed: reason withheld\n");
    expect(raw("/healthz")).toContain("[-]kms-providers failed: reason withheld\n");
    expect(raw("/livez")).toBe("ok");
    expect(learner.run("kubectl create secret generic mast 2>&1")).toContain("got unexpected nil transformer\n");
    expect(learner.run("kubectl get secret old -o name")).toBe("secret/old\n");
    expect(serverLog()).toContain(
      `"failed to create connection to unix socket" err="dial unix ${socket}: connect: no such file or directory" addr="${socket}"`,
    );
    runPlugin("one");
    wait(20);
    expect(raw("/readyz")).toBe("ok");
    expect(learner.run("kubectl create secret generic mast")).toBe("secret/mast created\n");
  });

  it("that goes away takes from the server first what it has not read, then its writes", () => {
    const { learner, encrypt, runPlugin, stopPlugin, raw, wait } = startWithPlugin();
    runPlugin("one");
    encrypt(provider);
    learner.run("kubectl create secret generic mast --from-literal=password=brume-07");
    stopPlugin();
    wait(30);
    expect(raw("/readyz")).toContain("[-]kms-providers failed: reason withheld\n");
    expect(learner.run("kubectl create secret generic soon")).toBe("secret/soon created\n");
    wait(180);
    expect(learner.run("kubectl get secret mast -o name")).toBe("secret/mast\n");
    expect(learner.run("kubectl create secret generic late 2>&1")).toMatch(
      /Internal error occurred: encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at 2026-01-15T\S+Z \(current time is 2026-01-15T\S+Z\)\n$/,
    );
    runPlugin("one");
    expect(learner.run("kubectl create secret generic late")).toBe("secret/late created\n");
  });

  it("is asked for seeds that the server has not seen yet, and waited for as long as a call may take", () => {
    const { learner, files, restartWith, runPlugin, onNode, wait } = startWithPlugin();
    runPlugin("one");
    const write = (more: string): void =>
      files.writeFile(file, `${encryptionHead}- resources: [secrets]\n  providers:\n${provider}${more}`);
    write("");
    restartWith(`--encryption-provider-config=${file} --encryption-provider-config-automatic-reload`.replace(" ", "\n    - "));
    learner.run("kubectl create secret generic mast");
    const reload = (): void => {
      write(identity);
      wait(61);
      write("");
      wait(61);
    };
    reload();
    onNode(`mv ${socket} ${socket}.away`);
    const millis = (): number => Number(learner.run("date +%s%3N"));
    const begin = millis();
    expect(learner.run("kubectl get secret mast 2>&1")).toBe(`${refused}failed to decrypt DEK, error: ${away}\n`);
    const took = millis() - begin;
    expect(took).toBeGreaterThanOrEqual(3_000);
    expect(took).toBeLessThan(4_000);
    expect(learner.run("kubectl get secrets 2>&1")).toBe(
      `${refused}unable to transform key "/registry/secrets/default/mast": failed to decrypt DEK, error: ${away}\n`,
    );
    onNode(`(sleep 2; mv ${socket}.away ${socket}) > /dev/null 2>&1 &`);
    expect(learner.run("kubectl get secret mast -o name")).toBe("secret/mast\n");
    reload();
    onNode("head -c 32 /dev/urandom > /var/lib/kms/one");
    expect(learner.run("kubectl get secret mast 2>&1")).toBe(
      `${refused}failed to decrypt DEK, error: rpc error: code = Unknown desc = cipher: message authentication failed\n`,
    );
  });

  it("that is away may be for all resources: the cluster goes on as far as it can read", () => {
    const { learner, files, restartWith, raw, wait } = startWithPlugin();
    files.makeDirectories("/etc/kubernetes/enc");
    files.writeFile(file, `${encryptionHead}- resources: ['*.*']\n  providers:\n${provider}${identity}`);
    restartWith(`--encryption-provider-config=${file}`);
    wait(60);
    expect(raw("/livez")).toBe("ok");
    expect(learner.run("kubectl create configmap rain 2>&1")).toContain("got unexpected nil transformer\n");
    expect(learner.run("kubectl get nodes -o name")).toBe("node/control-plane\nnode/node-1\n");
  });

  it("has its seals in snapshots, too", () => {
    const { learner, encrypt, runPlugin, onNode, wait, stored } = startWithPlugin();
    runPlugin("one");
    encrypt(provider);
    learner.run("kubectl create secret generic mast --from-literal=password=brume-07");
    onNode(`${etcdctl} snapshot save /var/backups.db`);
    learner.run("kubectl delete secret mast");
    onNode("mv /etc/kubernetes/manifests/kube-apiserver.yaml /etc/kubernetes/manifests/etcd.yaml /root/");
    wait(60);
    onNode("etcdutl snapshot restore /var/backups.db --data-dir /var/lib/etcd-restored");
    onNode("sed -i 's#path: /var/lib/etcd$#path: /var/lib/etcd-restored#' /root/etcd.yaml");
    onNode("mv /root/etcd.yaml /root/kube-apiserver.yaml /etc/kubernetes/manifests/");
    wait(120);
    expect(stored("mast")).toMatch(/^k8s:enc:kms:v2:vault:/);
    expect(learner.run("kubectl get secret mast -o jsonpath={.data.password} | base64 -d; echo")).toBe("brume-07\n");
  });

  it("says why it does not start", () => {
    const { runPlugin, onNode } = startWithPlugin();
    runPlugin("three");
    expect(onNode("crictl logs $(crictl ps -aq --name kms | head -1) 2>&1 | head -1")).toBe(
      "panic: failed to create remote service: key not found\n",
    );
  });
});

describe("a configuration that may change", () => {
  const key = "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=";
  const aes = (name: string): string => `  - aescbc: {keys: [{name: ${name}, secret: ${key}}]}\n`;

  it("counts from the next look at its file on; what is wrong with it leaves things as they were", () => {
    const { learner, files, restartWith, stored, wait, raw, serverLog } = startWithPlugin();
    const write = (providers: string): void =>
      files.writeFile(file, `${encryptionHead}- resources: [secrets]\n  providers:\n${providers}`);
    files.makeDirectories("/etc/kubernetes/enc");
    write(identity);
    restartWith(`--encryption-provider-config=${file}\n    - --encryption-provider-config-automatic-reload`);
    expect(raw("/readyz?verbose")).toContain("[+]kms-providers ok\n");
    expect(raw("/livez?verbose")).toContain("[+]poststarthook/start-encryption-provider-config-automatic-reload ok\n");
    write(aes("key1") + identity);
    learner.run("kubectl create secret generic early");
    wait(60);
    learner.run("kubectl create secret generic mast");
    expect(stored("early")).toMatch(/^k8sv1/);
    expect(stored("mast")).toMatch(/^k8s:enc:aescbc:v1:key1:/);

    files.writeFile(file, "resources: []\n");
    wait(61);
    expect(serverLog()).toContain(
      `"Unhandled Error" err="error processing encryption config file ${file}: error while parsing file: error decoding encryption provider configuration file \\"${file}\\": Object 'Kind' is missing in 'resources: []\\n'" logger="UnhandledError"`,
    );
    learner.run("kubectl create secret generic boom");
    expect(stored("boom")).toMatch(/^k8s:enc:aescbc:v1:key1:/);
    const metrics = raw("/metrics");
    expect(metrics).toMatch(/automatic_reloads_total\{apiserver_id_hash="sha256:[0-9a-f]{64}",status="success"\} 1\n/);
    expect(metrics).toMatch(/automatic_reloads_total\{apiserver_id_hash="sha256:[0-9a-f]{64}",status="failure"\} \d+\n/);
    expect(metrics).toMatch(/last_config_info\{apiserver_id_hash="sha256:[0-9a-f]{64}",hash="sha256:[0-9a-f]{64}"\} 1\n/);

    write(provider + aes("key1"));
    wait(180);
    expect(serverLog()).toContain(
      "health check for new transformers failed, polling error timed out waiting for the condition: kms-provider-0: ",
    );
    learner.run("kubectl create secret generic wind");
    expect(stored("wind")).toMatch(/^k8s:enc:aescbc:v1:key1:/);
  });

  it("is read again only where a flag says so, beside the file's", () => {
    const { restartWith, onNode, serverLog } = startWithPlugin();
    restartWith("--encryption-provider-config-automatic-reload");
    onNode("true");
    expect(serverLog()).toContain(
      'err="--encryption-provider-config-automatic-reload must be set with --encryption-provider-config"',
    );
  });
});
