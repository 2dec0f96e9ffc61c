// The cluster's certificates as kubeadm makes them (its page "PKI certificates and requirements"): three authorities and
// what they sign. Everything is made when it is first asked for.

import { lateTokenSignature } from "#cluster/api/late-token-signature.ts";
import type { Certificate } from "#sim/net.ts";
import { Random } from "#sim/random.ts";
import { type Authority, readCertificates, X509Certificate } from "#x509/certificate.ts";
import {
  type AlternativeName,
  alternativeNames,
  basicConstraints,
  type ExtendedUsage,
  extendedKeyUsage,
  keyUsage,
} from "#x509/extensions.ts";
import { publicKeyOf, publicKeyPem, traditionalKeyPem } from "#x509/keys.ts";
import { subjectName } from "#x509/names.ts";
import { generateKey, type RsaPrivateKey } from "#x509/rsa.ts";
import { authorityPem } from "./authority-certificate.ts";
import { fixedKey } from "./fixed-keys.ts";

/** A certificate and the key that belongs to it. */
export interface Credentials {
  readonly certificate: X509Certificate;
  readonly key: RsaPrivateKey;
}

export interface PkiOptions {
  readonly nodeName: string;
  readonly nodeAddress: string;
  /** First address of the Service range: the Service `kubernetes`. */
  readonly serviceAddress: string;
  /** Name and address of the load balancer before the API servers, where there is one. */
  readonly endpoint?: readonly [name: string, address: string] | undefined;
  /** Which of the control-plane nodes it is, from 0: they have their authorities and the accounts' keys in common. */
  readonly node?: number;
  /** When everything is signed; keys and serial numbers follow from it too. */
  readonly nowMs: number;
}

/** A file below /etc/kubernetes/pki, worked out when it is first read. */
export interface PkiFile {
  readonly path: string;
  readonly permissions: number;
  readonly make: () => string;
}

interface Leaf {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly usages: readonly ExtendedUsage[];
  readonly names?: readonly AlternativeName[];
}

const yearMs = 365 * 86_400_000;
const keyBits = 2048;
/** Keys and serial numbers of one node have places below this. */
const placesOfNode = 100;
/** Places of what all nodes have in common. */
const commonPlaces: readonly number[] = [1, 2, 10];
export const pkiDirectory = "/etc/kubernetes/pki";
const authorityUsages = keyUsage(["digitalSignature", "keyEncipherment", "keyCertSign"]);
const leafUsages = keyUsage(["digitalSignature", "keyEncipherment"]);

/** The cluster's own authority: the same certificate in every world, ten years from the start of 2025. */
export const clusterAuthority: X509Certificate = readCertificates(authorityPem)[0] as X509Certificate;

export class ClusterPki {
  /** What the API server shows to its clients. */
  readonly apiServer: () => Credentials;
  /** `kubernetes-admin` of kubeadm:cluster-admins, in admin.conf. */
  readonly administrator: () => Credentials;
  /** What the API server shows to others that it passes requests on to; its keys are made only when somebody checks it. */
  readonly frontProxyClient: Certificate;
  readonly #frontProxyClient: () => Credentials;
  /** What the API server shows to kubelets. */
  readonly kubeletClient: () => Credentials;
  readonly #options: PkiOptions;
  readonly #seed: number;
  readonly #front: () => Authority & Credentials;
  readonly #etcd: () => Authority & Credentials;

