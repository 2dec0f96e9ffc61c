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

/** What an `include` names. */
interface Include {
  readonly directory: string;
  readonly name: string;
  /** Of names with a star, which stands for no dot at the beginning, as in a shell. */
  readonly shape: RegExp | undefined;
}

function includeOf(pattern: string): Include {
  const path = pattern.startsWith("/") ? pattern : `/etc/nginx/${pattern}`;
  const slash = path.lastIndexOf("/");
  const name = path.slice(slash + 1);
  const shape = name.includes("*") ? new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", ".*")}$`) : undefined;
  return { directory: path.slice(0, slash), name, shape };
}

/** In the order of their names. */
function filesOf(self: Process, { directory, name, shape }: Include): readonly string[] {
  if (shape === undefined) return [`${directory}/${name}`];
  const names = self.readdir(directory).filter((entry) => shape.test(entry) && !entry.startsWith("."));
  return names.map((entry) => `${directory}/${entry}`);
}

function included(self: Process, pattern: string): readonly Directive[] {
  return filesOf(self, includeOf(pattern)).flatMap((file) => parseConfiguration(self.readText(file), file));
}

/** Of the main file: what it includes. */
function includesOf(text: string): readonly Include[] {
  return [...text.matchAll(/^\s*include\s+(\S+);/gm)].map((match) => includeOf(match[1] as string));
}

/** "" of what is not there. */
function textOf(self: Process, file: string): string {
  try {
    return self.readText(file);
  } catch (error) {
    if (!(error instanceof SysError) || (error.code !== "ENOENT" && error.code !== "ENOTDIR")) throw error;
    return "";
  }
}

/** Texts of files that did not change are mostly the very same string: then this looks at none of its letters. */
function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index]);
}

/** A configuration of the same text is parsed once for all servers of a release. */
export class ConfigurationReader {
  #given: string | undefined;
  #first: readonly Directive[] = [];
  /** The main file, then the path and the text of each included one. */
  #texts: readonly string[] = [];
  #includes: { readonly main: string; readonly included: readonly Include[] } | undefined;
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
    if (this.#includes?.main !== main) this.#includes = { main, included: includesOf(main) };
    const texts = [main];
    for (const include of this.#includes.included) for (const file of filesOf(self, include)) texts.push(file, self.readText(file));
    return texts;
  }

  #settingsFor(self: Process): Settings {
    const { processors } = self;
    const passwd = textOf(self, "/etc/passwd");
    const group = textOf(self, "/etc/group");
    const sources = [`${self.uid} ${processors}`, passwd, group];
    if (this.#settings === undefined || !areSame(sources, this.#sources)) {
      serversOf(this.#first, () => []);
      this.#settings = settingsOf([...this.#first, ...this.#main], { isRoot: self.uid === 0, passwd, group, processors });
      this.#sources = sources;
    }
    return this.#settings;
  }
}
