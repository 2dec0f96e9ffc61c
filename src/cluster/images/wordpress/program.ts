// The image's start script and Apache with PHP in front of WordPress.

import { encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { apacheErrorPage, debianApache, logAccess } from "../apache.ts";
import { httpDate } from "../http-dates.ts";
import { atTheCostOf, ProcessorTime } from "../processor-time.ts";
import type { WordpressRelease } from "./releases.ts";
import { documentRoot, type Page, Site } from "./site.ts";

const source = "/usr/src/wordpress";
const residentBytes = 62_914_560;
const copyMs = 1_400;
/** Microseconds of a processor: WordPress makes each page anew. */
const unitsPerPage = 30_000;

function copyTree(self: Process, from: string, to: string): void {
  for (const name of self.readdir(from)) {
    const [origin, target] = [`${from}/${name}`, `${to}/${name}`];
    if (self.stat(origin).type === "directory") {
      if (!self.readdir(to).includes(name)) self.mkdir(target);
      copyTree(self, origin, target);
    } else self.writeFile(target, self.readFile(origin));
  }
}

/** Puts WordPress where Apache looks, and its configuration when the environment speaks of one. */
function* prepare(self: Process): Sys<void> {
  const there = self.readdir(documentRoot);
  if (!there.includes("index.php") && !there.includes("wp-includes")) {
    yield* self.write(2, `WordPress not found in ${documentRoot} - copying now...\n`);
    if (there.length > 0) yield* self.write(2, `WARNING: ${documentRoot} is not empty! (copying anyhow)\n`);
    yield* self.sleep(copyMs);
    copyTree(self, source, documentRoot);
    yield* self.write(2, `Complete! WordPress has been successfully copied to ${documentRoot}\n`);
  }
  const variables = [...self.env.keys()].filter((name) => name.startsWith("WORDPRESS_")).sort();
  if (variables.length === 0 || self.readdir(documentRoot).includes("wp-config.php")) return;
  yield* self.write(
    2,
    `No 'wp-config.php' found in ${documentRoot}, but 'WORDPRESS_...' variables supplied; copying 'wp-config-docker.php' (${variables.join(" ")})\n`,
  );
  self.writeFile(`${documentRoot}/wp-config.php`, self.readFile(`${source}/wp-config-docker.php`));
}

function fileAnswer(self: Process, target: string): Page {
  const path = target.replace(/\?.*/s, "");
  try {
    const text = self.readText(`${documentRoot}${path}`);
    return { status: 200, headers: { "content-type": path.endsWith(".html") ? "text/html" : "text/plain" }, text };
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const text = apacheErrorPage(404, "Not Found", "The requested URL was not found on this server.");
    return { status: 404, headers: { "content-type": "text/html; charset=iso-8859-1" }, text };
  }
}

class Apache {
  readonly #self: Process;
  readonly #release: WordpressRelease;
  readonly #site: Site;
  readonly #time: ProcessorTime;

  constructor(self: Process, release: WordpressRelease) {
    this.#self = self;
    this.#release = release;
    this.#site = new Site(self);
    this.#time = new ProcessorTime(self, self.processors);
  }

  run(): Sys<number> {
    const handler = atTheCostOf(unitsPerPage, this.#time, (...call) => this.#serve(...call));
    return debianApache(this.#self, { ...this.#release, residentBytes, handler });
  }

  /** Each request has a thread: WordPress waits for its database. */
  #serve(request: HttpRequest, peer: HttpPeer, responder: HttpResponder): void {
    const self = this.#self;
    const [site, { apache, php }] = [this.#site, this.#release];
    self.startThread(function* () {
      const page = (yield* site.answer(request)) ?? fileAnswer(self, request.target);
      const body = encodeUtf8(page.text);
      const headers = {
        date: httpDate(self.nowMs),
        server: `Apache/${apache} (Debian)`,
        "x-powered-by": `PHP/${php}`,
        ...page.headers,
      };
      responder.reply(page.status, headers, request.method === "HEAD" ? noBytes : body);
      logAccess(self, peer, request, { status: page.status, size: body.length });
    });
  }
}

/** docker-entrypoint.sh and apache2-foreground: the same file under two names. */
export function wordpressProgram(release: WordpressRelease): Program {
  return function* (self) {
    const isEntrypoint = self.argv[0]?.endsWith("docker-entrypoint.sh") === true;
    const [command = "", ...args] = isEntrypoint ? self.argv.slice(1) : ["apache2-foreground"];
    if (command !== "apache2-foreground") return yield* self.exec({ run: command, argv: [command, ...args] });
    if (isEntrypoint) yield* prepare(self);
    return yield* new Apache(self, release).run();
  };
}
