// What can be seen wrong on a page without eyes: it scrolls sideways, text is cut off, a label breaks, a line begins with a mark that
// must not begin one.

import type { Page } from "@playwright/test";

/** One sentence each, with the element it is about. */
export function complaintsAbout(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth - root.clientWidth} px too wide`);
    for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
      if (
        !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
        element.closest(".xterm, .cm-editor, svg")
      )
        continue;
      const style = getComputedStyle(element);
      if (style.clipPath !== "none" || element.closest(".visually-hidden")) continue;
      const cut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && style.display !== "inline";
      const name = (): string => {
        const words = element.textContent?.trim().replace(/\s+/g, " ").slice(0, 50) ?? "";
        return `${element.tagName.toLowerCase()}.${[...element.classList].join(".")} “${words}”`;
      };
      if (cut && /hidden|clip/.test(style.overflowX)) found.push(`cut off: ${name()}`);
      if (cut && /auto|scroll/.test(style.overflowX)) found.push(`scrolls sideways: ${name()}`);
      if (element.matches("button:not(.moment), .button, [role=tab]")) {
        const range = document.createRange();
        range.selectNodeContents(element);
        const tops = new Set(
          [...range.getClientRects()].filter(({ width }) => width > 1).map(({ bottom }) => Math.round(bottom / 12)),
        );
        if (tops.size > 1 && element.clientHeight > 44) found.push(`a label of several lines: ${name()}`);
      }
      if (element.matches("p, li, h1, h2, h3, dd, dt, td, th, figcaption, summary")) {
        for (const text of lineStarts(element))
          if (/^[、。，．：；？！）」』】〉》ー々ッャュョ,.;:!?)]/.test(text))
            found.push(`a line begins with ${text[0]}: ${name()}`);
      }
    }
    return found;

    /** First two letters of each line but the first. */
    function lineStarts(element: HTMLElement): readonly string[] {
      const starts: string[] = [];
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      let bottom: number | undefined;
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        if (node.parentElement?.checkVisibility() !== true) continue;
        const text = node.nodeValue ?? "";
        for (let index = 0; index < text.length; index += 1) {
          range.setStart(node, index);
          range.setEnd(node, index + 1);
          const box = range.getBoundingClientRect();
          if (box.width === 0 || text[index]?.trim() === "") continue;
          if (bottom !== undefined && box.top >= bottom - 2) starts.push(text.slice(index, index + 2));
          bottom = bottom !== undefined && box.top < bottom - 2 ? Math.max(bottom, box.bottom) : box.bottom;
        }
      }
      return starts;
    }
  });
}
