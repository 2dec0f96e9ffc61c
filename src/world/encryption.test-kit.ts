import { sitDown } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const manifest = "/etc/kubernetes/manifests/kube-apiserver.yaml";
export const configurationFile = "/etc/kubernetes/enc/enc.yaml";
export const encryptionHead = "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n";
export const pki = "/etc/kubernetes/pki/etcd";
export const etcdctl = `etcdctl --cacert=${pki}/ca.crt --cert=${pki}/server.crt --key=${pki}/server.key`;

/** A cluster of one node, and what tests of values at rest do with its API server. */
export function start() {
  const world = new World({ startMs: 1_768_467_600_000, seed: 7, nodes: 1, files: {} });
  world.boot();
  const learner = sitDown(world, { columns: 4000, rows: 400 });
  const wait = (seconds: number): void => world.simulation.advance(seconds * 1000);
  const onNode = (command: string): string => learner.run(`ssh control-plane '${command.replaceAll("'", "'\\''")}'`);
  const files = world.cluster.nodes[0]?.machine.files;
  if (files === undefined) throw new Error("no control plane");
  const plainManifest = files.readText(manifest);
  const restartWith = (flag: string): void => {
    const mount = "    volumeMounts:\n    - mountPath: /etc/kubernetes/enc\n      name: enc\n      readOnly: true";
    const volume = "  volumes:\n  - name: enc\n    hostPath: {path: /etc/kubernetes/enc, type: DirectoryOrCreate}";
    const text = plainManifest
      .replace("    - kube-apiserver\n", `    - kube-apiserver\n${flag === "" ? "" : `    - ${flag}\n`}`)
      .replace("    volumeMounts:", mount)
      .replace("  volumes:", volume);
    files.writeFile(manifest, text);
    wait(60);
  };
  let written = 0;
  /** Starts the server with these rules for Secrets. A change of the file alone starts nothing anew: each has another name. */
  const encrypt = (providers: string): void => {
    const file = `/etc/kubernetes/enc/${++written}.yaml`;
    files.makeDirectories("/etc/kubernetes/enc");
    files.writeFile(file, `${encryptionHead}- resources: [secrets]\n  providers:\n${providers}`);
    restartWith(`--encryption-provider-config=${file}`);
  };
  const stored = (name: string): string =>
    onNode(`${etcdctl} get /registry/secrets/default/${name} --print-value-only | tr -dc 'a-z0-9:' | head -c 25; echo`);
  return { learner, wait, onNode, files, restartWith, encrypt, stored };
}
