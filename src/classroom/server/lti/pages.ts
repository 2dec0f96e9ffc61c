// The few pages that the server writes itself, small enough for a platform's frame: a door into a window of its own, the choice of what a
// link leads to, the way back, and why a launch came to nothing. Platforms alone may frame them; they run one known script at most.

import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import { type Locale, languageTags } from "../../../i18n/locales.ts";
import type { CourseOutline } from "../../page/outline.ts";
import { fill, type LaunchWords, wordsIn } from "../words.ts";
import type { LaunchRefusal } from "./id-token.ts";

interface PageOptions {
  readonly locale: Locale;
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** Origins that may show it in a frame. */
  readonly frames: readonly string[];
  /** Where its form goes beside this server. */
  readonly formTo?: string;
  readonly script?: string;
  readonly status?: number;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

const style = `:root{color-scheme:light dark;scroll-padding-bottom:6rem}
body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:0 auto;padding:1.5rem;background:Canvas;color:CanvasText}
h1{font-size:1.4rem;line-height:1.25}h2{font-size:1.05rem;margin:1.5rem 0 .25rem}
fieldset{border:0;margin:0;padding:0}legend{padding:0}
label{display:flex;gap:.6rem;align-items:baseline;padding:.35rem 0}label span:last-child{margin-left:auto;white-space:nowrap}
input{flex:none;width:1.1rem;height:1.1rem;accent-color:#1c5fb8}small{display:block}
.button{display:inline-block;font:inherit;font-weight:600;padding:.6rem 1rem;border:0;border-radius:.4rem;background:#1c5fb8;color:#fff;
text-decoration:none;cursor:pointer}
.button:focus-visible,input:focus-visible{outline:3px solid currentColor;outline-offset:2px}
.end{position:sticky;bottom:0;background:Canvas;padding:.75rem 0;margin:1rem 0 0;border-top:1px solid GrayText}
code{overflow-wrap:anywhere}`;
const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const styleHash = hashOf(style);

export function sendPage(
  reply: FastifyReply,
  { locale, title, body, frames, formTo, script, status = 200 }: PageOptions,
): FastifyReply {
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    `form-action 'self'${formTo === undefined ? "" : ` ${new URL(formTo).origin}`}`,
    "base-uri 'none'",
    `frame-ancestors ${frames.length === 0 ? "'none'" : frames.join(" ")}`,
  ].join(";");
  if (frames.length > 0) reply.removeHeader("x-frame-options");
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .header("content-security-policy", policy)
    .send(
      `<!doctype html>
<html lang="${languageTags[locale]}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>
<style>${style}</style></head>
<body><main>
${body}
</main>${script === undefined ? "" : `<script>${script}</script>`}</body></html>
`,
    );
}

const hidden = (name: string, value: string): string => `<input type="hidden" name="${name}" value="${escaped(value)}">`;

/** A window of its own: there the course's pages and its cookie are not in somebody else's page. */
export function entryDoor(
  reply: FastifyReply,
  locale: Locale,
  frames: readonly string[],
  address: string,
  ticket: string,
): FastifyReply {
  const { title, text, button } = wordsIn(locale).launch.open;
  const body = `<h1>${escaped(title)}</h1><p>${escaped(text)}</p>
<form method="post" action="${escaped(address)}" target="_blank">${hidden("ticket", ticket)}<button class="button">${escaped(button)}</button></form>`;
  return sendPage(reply, { locale, title, body, frames });
}

/** The browser kept nothing of how the launch began: it begins again where it will. */
export function apartDoor(reply: FastifyReply, locale: Locale, frames: readonly string[], address: string): FastifyReply {
  const { title, text, button } = wordsIn(locale).launch.apart;
  const body = `<h1>${escaped(title)}</h1><p>${escaped(text)}</p>
<p><a class="button" href="${escaped(address)}" target="_blank">${escaped(button)}</a></p>`;
  return sendPage(reply, { locale, title, body, frames });
}

