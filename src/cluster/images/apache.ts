// What images with Apache have in common: dates of its error log and its pages about errors.

import { httpDate } from "./http-dates.ts";

/** `Thu Jan 01 00:00:00.000000 2026` */
export function apacheDate(nowMs: number): string {
  const [, weekday, day, month, year, time] = /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(httpDate(nowMs)) ?? [];
  return `${weekday} ${month} ${day} ${time}.000000 ${year}`;
}

export function apacheErrorPage(status: number, title: string, text: string): string {
  return `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>${status} ${title}</title>\n</head><body>\n<h1>${title}</h1>\n<p>${text}</p>\n</body></html>\n`;
}
