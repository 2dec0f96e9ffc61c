// What search found, as items of its list.

import type { FoundLesson } from "../../course/search/course-search.ts";
import type { Piece } from "../../course/search/excerpt.ts";
import type { WordHead } from "../../course/search/index-format.ts";

export interface Addresses {
  /** Of the language's pages: "/fr/". */
  readonly pages: string;
  readonly glossary: string;
}

export function lessonItem(lesson: FoundLesson, { pages }: Addresses): HTMLElement {
  const address = `${pages}${lesson.path}/`;
  const part = element("span", "kicker", lesson.partTitle);
  const title = link(address, lesson.title);
  title.className = "search-lesson";
  const sections = element("ul");
  if (lesson.sections.length === 0) sections.append(excerpt(lesson.summary));
  for (const section of lesson.sections) {
    const entry = element("li");
    entry.append(link(`${address}#${section.anchor}`, section.title), excerpt(section.excerpt));
    sections.append(entry);
  }
  const item = element("li");
  item.append(part, title, sections);
  return item;
}

/** A word of the glossary with what it means. */
export function wordItem({ forms, means = "", anchor = "" }: WordHead, { glossary }: Addresses): HTMLElement {
  const [own = "", english = ""] = forms;
  const item = element("li", "search-word");
  const heading = element("p");
  heading.append(link(`${glossary}#${anchor}`, own));
  if (english !== "" && english.toLowerCase() !== own.toLowerCase()) {
    const other = element("span", "entry-english", english);
    other.lang = "en";
    heading.append(" ", other);
  }
  const meaning = element("p");
  for (const [index, text] of means.split("`").entries()) meaning.append(index % 2 === 0 ? text : element("code", "", text));
  item.append(heading, meaning);
  return item;
}

function excerpt(pieces: readonly Piece[]): HTMLElement {
  const paragraph = element("p");
  for (const { text, marked } of pieces) paragraph.append(marked ? element("mark", "", text) : text);
  return paragraph;
}

function link(href: string, text: string): HTMLAnchorElement {
  const anchor = document.createElement("a");
  anchor.href = href;
  anchor.textContent = text;
  return anchor;
}

function element(name: string, className = "", text = ""): HTMLElement {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  if (text !== "") made.textContent = text;
  return made;
}
