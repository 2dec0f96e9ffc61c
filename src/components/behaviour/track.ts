// The thin track beside a lesson: a mark per section where it stands in the text, a thread that grows with reading.

import { find, findAll } from "./dom.ts";

const track = find("[data-track]", HTMLElement);
const article = find("main article", HTMLElement);
if (track && article) followReading(track, article);

function followReading(track: HTMLElement, article: HTMLElement): void {
  const links = findAll("a", HTMLAnchorElement, track);
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  let waiting = false;

  const place = (): void => {
    const { top, height } = article.getBoundingClientRect();
    for (const [index, link] of links.entries()) {
      const heading = headings[index];
      const share = heading ? (heading.getBoundingClientRect().top - top) / height : 0;
      link.style.setProperty("--at", String(Math.min(1, Math.max(0, share))));
    }
    read();
  };
  const read = (): void => {
    waiting = false;
    const { top, height } = article.getBoundingClientRect();
    const seen = (innerHeight * 0.4 - top) / height;
    track.style.setProperty("--read", String(Math.min(1, Math.max(0, seen))));
    const current = headings.findLastIndex(
      (heading) => heading !== null && heading.getBoundingClientRect().top < innerHeight * 0.4,
    );
    for (const [index, link] of links.entries()) {
      if (index === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };

  new ResizeObserver(place).observe(article);
  addEventListener(
    "scroll",
    () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(read);
    },
    { passive: true },
  );
}
