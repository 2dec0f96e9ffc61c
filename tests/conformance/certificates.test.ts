// Certificates from the cluster's own authority, as learners and joining nodes get them: a key, a request, a decision,
// an identity.

import { beforeAll, describe, expect, it } from "vitest";
import { certificateSigningRequests } from "#cluster/api/kinds.ts";
import { WholeCluster } from "./whole-cluster.test-kit.ts";

interface Wanted {
  /** Of the CertificateSigningRequest. */
  readonly name: string;
  /** The file with the request. */
  readonly file: string;
  readonly signer: string;
  readonly usages: string;
  /** A further line of the spec. */
  readonly more?: string;
}

function manifest({ name, file, signer, usages, more = "" }: Wanted): string {
  return `<<END
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata:
  name: ${name}
spec:
  request: $(base64 -w0 ${file})
  signerName: kubernetes.io/${signer}
  usages: [${usages}]
  ${more}
END`;
}

const personal = { signer: "kube-apiserver-client", usages: "client auth" };
const kubelet = { signer: "kube-apiserver-client-kubelet", usages: "digital signature, client auth" };

let cluster: WholeCluster;

/** Commands with what they print, one after the other. */
function session(...steps: readonly (readonly [string, string])[]): void {
  const played = steps.map(([line]) => [line, cluster.sh(line).replace(/\n$/, "")]);
  expect(played).toEqual(steps);
}

describe("a user with a certificate of the cluster", () => {
  beforeAll(() => {
    cluster = new WholeCluster(1);
  });

  it("[API-416] asks with a key of their own, and waits", () => {
    session(
      ["openssl genrsa -out jane.key 2048", ""],
      ['openssl req -new -key jane.key -subj "/O=dev/CN=jane" -out jane.csr', ""],
      [
        `kubectl apply -f - ${manifest({ name: "jane", file: "jane.csr", ...personal, more: "expirationSeconds: 86400" })}`,
        "certificatesigningrequest.certificates.k8s.io/jane created",
      ],
      [
        "sleep 5; kubectl get csr",
        `NAME   AGE   SIGNERNAME                            REQUESTOR          REQUESTEDDURATION   CONDITION
jane   5s    kubernetes.io/kube-apiserver-client   kubernetes-admin   24h                 Pending`,
      ],
    );
  });

  it("[API-417] [API-418] is approved, and gets a certificate that lasts as long as was asked for", () => {
    session(
      ["kubectl certificate approve jane", "certificatesigningrequest.certificates.k8s.io/jane approved"],
      [
        "sleep 5; kubectl get csr",
        `NAME   AGE   SIGNERNAME                            REQUESTOR          REQUESTEDDURATION   CONDITION
jane   10s   kubernetes.io/kube-apiserver-client   kubernetes-admin   24h                 Approved,Issued`,
      ],
      [
        "kubectl get csr jane -o jsonpath='{range .status.conditions[*]}{.type} {.status} {.reason}: {.message}{\"\\n\"}{end}'",
        "Approved True KubectlApprove: This CSR was approved by kubectl certificate approve.",
      ],
      ["kubectl get csr jane -o jsonpath='{.status.certificate}' | base64 -d > jane.crt", ""],
      [
        "openssl x509 -in jane.crt -noout -subject -issuer -dates",
        `subject=O = dev, CN = jane
issuer=CN = kubernetes
notBefore=Jan 15 08:55:05 2026 GMT
notAfter=Jan 16 08:55:05 2026 GMT`,
      ],
    );
  });

  it("[API-417] is denied, gets nothing, and stays denied", () => {
    session(
      ['openssl req -new -newkey rsa:2048 -nodes -keyout mallory.key -subj "/O=dev/CN=mallory" -out mallory.csr 2>/dev/null', ""],
      [
        `kubectl apply -f - ${manifest({ name: "mallory", file: "mallory.csr", ...personal })}`,
        "certificatesigningrequest.certificates.k8s.io/mallory created",
      ],
      ["kubectl certificate deny mallory", "certificatesigningrequest.certificates.k8s.io/mallory denied"],
      [
        "sleep 5; kubectl get csr mallory",
        `NAME      AGE   SIGNERNAME                            REQUESTOR          REQUESTEDDURATION   CONDITION
mallory   5s    kubernetes.io/kube-apiserver-client   kubernetes-admin   <none>              Denied`,
      ],
      ["kubectl get csr mallory -o jsonpath='{.status.certificate}'", ""],
      ["kubectl certificate approve mallory", 'error: certificate signing request "mallory" is already Denied'],
    );
  });

  it("[API-415] is who the certificate says, from the kubeconfig alone", () => {
    session(
      [
        "kubectl config set-credentials jane --client-key=jane.key --client-certificate=jane.crt --embed-certs=true",
        'User "jane" set.',
      ],
      ["kubectl config set-context jane --cluster=kubernetes --user=jane", 'Context "jane" created.'],
      ["rm jane.key jane.crt; kubectl config use-context jane", 'Switched to context "jane".'],
      [
        "kubectl config get-contexts",
        `CURRENT   NAME                          CLUSTER      AUTHINFO           NAMESPACE
*         jane                          kubernetes   jane               
          kubernetes-admin@kubernetes   kubernetes   kubernetes-admin   `,
      ],
      [
        "kubectl auth whoami | grep -v ^Extra",
        `ATTRIBUTE                                           VALUE
Username                                            jane
Groups                                              [dev system:authenticated]`,
      ],
    );
  });

  it("may do nothing until a RoleBinding lets the group in", () => {
    const forbidden = (rest: string): string => `Error from server (Forbidden): ${rest}`;
    const pods = 'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "default"';
    session(
      ["kubectl get pods", forbidden(pods)],
      [
        "kubectl --context kubernetes-admin@kubernetes create rolebinding dev-view --clusterrole=view --group=dev",
        "rolebinding.rbac.authorization.k8s.io/dev-view created",
      ],
      ["kubectl get pods", "No resources found in default namespace."],
      ["kubectl auth can-i list pods; kubectl auth can-i delete pods", "yes\nno"],
      ["kubectl get pods -n kube-system", forbidden(pods.replace('"default"', '"kube-system"'))],
      [
        "kubectl get csr",
        forbidden(
          'certificatesigningrequests.certificates.k8s.io is forbidden: User "jane" cannot list resource "certificatesigningrequests" in API group "certificates.k8s.io" at the cluster scope',
        ),
      ],
    );
  });

  it("[API-421] cannot become an administrator that way", () => {
    session(
      ["kubectl config use-context kubernetes-admin@kubernetes", 'Switched to context "kubernetes-admin@kubernetes".'],
      ['openssl req -new -key mallory.key -subj "/O=system:masters/CN=root" -out root.csr', ""],
      [
        `kubectl apply -f - ${manifest({ name: "root", file: "root.csr", ...personal })}`,
        'Error from server (Forbidden): error when creating "STDIN": certificatesigningrequests.certificates.k8s.io "root" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
      ],
    );
  });

  it("is nobody any more once the certificate has run out", () => {
    session(
      ['openssl req -new -key mallory.key -subj "/O=dev/CN=brief" -out brief.csr', ""],
      [
        `kubectl apply -f - ${manifest({ name: "brief", file: "brief.csr", ...personal, more: "expirationSeconds: 600" })}`,
        "certificatesigningrequest.certificates.k8s.io/brief created",
      ],
      ["kubectl certificate approve brief", "certificatesigningrequest.certificates.k8s.io/brief approved"],
      ["sleep 5; kubectl get csr brief -o jsonpath='{.status.certificate}' | base64 -d > brief.crt", ""],
      [
        "kubectl config set-credentials brief --client-key=mallory.key --client-certificate=brief.crt; kubectl config set-context brief --cluster=kubernetes --user=brief",
        'User "brief" set.\nContext "brief" created.',
      ],
      ["kubectl --context brief get pods", "No resources found in default namespace."],
    );
    cluster.advance(600);
    session(["kubectl --context brief get pods 2>&1 | tail -1", "error: You must be logged in to the server (Unauthorized)"]);
  });
});

