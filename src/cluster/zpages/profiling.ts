// /debug/pprof and /debug/flags (Go's net/http/pprof; apiserver, pkg/server/routes). The programs here run no Go code: there is an index,
// there is nothing contended, and what only a Go runtime could tell is refused as not simulated.

import type { HttpRequest } from "#sim/http.ts";
import { notFound, type Page, pathOf, plainText, queryOf } from "./page.ts";

const base = "/debug/pprof/";

/** Names with what the index says of them, in its order. */
const profiles: readonly (readonly [name: string, description: string])[] = [
  ["allocs", "A sampling of all past memory allocations"],
  ["block", "Stack traces that led to blocking on synchronization primitives"],
  ["cmdline", "The command line invocation of the current program"],
  [
    "goroutine",
    "Stack traces of all current goroutines. Use debug=2 as a query parameter to export in the same format as an unrecovered panic.",
  ],
  [
    "heap",
    "A sampling of memory allocations of live objects. You can specify the gc GET parameter to run GC before taking the heap sample.",
  ],
  ["mutex", "Stack traces of holders of contended mutexes"],
  [
    "profile",
    "CPU profile. You can specify the duration in the seconds GET parameter. After you get the profile file, use the go tool pprof command to investigate the profile.",
  ],
  [
    "symbol",
    "Maps given program counters to function names. Counters can be specified in a GET raw query or POST body, multiple counters are separated by &#39;+&#39;.",
  ],
  ["threadcreate", "Stack traces that led to the creation of new OS threads"],
  [
    "trace",
    "A trace of execution of the current program. You can specify the duration in the seconds GET parameter. After you get the trace file, use the go tool trace command to investigate the trace.",
  ],
];

const unsimulated: { readonly [name: string]: string } = {
  allocs: "allocations",
  goroutine: "goroutines",
  heap: "allocations",
  profile: "samples of processors",
  threadcreate: "threads",
  trace: "events of a runtime",
};

/** Undefined: the path is none of these. `cmdline`: the server has a handler for it, which only a kubelet's has. */
export function profilingPage(request: HttpRequest, argv: readonly string[], hasCmdline = false): Page | undefined {
  const path = pathOf(request);
  if (path === "/debug/pprof") {
    const headers = { "content-type": "text/html; charset=utf-8", location: base };
    return { status: 302, headers, text: `<a href="${base}">Found</a>.\n\n` };
  }
  if (!path.startsWith(base)) return undefined;
  const name = path.slice(base.length);
  if (name === "") return indexPage();
  if (name === "symbol") return { status: 200, headers: plainText, text: "num_symbols: 1\n" };
  if (name === "cmdline" && hasCmdline) return { status: 200, headers: plainText, text: argv.join("\0") };
  const query = queryOf(request);
  const what = unsimulated[name];
  if (what === undefined && name !== "block" && name !== "mutex") return failure(404, "Unknown profile");
  const seconds = query.get("seconds");
  const isDelta = name !== "profile" && name !== "trace";
  if (isDelta && seconds !== null && !/^0*[1-9]\d*$/.test(seconds))
    return failure(400, 'invalid value for "seconds" - must be a positive integer');
  if (what !== undefined) return failure(501, `${name}: not simulated: there are no ${what} of a Go program here`);
  if ((query.get("debug") ?? "0") === "0") return failure(501, `${name}: not simulated in this form; ask with debug=1`);
  const head = name === "block" ? "--- contention:\n" : "--- mutex:\n";
  const end = name === "block" ? "" : "sampling period=0\n";
  return { status: 200, headers: plainText, text: `${head}cycles/second=1000000000\n${end}` };
}

function failure(status: number, text: string): Page {
  return { status, headers: { ...plainText, "x-go-pprof": "1" }, text: `${text}\n` };
}

function indexPage(): Page {
  const rows = profiles.map(([name]) => `<tr><td>0</td><td><a href='${name}?debug=1'>${name}</a></td></tr>\n`);
  const items = profiles.map(([name, description]) => `<li><div class=profile-name>${name}: </div> ${description}</li>\n`);
  const text = `<html>
<head>
<title>/debug/pprof/</title>
<style>
.profile-name{
	display:inline-block;
	width:6rem;
}
</style>
</head>
<body>
/debug/pprof/
<br>
<p>Set debug=1 as a query parameter to export in legacy text format</p>
<br>
Types of profiles available:
<table>
<thead><td>Count</td><td>Profile</td></thead>
${rows.join("")}</table>
<a href="goroutine?debug=2">full goroutine stack dump</a>
<br>
<p>
Profile Descriptions:
<ul>
${items.join("")}</ul>
</p>
</body>
</html>`;
  return { status: 200, headers: { ...plainText, "content-type": "text/html; charset=utf-8" }, text };
}

/** `/debug/flags` and `/debug/flags/v`. Undefined: the path is none of these. `hasIndex`: kubelets have none. */
export function debugFlagsPage(request: HttpRequest, hasIndex = true): Page | undefined {
  const path = pathOf(request);
  const headers = { "content-type": "text/plain", "x-content-type-options": "nosniff" };
  if (path === "/debug/flags/v") {
    if (request.method !== "PUT") return { status: 406, headers, text: "unsupported http method\n" };
    return { status: 501, headers, text: "verbosity: not simulated: what is logged does not depend on it\n" };
  }
  if (path !== "/debug/flags" && !path.startsWith("/debug/flags/")) return undefined;
  if (!hasIndex) return notFound;
  return {
    status: 200,
    headers: { "content-type": "text/html; charset=utf-8" },
    text: "<html>\n<head>\n<title>/debug/flags/</title>\n</head>\n<body>\n/debug/flags/<br>\n<br>\nflags:<br>\n<table>\n<tr>v<br>\n</table>\n<br>\nfull flags configurable<br>\n</body>\n</html>\n",
  };
}
