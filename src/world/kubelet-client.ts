// The API server's way to the kubelets: its requests to their port carry apiserver-kubelet-client.crt, as
// `--kubelet-client-certificate` has them, and are sent only to those whose certificate is of `--kubelet-certificate-authority`,
// where there is one; all others go as they are.

import type { CallOptions, Certificate, Endpoint, NetworkStack } from "#sim/net.ts";

/** `certificate` is made when the first kubelet is asked; `authorities` are those of kubelets, undefined for whatever they show. */
export function kubeletClientStack(
  stack: NetworkStack,
  isKubelet: (target: Endpoint) => boolean,
  certificate: () => Certificate,
  authorities: () => readonly Certificate[] | undefined,
): NetworkStack {
  const withCertificate = (target: Endpoint, options: CallOptions): CallOptions => {
    if (options.tls === undefined || !isKubelet(target)) return options;
    const trusted = authorities();
    return {
      ...options,
      tls: { ...options.tls, certificate: certificate(), ...(trusted === undefined ? {} : { authorities: trusted }) },
    };
  };
  return {
    addresses: stack.addresses,
    get listening() {
      return stack.listening;
    },
    place: () => stack.place(),
    listen: (options) => stack.listen(options),
    connect: (target, options, done) => stack.connect(target, withCertificate(target, options), done),
    request: (target, request, options, done) => stack.request(target, request, withCertificate(target, options), done),
    query: (server, questions, done) => stack.query(server, questions, done),
    echo: (address) => stack.echo(address),
    serveDns: (handler) => stack.serveDns(handler),
    get datagrams() {
      return stack.datagrams;
    },
  };
}
