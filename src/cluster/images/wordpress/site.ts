// What WordPress answers: it asks its database at each request, and says what it finds there.

import { decodeUtf8 } from "#sim/bytes.ts";
import type { HttpHeaders, HttpRequest } from "#sim/http.ts";
import type { Process, Sys } from "#sim/program.ts";
import { commandCodes, LinkError, MysqlLink } from "../mysql/link.ts";

export interface Page {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly text: string;
}

export const documentRoot = "/var/www/html";
const connectTimeoutMs = 60_000;
const firstPost = "Welcome to WordPress. This is your first post. Edit or delete it, then start writing!";

function html(status: number, title: string, body: string, headers: HttpHeaders = {}): Page {
  const text = `<!DOCTYPE html>\n<html lang="en-US">\n<head>\n<meta charset="UTF-8">\n<title>${title}</title>\n</head>\n<body>\n${body}\n</body>\n</html>\n`;
  return { status, headers: { "content-type": "text/html; charset=UTF-8", ...headers }, text };
}

function redirect(location: string): Page {
  return { status: 302, headers: { "content-type": "text/html; charset=UTF-8", location, "x-redirect-by": "WordPress" }, text: "" };
}

const databaseError = html(500, "Database Error", "<h1>Error establishing a database connection</h1>", {
  "cache-control": "no-cache, must-revalidate, max-age=0",
});

const setupPage = html(
  200,
  "WordPress &rsaquo; Setup Configuration File",
  "<h1>Before getting started</h1>\n<p>Welcome to WordPress. Before getting started, you will need to know the following items.</p>\n<ol>\n<li>Database name</li>\n<li>Database username</li>\n<li>Database password</li>\n<li>Database host</li>\n<li>Table prefix (if you want to run more than one WordPress in a single database)</li>\n</ol>",
);

const installPage = html(
  200,
  "WordPress &rsaquo; Installation",
  '<h1>Welcome</h1>\n<p>Welcome to the famous five-minute WordPress installation process!</p>\n<form id="setup" method="post" action="install.php?step=2">\n<label>Site Title <input name="weblog_title" type="text"></label>\n<label>Username <input name="user_name" type="text"></label>\n<label>Password <input name="admin_password" type="password"></label>\n<label>Your Email <input name="admin_email" type="email"></label>\n<input type="submit" name="Submit" value="Install WordPress">\n</form>',
);

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A value of the environment, or of the file that NAME_FILE names, as wp-config-docker.php reads it. */
function setting(self: Process, name: string, fallback: string): string {
  const file = self.env.get(`${name}_FILE`);
  if (file !== undefined) return self.readText(file).replace(/[\r\n]+$/, "");
  return self.env.get(name) ?? fallback;
}

export class Site {
  readonly #self: Process;

  constructor(self: Process) {
    this.#self = self;
  }

  /** A page of WordPress; undefined for what is a plain file or nothing. */
  *answer(request: HttpRequest): Sys<Page | undefined> {
    const path = request.target.replace(/\?.*/s, "");
    if (!path.endsWith(".php") && !path.endsWith("/") && this.#self.exists(`${documentRoot}${path}`)) return undefined;
    const base = `http://${request.headers.host ?? "localhost"}`;
    if (!this.#self.exists(`${documentRoot}/wp-config.php`))
      return path === "/wp-admin/setup-config.php" ? setupPage : redirect(`${base}/wp-admin/setup-config.php`);
    try {
      return yield* this.#page(request, path, base);
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      return databaseError;
    }
  }

  *#page(request: HttpRequest, path: string, base: string): Sys<Page> {
    const link = yield* this.#connect();
    try {
      const title = yield* this.#title(link);
      if (path === "/wp-admin/install.php") return yield* this.#install(link, request, title);
      if (title === undefined) return redirect(`${base}/wp-admin/install.php`);
      if (path === "/" || path === "/index.php") return yield* this.#front(link, title);
      if (path.endsWith(".php")) return html(501, "Not Implemented", "<p>This page of WordPress is not available here.</p>");
      return html(404, `Page not found &#8211; ${escapeHtml(title)}`, "<h1>Page not found</h1>");
    } finally {
      link.close();
    }
  }

  *#connect(): Sys<MysqlLink> {
    const self = this.#self;
    const [host = "", port] = setting(self, "WORDPRESS_DB_HOST", "mysql").split(":");
    const link = yield* MysqlLink.open(self, {
      host,
      port: port === undefined ? 3306 : Number(port),
      user: setting(self, "WORDPRESS_DB_USER", "example username"),
      password: setting(self, "WORDPRESS_DB_PASSWORD", "example password"),
      database: setting(self, "WORDPRESS_DB_NAME", "wordpress"),
      timeoutMs: connectTimeoutMs,
    });
    return link;
  }

