// What a page is made of, whoever serves it: the API server, the controller manager, schedulers, kubelets, kube-proxy.

import { ApiError } from "#cluster/api/errors.ts";
import type { Status } from "#cluster/api/objects.ts";
import type { HttpHeaders, HttpRequest } from "#sim/http.ts";

/** A whole answer; its server adds the headers that all its answers have. */
export interface Page {
  readonly status: number;
  /** Content type, and whatever belongs to this page only. */
  readonly headers: HttpHeaders;
  readonly text: string;
}

/** The program whose pages they are. */
export interface Component {
  /** `kube-scheduler` */
  readonly name: string;
  readonly startedMs: number;
  readonly nowMs: number;
  /** What its server tells of: /statusz lists the first part of each. */
  readonly paths: readonly string[];
  /** What it was started with, the program's name first. */
  readonly argv: readonly string[];
}

export const plainText = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };

export const notFound: Page = { status: 404, headers: plainText, text: "404 page not found\n" };

/** `/a/b` of `/a/b?c=d`. */
export function pathOf({ target }: Pick<HttpRequest, "target">): string {
  return target.split("?", 1)[0] as string;
}

export function queryOf({ target }: Pick<HttpRequest, "target">): URLSearchParams {
  return new URLSearchParams(target.split("?").slice(1).join("?"));
}

/** A Status as the answer; people get it with line ends. */
export function statusPage(status: Status, { headers }: Pick<HttpRequest, "headers">): Page {
  const isForPeople = /^(?:curl|Wget|Mozilla)/u.test(headers["user-agent"] ?? "");
  const text = isForPeople ? JSON.stringify(status, undefined, 2) : `${JSON.stringify(status)}\n`;
  return { status: status.code ?? 500, headers: { "content-type": "application/json" }, text };
}

/** A page, or why its like is not written (a thrown ApiError). */
export function pageOrRefusal(make: () => Page, request: Pick<HttpRequest, "headers">): Page {
  try {
    return make();
  } catch (error) {
    if (error instanceof ApiError) return statusPage(error.status, request);
    throw error;
  }
}
