// A fetched page in a frame of its own, without scripts; its links are followed inside the cluster.

import { useEffect, useRef } from "preact/hooks";
import type { BrowsedPage } from "#world/browser.ts";
import { framedPage, linkTarget } from "./page-document.ts";

interface FramedPageProps {
  readonly page: Extract<BrowsedPage, { readonly kind: "page" }>;
  readonly title: string;
  readonly follow: (url: string) => void;
}

export function FramedPage({ page, title, follow }: FramedPageProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const place = frame.current;
    if (place === null) return undefined;
    const onLoad = (): void => place.contentDocument?.addEventListener("click", (event) => followLink(event, page.url, follow));
    place.addEventListener("load", onLoad);
    return () => place.removeEventListener("load", onLoad);
  }, [page, follow]);
  if (!/^text\/html\b|^application\/xhtml/.test(page.contentType)) {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls is reached by keyboard
      <pre class="preview-text" tabIndex={0}>
        {page.body}
      </pre>
    );
  }
  // Without allow-scripts nothing of the page runs; same-origin lets this page hear its clicks.
  return <iframe class="preview-frame" ref={frame} title={title} sandbox="allow-same-origin" srcdoc={framedPage(page.body)} />;
}

function followLink(event: MouseEvent, pageUrl: string, follow: (url: string) => void): void {
  const link = (event.target as Element | null)?.closest?.("a[href]");
  if (!link) return;
  event.preventDefault();
  const href = link.getAttribute("href") ?? "";
  const target = href.startsWith("#") ? undefined : linkTarget(pageUrl, href);
  if (target !== undefined) follow(target);
}