  get #options(): string {
    return this.#table("options");
  }

  #table(name: "options" | "posts"): string {
    return `${setting(this.#self, "WORDPRESS_TABLE_PREFIX", "wp_")}${name}`;
  }

  /** The newest post first, as the database has them. */
  *#front(link: MysqlLink, title: string): Sys<Page> {
    const query = `SELECT post_title, post_content FROM ${this.#table("posts")} ORDER BY ID DESC LIMIT 10`;
    const found = yield* link.command(commandCodes.query, query);
    const posts = "rows" in found ? found.rows : [];
    const shown = posts.map(([heading, text]) => `<h2>${escapeHtml(heading ?? "")}</h2>\n<p>${escapeHtml(text ?? "")}</p>`);
    return html(200, escapeHtml(title), [`<h1>${escapeHtml(title)}</h1>`, ...shown].join("\n"));
  }

  /** The site's title; undefined before the installation. */
  *#title(link: MysqlLink): Sys<string | undefined> {
    const tables = yield* link.command(commandCodes.query, "SHOW TABLES");
    if (!("rows" in tables) || !tables.rows.some(([name]) => name === this.#options)) return undefined;
    const found = yield* link.command(
      commandCodes.query,
      `SELECT option_value FROM ${this.#options} WHERE option_name = 'blogname'`,
    );
    return ("rows" in found ? found.rows[0]?.[0] : undefined) ?? undefined;
  }

  *#install(link: MysqlLink, request: HttpRequest, title: string | undefined): Sys<Page> {
    const heading = "WordPress &rsaquo; Installation";
    if (title !== undefined)
      return html(
        200,
        heading,
        "<h1>Already Installed</h1>\n<p>You appear to have already installed WordPress. To reinstall please clear your old database tables first.</p>",
      );
    if (request.method !== "POST" || !/[?&]step=2\b/.test(request.target)) return installPage;
    const form = new URLSearchParams(decodeUtf8(request.body));
    const name = form.get("user_name") ?? "";
    if (name === "" || (form.get("admin_email") ?? "") === "")
      return html(
        200,
        heading,
        `<p>${name === "" ? "Please provide a valid username." : "You must provide an email address."}</p>`,
      );
    const blog = (form.get("weblog_title") ?? "").replaceAll(/['\\]/g, "\\$&");
    yield* link.command(commandCodes.query, `CREATE TABLE ${this.#options} (option_name VARCHAR(191), option_value LONGTEXT)`);
    yield* link.command(commandCodes.query, `INSERT INTO ${this.#options} VALUES ('blogname', '${blog}')`);
    const posts = this.#table("posts");
    const columns = "ID BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, post_content LONGTEXT NOT NULL, post_title TEXT NOT NULL";
    yield* link.command(commandCodes.query, `CREATE TABLE ${posts} (${columns})`);
    yield* link.command(
      commandCodes.query,
      `INSERT INTO ${posts} (post_title, post_content) VALUES ('Hello world!', '${firstPost}')`,
    );
    return html(200, heading, "<h1>Success!</h1>\n<p>WordPress has been installed. Thank you, and enjoy!</p>");
  }
}
