// What a page of the cluster may do on the learner's screen: be looked at. Scripts, frames, forms and everything that
// would fetch from outside the cluster are taken out before it is shown.

const forbidden =
  "script, iframe, frame, frameset, object, embed, applet, link, meta[http-equiv], base, audio, video, source, portal";

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** The document of a sandboxed frame (`srcdoc`), made from what a server sent as HTML. */
export function framedPage(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const element of page.querySelectorAll(forbidden)) element.remove();
  for (const element of page.querySelectorAll("*")) {
    for (const { name } of [...element.attributes]) if (/^on/i.test(name)) element.removeAttribute(name);
  }
  const meta = page.createElement("meta");
  meta.httpEquiv = "Content-Security-Policy";
  meta.content = policy;
  page.head.prepend(meta);
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

/** Where a link of a page leads; undefined for what a browser in the cluster cannot follow (`mailto:`, `javascript:`). */
export function linkTarget(pageUrl: string, href: string): string | undefined {
  try {
    const { protocol, href: target } = new URL(href, pageUrl);
    return protocol === "http:" || protocol === "https:" ? target : undefined;
  } catch {
    return undefined;
  }
}
