// Texts that are addresses as Go's net package parses them, zones aside.

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;

export function isIpv4(text: string): boolean {
  return ipv4.test(text);
}

export function isIpv6(text: string): boolean {
  if (!text.includes(":") || text.includes(":::")) return false;
  const lastColon = text.lastIndexOf(":");
  const tail = text.slice(lastColon + 1);
  const endsInIpv4 = tail.includes(".");
  if (endsInIpv4 && !isIpv4(tail)) return false;
  const plain = endsInIpv4 ? `${text.slice(0, lastColon)}:0:0` : text;
  const halves = plain.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}
