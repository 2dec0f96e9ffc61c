// How nginx reads its configuration: the main file, what it includes, and what the command line adds.

import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { ConfigurationError, type Directive, parseConfiguration, type ServerBlock, serversOf } from "./configuration.ts";
import { type Settings, settingsOf } from "./settings.ts";
import { type PortTls, portsWithTls } from "./tls.ts";

export const configurationFile = "/etc/nginx/nginx.conf";

export interface Configuration {
  readonly settings: Settings;
  readonly servers: readonly ServerBlock[];
  /** Port → how it speaks TLS. */
  readonly tls: ReadonlyMap<number, PortTls>;
}

/** The files that an include names, in the order of their names; a star stands for no dot at the beginning, as in a shell. */
function includedFiles(self: Process, pattern: string): readonly string[] {
  const slash = pattern.lastIndexOf("/");
  const directory = pattern.slice(0, slash);
  const name = pattern.slice(slash + 1);
  if (!name.includes("*")) return [pattern];
  const shape = new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  const names = self.readdir(directory).filter((entry) => shape.test(entry) && !entry.startsWith("."));
  return names.map((entry) => `${directory}/${entry}`);
}

function included(self: Process, pattern: string): readonly Directive[] {
  const files = includedFiles(self, pattern.startsWith("/") ? pattern : `/etc/nginx/${pattern}`);
  return files.flatMap((file) => parseConfiguration(self.readText(file), file));
}

/** Of the main file: what it includes. */
function includedPatterns(text: string): readonly string[] {
  return [...text.matchAll(/^\s*include\s+(\S+);/gm)].map((match) => {
    const pattern = match[1] as string;
    return pattern.startsWith("/") ? pattern : `/etc/nginx/${pattern}`;
  });
}

/** Texts of files that did not change are mostly the very same string: then this looks at none of its letters. */
/** "" of what is not there. */
function textOf(self: Process, file: string): string {
  try {
    return self.readText(file);
  } catch (error) {
    if (!(error instanceof SysError) || (error.code !== "ENOENT" && error.code !== "ENOTDIR")) throw error;
    return "";
  }
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}

/** A configuration of the same text is parsed once for all servers of a release. */
export class ConfigurationReader {
  #given: string | undefined;
  #first: readonly Directive[] = [];
  /** The main file, then the path and the text of each included one. */
  #texts: readonly string[] = [];
  #includes: { readonly main: string; readonly patterns: readonly string[] } | undefined;
  #main: readonly Directive[] = [];
  #servers: readonly ServerBlock[] = [];
  /** All that the settings are made of beside `#first` and `#main`. */
  #sources: readonly string[] = [];
  #settings: Settings | undefined;

  /** `given`: directives of the command line. Throws ConfigurationError. */
  read(self: Process, given: string): Configuration {
    if (given !== this.#given) {
      this.#first = parseConfiguration(given, "command line");
      this.#given = given;
      this.#settings = undefined;
    }
    try {
      const texts = this.#read(self);
      if (!areSame(texts, this.#texts)) {
        const main = parseConfiguration(self.readText(configurationFile), configurationFile);
        this.#servers = serversOf(main, (pattern) => included(self, pattern));
        this.#main = main;
        this.#texts = texts;
        this.#settings = undefined;
      }
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new ConfigurationError(`open() "${configurationFile}" failed (2: ${error.message})`);
    }
    return { settings: this.#settingsFor(self), servers: this.#servers, tls: portsWithTls(self, this.#servers) };
  }

  /** Files included from elsewhere are read anew each time. */
  #read(self: Process): readonly string[] {
    const main = self.readText(configurationFile);
    if (this.#includes?.main !== main) this.#includes = { main, patterns: includedPatterns(main) };
    const texts = [main];
    for (const pattern of this.#includes.patterns)
      for (const file of includedFiles(self, pattern)) texts.push(file, self.readText(file));
    return texts;
  }

  #settingsFor(self: Process): Settings {
    const files = ["/etc/passwd", "/etc/group", "/proc/cpuinfo"].map((file) => textOf(self, file));
    const [passwd = "", group = "", cpuinfo = ""] = files;
    const sources = [String(self.uid), ...files];
    if (this.#settings === undefined || !areSame(sources, this.#sources)) {
      serversOf(this.#first, () => []);
      this.#settings = settingsOf([...this.#first, ...this.#main], { isRoot: self.uid === 0, passwd, group, cpuinfo });
      this.#sources = sources;
    }
    return this.#settings;
  }
}
