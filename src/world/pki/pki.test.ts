import { describe, expect, it } from "vitest";
import { readCertificates } from "#x509/certificate.ts";
import { readPrivateKey } from "#x509/keys.ts";
import { subjectName } from "#x509/names.ts";
import { ClusterPki, clusterAuthority, issueAuthority } from "./cluster-pki.ts";
import { fixedKey } from "./fixed-keys.ts";

const pki = new ClusterPki({
  nodeName: "control-plane",
  nodeAddress: "172.18.0.2",
  serviceAddress: "10.96.0.1",
  nowMs: 1_767_225_600_000,
});

function read(name: string): ReturnType<typeof readCertificates> {
  const file = pki.files().find(({ path }) => path === `/etc/kubernetes/pki/${name}`);
  return readCertificates(file?.make() ?? "");
}

describe("the cluster's certificates", () => {
  it("begin with the authority's, which is the one that its key would make again", () => {
    const key = fixedKey("authority");
    const again = issueAuthority(
      { name: subjectName("kubernetes"), publicKey: clusterAuthority.publicKey, key },
      Date.UTC(2025, 0, 1),
    );
    expect(again.pem).toBe(clusterAuthority.pem);
    expect(clusterAuthority.publicKey.rsa?.modulus).toBe(key.modulus);
  });

  it("are the files that kubeadm writes, each key with its certificate", () => {
    expect(
      pki.files().map(({ path, permissions }) => `${path.slice("/etc/kubernetes/pki/".length)} ${permissions.toString(8)}`),
    ).toEqual(
      [
        "ca",
        "apiserver",
        "apiserver-kubelet-client",
        "front-proxy-ca",
        "front-proxy-client",
        "etcd/ca",
        "etcd/server",
        "etcd/peer",
        "etcd/healthcheck-client",
        "apiserver-etcd-client",
      ]
        .flatMap((name) => [`${name}.crt 644`, `${name}.key 600`])
        .concat("sa.key 600", "sa.pub 600"),
    );
    const key = readPrivateKey(
      pki
        .files()
        .find(({ path }) => path.endsWith("/apiserver.key"))
        ?.make() ?? "",
    );
    expect(key?.modulus).toBe(read("apiserver.crt")[0]?.publicKey.rsa?.modulus);
  });

  it("name the API server by all its names and addresses", () => {
    const [certificate] = read("apiserver.crt");
    expect([certificate?.commonName, certificate?.issuer, certificate?.isSignedBy(clusterAuthority)]).toEqual([
      "kube-apiserver",
      "kubernetes",
      true,
    ]);
    expect(certificate?.alternativeNames).toEqual([
      "control-plane",
      "kubernetes",
      "kubernetes.default",
      "kubernetes.default.svc",
      "kubernetes.default.svc.cluster.local",
      "localhost",
      "10.96.0.1",
      "172.18.0.2",
      "127.0.0.1",
    ]);
  });

  it("have an administrator who is no master", () => {
    const { certificate, key } = pki.administrator();
    expect([certificate.commonName, certificate.organizations]).toEqual(["kubernetes-admin", ["kubeadm:cluster-admins"]]);
    expect(certificate.publicKey.rsa?.modulus).toBe(key.modulus);
  });
});
