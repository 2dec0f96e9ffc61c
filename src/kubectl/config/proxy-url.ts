// `proxy-url` of a kubeconfig's cluster: what is checked of it (client-go's clientcmd, parseProxyURL), and where it leads.

import { asciiLowerCase } from "#sim/ascii.ts";
import { ConfigurationError } from "../errors.ts";

export interface ProxyAddress {
  readonly host: string;
  readonly port: number;
}

const ports: { readonly [scheme: string]: number } = { http: 80, https: 443, socks5: 1080 };

/** undefined where none is configured. Throws ConfigurationError. */
export function proxyAddress(url: string, cluster: string): ProxyAddress | undefined {
  if (url === "") return undefined;
  const refuse = (problem: string): ConfigurationError =>
    new ConfigurationError([`invalid 'proxy-url' ${JSON.stringify(url)} for cluster ${JSON.stringify(cluster)}: ${problem}`]);
  const [, scheme = "", rest = ""] = /^(?:([a-zA-Z][\w+.-]*):)?(.*)$/s.exec(url) ?? [];
  if (/%(?![0-9a-fA-F]{2})|\s/.test(url)) throw refuse(`could not parse: ${url}`);
  const port = ports[asciiLowerCase(scheme)];
  if (port === undefined) throw refuse(`unsupported scheme ${JSON.stringify(scheme)}, must be http, https, or socks5`);
  const [, host = "", given] = /^\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/]*)(?::(\d+))?/.exec(rest) ?? [];
  return { host: host.replace(/^\[|\]$/g, ""), port: given === undefined ? port : Number(given) };
}