describe("a node that joins", () => {
  beforeAll(() => {
    cluster = new WholeCluster(1);
  });

  const asks = (name: string, context: string): string =>
    `kubectl --context ${context} create -f - ${manifest({ name, file: "node.csr", ...kubelet })}`;
  const conditions = (name: string): readonly string[] =>
    (cluster.get(certificateSigningRequests, name).status?.conditions ?? []).map(
      ({ type, reason, message }) => `${type} ${reason} ${message}`,
    );

  it("[API-423] is approved with a bootstrap token, and may renew its certificate", () => {
    session(
      [
        'openssl req -new -newkey rsa:2048 -nodes -keyout node.key -subj "/O=system:nodes/CN=system:node:worker-9" -out node.csr 2>/dev/null',
        "",
      ],
      [
        "kubectl config set-credentials joining --token=abcdef.0123456789abcdef; kubectl config set-context joining --cluster=kubernetes --user=joining",
        'User "joining" set.\nContext "joining" created.',
      ],
      [asks("first", "joining"), "certificatesigningrequest.certificates.k8s.io/first created"],
      ["sleep 5; kubectl get csr first -o jsonpath='{.status.certificate}' | base64 -d > node.crt", ""],
      [
        "kubectl config set-credentials node --client-key=node.key --client-certificate=node.crt; kubectl config set-context node --cluster=kubernetes --user=node",
        'User "node" set.\nContext "node" created.',
      ],
      [asks("second", "node"), "certificatesigningrequest.certificates.k8s.io/second created"],
      [
        "sleep 5; kubectl get csr",
        `NAME     AGE   SIGNERNAME                                    REQUESTOR                 REQUESTEDDURATION   CONDITION
first    10s   kubernetes.io/kube-apiserver-client-kubelet   system:bootstrap:abcdef   <none>              Approved,Issued
second   5s    kubernetes.io/kube-apiserver-client-kubelet   system:node:worker-9      <none>              Approved,Issued`,
      ],
    );
    expect([conditions("first"), conditions("second")]).toEqual([
      ["Approved AutoApproved Auto approving kubelet client certificate after SubjectAccessReview."],
      ["Approved AutoApproved Auto approving self kubelet client certificate after SubjectAccessReview."],
    ]);
  });

  it("waits where the right to be approved was taken away", () => {
    session(
      [
        "kubectl delete clusterrolebinding kubeadm:node-autoapprove-bootstrap",
        'clusterrolebinding.rbac.authorization.k8s.io "kubeadm:node-autoapprove-bootstrap" deleted',
      ],
      [asks("third", "joining"), "certificatesigningrequest.certificates.k8s.io/third created"],
      [
        "sleep 60; kubectl get csr third",
        `NAME    AGE   SIGNERNAME                                    REQUESTOR                 REQUESTEDDURATION   CONDITION
third   60s   kubernetes.io/kube-apiserver-client-kubelet   system:bootstrap:abcdef   <none>              Pending`,
      ],
    );
  });
});
