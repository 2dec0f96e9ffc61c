// Begins the teacher's page in the place that its HTML has for it.

import { render } from "preact";
import { loadTeacherStrings } from "../../../i18n/load.ts";
import { isLocale } from "../../../i18n/locales.ts";
import type { CourseOutline } from "../outline.ts";
import { Api } from "./api.ts";
import { TeacherApp } from "./app.tsx";
import { Room } from "./room.ts";

export async function mountTeacherPage(place: HTMLElement, outline: CourseOutline, baseUrl: string): Promise<void> {
  const locale = document.documentElement.dataset["locale"];
  if (!isLocale(locale)) throw new Error("the page does not say its language");
  const base = baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`;
  const t = await loadTeacherStrings(locale);
  const room = new Room({ api: new Api(base), t, locale, outline, base });
  render(<TeacherApp room={room} />, place);
}
