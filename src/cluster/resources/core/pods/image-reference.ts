// What defaulting must know of an image's name: its tag.

/** The tag, `latest` when neither tag nor digest is given, "" for a digest alone or a name that does not parse. */
export function imageTag(reference: string): string {
  const at = reference.indexOf("@");
  const name = at < 0 ? reference : reference.slice(0, at);
  const colon = name.lastIndexOf(":");
  const tag = colon > name.lastIndexOf("/") ? name.slice(colon + 1) : "";
  if (tag !== "") return tag;
  return at < 0 && reference !== "" ? "latest" : "";
}

/** `Always` for the tag `latest`, `IfNotPresent` for all else. */
export function defaultPullPolicy(reference: string): "Always" | "IfNotPresent" {
  return imageTag(reference) === "latest" && !misspelt(reference) ? "Always" : "IfNotPresent";
}

/** What no name of an image has: other letters, or capitals in its path. */
function misspelt(reference: string): boolean {
  const name = reference.slice(reference.indexOf("/") + 1).replace(/[:@].*$/, "");
  return reference.length > 255 - "docker.io/library/".length || !/^[a-z0-9]+(?:(?:\.|_|__|-+|\/)[a-z0-9]+)*$/.test(name);
}
