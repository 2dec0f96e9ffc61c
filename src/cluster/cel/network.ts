// URLs, addresses and networks in expressions (apiserver, pkg/cel/library/{urls,ip,cidr}.go).

import { type Environment, EvaluationError } from "@marcbachmann/cel-js";
import { GoUrl, isRequestUri, UrlFault } from "./go-url.ts";
import { hasFormat } from "./named-formats.ts";

class IpValue {
  readonly family: 4 | 6;
  readonly bits: bigint;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
    this.family = text.includes(":") ? 6 : 4;
    this.bits = bitsOf(text);
  }

  toString(): string {
    return textOf(this.family, this.bits);
  }
}

class CidrValue {
  readonly address: IpValue;
  readonly length: number;

  constructor(text: string) {
    const [address = "", length = ""] = text.split("/");
    this.address = new IpValue(address);
    this.length = Number(length);
  }

  get size(): number {
    return this.address.family === 4 ? 32 : 128;
  }

  network(bits: bigint): bigint {
    const free = BigInt(this.size - this.length);
    return (bits >> free) << free;
  }

  contains(address: IpValue): boolean {
    return address.family === this.address.family && this.network(address.bits) === this.network(this.address.bits);
  }

  toString(): string {
    return `${this.address}/${this.length}`;
  }
}

const isIp = (text: string): boolean => hasFormat(text, "ipv4") || hasFormat(text, "ipv6");

function bitsOf(text: string): bigint {
  if (!text.includes(":")) return text.split(".").reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const plain = dotted === null ? text : `${dotted[1]}${hexPairs(bitsOf(dotted[2] as string))}`;
  const [head = "", tail] = plain.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups = [...before, ...new Array<string>(8 - before.length - after.length).fill("0"), ...after];
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

function hexPairs(bits: bigint): string {
  return `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
}

function textOf(family: 4 | 6, bits: bigint): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 255n)).join(".");
  const groups = Array.from({ length: 8 }, (_, index) => ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(":");
  const zeros = [...groups.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].sort((a, b) => b[0].length - a[0].length)[0];
  return zeros === undefined
    ? groups
    : groups
        .replace(zeros[0], ":")
        .replace(/^:(?!:)/, "::")
        .replace(/([^:]):$/, "$1::");
}

/** Bytes of an address, or of a network's prefix; undefined for everything else. */
export function addressSizeOf(value: unknown): number | undefined {
  if (value instanceof IpValue) return value.family === 4 ? 4 : 16;
  return value instanceof CidrValue ? Math.ceil(value.length / 8) : undefined;
}

class IpNamespace {}

export function addNetworkFunctions(environment: Environment): void {
  addUrls(environment);
  const [ip, cidr] = ["net.IP", "net.CIDR"];
  const loopback4 = new CidrValue("127.0.0.0/8");
  const within = (address: IpValue, ...networks: readonly string[]): boolean =>
    networks.some((network) => new CidrValue(network).contains(address));
  environment
    .registerType(ip, IpValue)
    .registerType(cidr, CidrValue)
    .registerType("IpNamespace", IpNamespace)
    .registerConstant("ip", "IpNamespace", new IpNamespace())
    .registerFunction("isIP(string): bool", isIp)
    .registerFunction("isCIDR(string): bool", (text: string) => hasFormat(text, "cidr"))
    .registerFunction(`ip(string): ${ip}`, (text: string) => {
      if (!isIp(text))
        throw new EvaluationError(
          `IP Address ${JSON.stringify(text)} parse error during conversion from string: unable to parse IP`,
        );
      return new IpValue(text);
    })
    .registerFunction(`cidr(string): ${cidr}`, (text: string) => {
      if (!hasFormat(text, "cidr"))
        throw new EvaluationError(`network address parse error during conversion from string: invalid CIDR`);
      return new CidrValue(text);
    })
    .registerFunction("IpNamespace.isCanonical(string): bool", (_: unknown, text: string) => new IpValue(text).toString() === text)
    .registerFunction(`${ip}.family(): int`, ({ family }: IpValue) => BigInt(family))
    .registerFunction(`${ip}.isUnspecified(): bool`, ({ bits }: IpValue) => bits === 0n)
    .registerFunction(`${ip}.isLoopback(): bool`, (address: IpValue) =>
      address.family === 4 ? loopback4.contains(address) : address.bits === 1n,
    )
    .registerFunction(`${ip}.isLinkLocalMulticast(): bool`, (address: IpValue) => within(address, "224.0.0.0/24", "ff02::/16"))
    .registerFunction(`${ip}.isLinkLocalUnicast(): bool`, (address: IpValue) => within(address, "169.254.0.0/16", "fe80::/10"))
    .registerFunction(
      `${ip}.isGlobalUnicast(): bool`,
      (address: IpValue) =>
        address.bits !== 0n &&
        !within(address, "127.0.0.0/8", "::1/128", "224.0.0.0/4", "ff00::/8", "169.254.0.0/16", "fe80::/10", "255.255.255.255/32"),
    )
    .registerFunction(`string(${ip}): string`, (address: IpValue) => address.toString())
    .registerOperator(`${ip} == ${ip}`, (a: IpValue, b: IpValue) => a.family === b.family && a.bits === b.bits)
    .registerFunction(`${cidr}.containsIP(string): bool`, (network: CidrValue, text: string) => network.contains(new IpValue(text)))
    .registerFunction(`${cidr}.containsIP(${ip}): bool`, (network: CidrValue, address: IpValue) => network.contains(address))
    .registerFunction(`${cidr}.containsCIDR(string): bool`, (network: CidrValue, text: string) =>
      containsCidr(network, new CidrValue(text)),
    )
    .registerFunction(`${cidr}.containsCIDR(${cidr}): bool`, containsCidr)
    .registerFunction(`${cidr}.ip(): ${ip}`, ({ address }: CidrValue) => address)
    .registerFunction(`${cidr}.prefixLength(): int`, ({ length }: CidrValue) => BigInt(length))
    .registerFunction(`${cidr}.masked(): ${cidr}`, (network: CidrValue) => {
      const { family, bits } = network.address;
      return new CidrValue(`${textOf(family, network.network(bits))}/${network.length}`);
    })
    .registerFunction(`string(${cidr}): string`, (network: CidrValue) => network.toString());
}

function containsCidr(network: CidrValue, other: CidrValue): boolean {
  return other.length >= network.length && network.contains(other.address);
}

function addUrls(environment: Environment): void {
  const type = "kubernetes.URL";
  environment
    .registerType(type, GoUrl)
    .registerFunction("isURL(string): bool", isRequestUri)
    .registerFunction(`url(string): ${type}`, (text: string) => {
      try {
        return new GoUrl(text);
      } catch (error) {
        if (!(error instanceof UrlFault)) throw error;
        throw new EvaluationError(`URL parse error during conversion from string: ${error.message}`);
      }
    })
    .registerFunction(`${type}.getScheme(): string`, ({ scheme }: GoUrl) => scheme)
    .registerFunction(`${type}.getHost(): string`, ({ host }: GoUrl) => host)
    .registerFunction(`${type}.getHostname(): string`, ({ hostname }: GoUrl) => hostname)
    .registerFunction(`${type}.getPort(): string`, ({ port }: GoUrl) => port)
    .registerFunction(`${type}.getEscapedPath(): string`, ({ escapedPath }: GoUrl) => escapedPath)
    .registerFunction(`${type}.getQuery(): map<string, list<string>>`, ({ query }: GoUrl) => query);
}
