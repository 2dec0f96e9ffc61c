import type { RequestListener, Server } from "node:http";

export interface SiteOptions {
  readonly folder: string;
  readonly base?: string;
  readonly replaced?: ReadonlyMap<string, string | undefined>;
  readonly kept?: boolean;
}
export function siteHandler(options: SiteOptions): RequestListener;
export function serveSite(options: SiteOptions & { readonly port: number; readonly host?: string }): Promise<Server>;
