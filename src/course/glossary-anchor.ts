// Where a word stands on the glossary page.

/** The English word as an anchor: "Pod template" stands at "pod-template". */
export function glossaryAnchor(en: string): string {
  return en
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
