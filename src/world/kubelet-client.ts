// The API server's way to the kubelets: its requests to their port carry apiserver-kubelet-client.crt, as
// `--kubelet-client-certificate` has them; all others go as they are.

import type { Certificate, Endpoint, NetworkStack, TlsClient } from "#sim/net.ts";

interface CallOptions {
  readonly tls?: TlsClient;
  readonly timeoutMs?: number;
}

/** `certificate` is made when the first kubelet is asked. */
export function kubeletClientStack(
  stack: NetworkStack,
  isKubelet: (target: Endpoint) => boolean,
  certificate: () => Certificate,
): NetworkStack {
  const withCertificate = (target: Endpoint, options: CallOptions): CallOptions =>
    options.tls === undefined || !isKubelet(target) ? options : { ...options, tls: { ...options.tls, certificate: certificate() } };
  return {
    addresses: stack.addresses,
    get listening() {
      return stack.listening;
    },
    place: () => stack.place(),
    listen: (options) => stack.listen(options),
    connect: (target, options, done) => stack.connect(target, withCertificate(target, options), done),
    request: (target, request, options, done) => stack.request(target, request, withCertificate(target, options), done),
    query: (server, question, done) => stack.query(server, question, done),
    serveDns: (handler) => stack.serveDns(handler),
    get datagrams() {
      return stack.datagrams;
    },
  };
}