interface ChoiceOptions {
  readonly locale: Locale;
  readonly frames: readonly string[];
  readonly address: string;
  readonly ticket: string;
  readonly outline: CourseOutline;
  readonly exams: readonly { readonly id: string; readonly title: string; readonly most: number }[];
  readonly classMost: number;
  readonly several: boolean;
}

export function choicePage(reply: FastifyReply, options: ChoiceOptions): FastifyReply {
  const { locale, frames, address, ticket, outline, exams, classMost, several } = options;
  const words = wordsIn(locale).launch.choose;
  const line = (value: string, title: string, most: number, note = ""): string => {
    const points = most === 0 ? "" : escaped(fill(words.points, { most }));
    const input = `<input type="${several ? "checkbox" : "radio"}" name="target" value="${escaped(value)}"${several ? "" : " required"}>`;
    return `<label>${input}<span>${escaped(title)}${note === "" ? "" : `<small>${escaped(note)}</small>`}</span><span>${points}</span></label>`;
  };
  const group = (title: string, lines: readonly string[]): string =>
    lines.length === 0 ? "" : `<fieldset><legend><h2>${escaped(title)}</h2></legend>${lines.join("\n")}</fieldset>`;
  const labs = (part: CourseOutline["parts"][number]): readonly string[] =>
    part.lessons.flatMap(({ place, title }) =>
      Object.entries(outline.labs)
        .filter(([, lab]) => lab.place === place)
        .map(([lab, { steps }]) =>
          line(
            `lab ${lab}`,
            title,
            steps.reduce((sum, { most }) => sum + most, 0),
          ),
        ),
    );
  const body = `<h1>${escaped(words.title)}</h1><p>${escaped(words.text)}</p>
<form method="post" action="${escaped(address)}">${hidden("ticket", ticket)}
<fieldset><legend hidden>${escaped(words.class)}</legend>${line("class", words.class, classMost, words.classNote)}</fieldset>
${group(
  words.exams,
  exams.map(({ id, title, most }) => line(`exam ${id}`, title, most)),
)}
${outline.parts.map((part) => group(part.title, labs(part))).join("\n")}
<p class="end"><button class="button">${escaped(words.submit)}</button></p></form>`;
  return sendPage(reply, { locale, title: words.title, body, frames });
}

/** What was chosen goes back to the platform, through the browser. */
export function wayBack(reply: FastifyReply, locale: Locale, frames: readonly string[], to: string, token: string): FastifyReply {
  const { title, text, button } = wordsIn(locale).launch.back;
  const body = `<h1>${escaped(title)}</h1><p>${escaped(text)}</p>
<form method="post" action="${escaped(to)}">${hidden("JWT", token)}<button class="button">${escaped(button)}</button></form>`;
  return sendPage(reply, { locale, title, body, frames, formTo: to, script: "document.forms[0].submit()" });
}

const sentences: Readonly<Record<LaunchRefusal, keyof LaunchWords["refused"]>> = {
  "unknown-platform": "untrusted",
  "not-begun": "again",
  "other-browser": "browser",
  "platform-said-no": "again",
  "platform-away": "away",
  "bad-signature": "untrusted",
  "wrong-audience": "untrusted",
  expired: "again",
  "wrong-nonce": "untrusted",
  "unknown-deployment": "untrusted",
  "bad-message": "untrusted",
  "no-role": "role",
  "no-course": "course",
  "class-not-there": "class",
  "class-closed": "closed",
  "class-full": "full",
  "too-many": "many",
};

const statuses: Partial<Record<LaunchRefusal, number>> = { "platform-away": 503, "too-many": 429 };

export function refusalPage(reply: FastifyReply, locale: Locale, frames: readonly string[], reason: LaunchRefusal): FastifyReply {
  const words = wordsIn(locale).launch.refused;
  const body = `<h1>${escaped(words.title)}</h1><p>${escaped(words[sentences[reason]])}</p>
<p><small>${escaped(fill(words.code, { code: "\u0000" })).replace("\u0000", `<code>${reason}</code>`)}</small></p>`;
  return sendPage(reply, { locale, title: words.title, body, frames, status: statuses[reason] ?? 403 });
}
