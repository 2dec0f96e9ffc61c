// How nginx reads its configuration: the main file, what it includes, and what the command line adds.

import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { ConfigurationError, type Directive, parseConfiguration, type ServerBlock, serversOf } from "./configuration.ts";
import { type Settings, settingsOf } from "./settings.ts";

export const configurationFile = "/etc/nginx/nginx.conf";

export interface Configuration {
  readonly settings: Settings;
  readonly servers: readonly ServerBlock[];
}

function included(self: Process, pattern: string): readonly Directive[] {
  const absolute = pattern.startsWith("/") ? pattern : `/etc/nginx/${pattern}`;
  const slash = absolute.lastIndexOf("/");
  const directory = absolute.slice(0, slash);
  const name = absolute.slice(slash + 1);
  if (!name.includes("*")) return parseConfiguration(self.readText(absolute), absolute);
  const shape = new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  const directives: Directive[] = [];
  for (const entry of self.readdir(directory)) {
    if (!shape.test(entry) || entry.startsWith(".")) continue;
    directives.push(...parseConfiguration(self.readText(`${directory}/${entry}`), `${directory}/${entry}`));
  }
  return directives;
}

/** All that a configuration is made of: files included from elsewhere are read anew each time. */
function configurationText(self: Process): string {
  let text = self.readText(configurationFile);
  for (const match of text.matchAll(/^\s*include\s+(\S+);/gm)) {
    const pattern = match[1] as string;
    const absolute = pattern.startsWith("/") ? pattern : `/etc/nginx/${pattern}`;
    const slash = absolute.lastIndexOf("/");
    const directory = absolute.slice(0, slash);
    const names = absolute.includes("*") ? self.readdir(directory) : [absolute.slice(slash + 1)];
    for (const name of names) text += `\n#${directory}/${name}\n${self.readText(`${directory}/${name}`)}`;
  }
  return text;
}

/** A configuration of the same text is parsed once for all servers of a release. */
export class ConfigurationReader {
  #text = "";
  #main: readonly Directive[] = [];
  #servers: readonly ServerBlock[] = [];
  /** All that the settings are made of. */
  #sources = "";
  #settings: Settings | undefined;

  /** `given`: directives of the command line. Throws ConfigurationError. */
  read(self: Process, given: string): Configuration {
    const first = parseConfiguration(given, "command line");
    try {
      const text = configurationText(self);
      if (text !== this.#text) {
        const main = parseConfiguration(self.readText(configurationFile), configurationFile);
        this.#servers = serversOf(main, (pattern) => included(self, pattern));
        this.#main = main;
        this.#text = text;
      }
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new ConfigurationError(`open() "${configurationFile}" failed (2: ${error.message})`);
    }
    return { settings: this.#settingsFor(self, given, first), servers: this.#servers };
  }

  #settingsFor(self: Process, given: string, first: readonly Directive[]): Settings {
    const files = ["/etc/passwd", "/etc/group", "/proc/cpuinfo"].map((file) => (self.exists(file) ? self.readText(file) : ""));
    const [passwd = "", group = "", cpuinfo = ""] = files;
    const sources = [given, this.#text, String(self.uid), ...files].join("\0");
    if (this.#settings === undefined || sources !== this.#sources) {
      serversOf(first, () => []);
      this.#settings = settingsOf([...first, ...this.#main], { isRoot: self.uid === 0, passwd, group, cpuinfo });
      this.#sources = sources;
    }
    return this.#settings;
  }
}