  constructor(options: PkiOptions) {
    this.#options = options;
    this.#seed = Math.floor(options.nowMs / 1000);
    this.#front = once(() => this.#newAuthority("front-proxy-ca", 1));
    this.#etcd = once(() => this.#newAuthority("etcd-ca", 2));
    this.#frontProxyClient = once(() =>
      this.#issue({ commonName: "front-proxy-client", usages: ["clientAuth"] }, this.#front(), this.#key(12), 12),
    );
    this.frontProxyClient = {
      commonName: "front-proxy-client",
      organizations: [],
      alternativeNames: [],
      issuer: "front-proxy-ca",
      notBeforeMs: options.nowMs,
      notAfterMs: options.nowMs + yearMs,
      isSignedBy: (authority) => this.#frontProxyClient().certificate.isSignedBy(authority),
      fingerprint: () => this.#frontProxyClient().certificate.fingerprint(),
    };
    this.apiServer = once(() =>
      this.#issue(
        { commonName: "kube-apiserver", usages: ["serverAuth"], names: this.#apiServerNames() },
        this.#cluster(),
        fixedKey("apiServer"),
        3,
      ),
    );
    this.administrator = once(() =>
      this.#issue(
        { commonName: "kubernetes-admin", organizations: ["kubeadm:cluster-admins"], usages: ["clientAuth"] },
        this.#cluster(),
        fixedKey("administrator"),
        4,
      ),
    );
    this.kubeletClient = once(() =>
      this.#issue(
        { commonName: "kube-apiserver-kubelet-client", organizations: ["kubeadm:cluster-admins"], usages: ["clientAuth"] },
        this.#cluster(),
        fixedKey("kubeletClient"),
        11,
      ),
    );
  }

  /** The authority that signs for clients and the API server, with its key. */
  #cluster(): Authority {
    const key = fixedKey("authority");
    return { name: clusterAuthority.subject, publicKey: clusterAuthority.publicKey, key };
  }

  /** Signs a certificate for a request of the certificates API. */
  get signer(): Authority {
    return this.#cluster();
  }

  /** A client's credentials for a component's kubeconfig. `place` tells keys and serials apart. */
  client(commonName: string, organizations: readonly string[], place: number): Credentials {
    return this.#issue({ commonName, organizations, usages: ["clientAuth"] }, this.#cluster(), this.#key(place), place);
  }

  /** All files below /etc/kubernetes/pki. */
  files(): readonly PkiFile[] {
    const { nodeName, nodeAddress } = this.#options;
    const localNames = names([nodeName, "localhost"], [nodeAddress, "127.0.0.1", "::1"]);
    const both: readonly ExtendedUsage[] = ["serverAuth", "clientAuth"];
    const leaf = (name: string, content: Leaf, authority: () => Authority, place: number): readonly PkiFile[] =>
      pair(
        name,
        once(() => this.#issue(content, authority(), this.#key(place), place)),
      );
    const serviceAccounts = (): RsaPrivateKey => lateTokenSignature.code.signingKey();
    return [
      ...pair("ca", () => ({ certificate: clusterAuthority, key: fixedKey("authority") })),
      ...pair("apiserver", this.apiServer),
      ...pair("apiserver-kubelet-client", this.kubeletClient),
      ...pair("front-proxy-ca", this.#front),
      ...pair("front-proxy-client", this.#frontProxyClient),
      ...pair("etcd/ca", this.#etcd),
      ...leaf("etcd/server", { commonName: nodeName, usages: both, names: localNames }, this.#etcd, 13),
      ...leaf("etcd/peer", { commonName: nodeName, usages: both, names: localNames }, this.#etcd, 14),
      ...leaf("etcd/healthcheck-client", { commonName: "kube-etcd-healthcheck-client", usages: ["clientAuth"] }, this.#etcd, 15),
      ...leaf("apiserver-etcd-client", { commonName: "kube-apiserver-etcd-client", usages: ["clientAuth"] }, this.#etcd, 16),
      { path: `${pkiDirectory}/sa.key`, permissions: 0o600, make: () => traditionalKeyPem(serviceAccounts()) },
      { path: `${pkiDirectory}/sa.pub`, permissions: 0o600, make: () => publicKeyPem(publicKeyOf(serviceAccounts())) },
    ];
  }

  #apiServerNames(): readonly AlternativeName[] {
    const { nodeName, nodeAddress, serviceAddress, endpoint } = this.#options;
    const service = ["kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"];
    const [balancer, address] = endpoint === undefined ? [[], []] : [[endpoint[0]], [endpoint[1]]];
    return names([nodeName, ...service, "localhost", ...balancer], [serviceAddress, nodeAddress, "127.0.0.1", ...address]);
  }

  #newAuthority(commonName: string, place: number): Authority & Credentials {
    const key = this.#key(place);
    const self = { name: subjectName(commonName), publicKey: publicKeyOf(key), key };
    return { ...self, certificate: issueAuthority(self, this.#options.nowMs) };
  }

  #placeOf(place: number): number {
    return commonPlaces.includes(place) ? place : place + placesOfNode * (this.#options.node ?? 0);
  }

  #key(place: number): RsaPrivateKey {
    return generateKey(keyBits, new Random(this.#seed + this.#placeOf(place)));
  }

  #issue(leaf: Leaf, authority: Authority, key: RsaPrivateKey, place: number): Credentials {
    const { nowMs } = this.#options;
    const random = new Random(this.#seed - this.#placeOf(place));
    const certificate = X509Certificate.issue(
      {
        serial: (BigInt(random.uint32() >>> 1) << 32n) | BigInt(random.uint32()),
        subject: subjectName(leaf.commonName, leaf.organizations),
        publicKey: publicKeyOf(key),
        notBeforeMs: nowMs,
        notAfterMs: nowMs + yearMs,
        extensions: [
          leafUsages,
          extendedKeyUsage(leaf.usages),
          basicConstraints({ isAuthority: false }),
          ...(leaf.names === undefined ? [] : [alternativeNames(leaf.names)]),
        ],
      },
      authority,
    );
    return { certificate, key };
  }
}

/** An authority's certificate for itself: ten years, and its name as its only alternative name, as kubeadm makes it. */
export function issueAuthority(authority: Authority, notBeforeMs: number): X509Certificate {
  return X509Certificate.issue(
    {
      serial: 0n,
      subject: authority.name,
      publicKey: authority.publicKey,
      notBeforeMs,
      notAfterMs: notBeforeMs + 10 * yearMs,
      extensions: [
        authorityUsages,
        basicConstraints({ isAuthority: true }),
        alternativeNames([{ kind: "dns", value: authority.name.map(({ value }) => value).join("") }]),
      ],
    },
    authority,
  );
}

function pair(name: string, credentials: () => Credentials): readonly PkiFile[] {
  const path = `${pkiDirectory}/${name}`;
  return [
    { path: `${path}.crt`, permissions: 0o644, make: () => credentials().certificate.pem },
    { path: `${path}.key`, permissions: 0o600, make: () => traditionalKeyPem(credentials().key) },
  ];
}

function names(dns: readonly string[], addresses: readonly string[]): readonly AlternativeName[] {
  return [...dns.map((value) => ({ kind: "dns" as const, value })), ...addresses.map((value) => ({ kind: "ip" as const, value }))];
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
