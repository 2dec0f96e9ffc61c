// wget, GNU's and busybox's.

import { asciiLowerCase } from "#sim/ascii.ts";
import { type Bytes, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { isOwnError, SysError } from "#sim/errors.ts";
import type { HttpReply } from "#sim/http.ts";
import { reasonPhrase } from "#sim/network/http-status.ts";
import type { Sys } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { followLocation, hostHeader, isAddress, readBody, readUrl, trustedAuthorities, type Url } from "../toolkit/http-client.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const wget: CommandDefinition = {
  name: "wget",
  options:
    "q,quiet O,output-document= T,timeout= t,tries= spider S,server-response P,directory-prefix= c,continue no-check-certificate header= post-data= post-file= U,user-agent= Y= nv,no-verbose ca-certificate= n method= body-data= max-redirect= waitretry= retry-connrefused 4 6 connect-timeout=",
  usage:
    "wget [-cqS] [--spider] [-O FILE] [-o LOGFILE] [--header STR]\n\t[--post-data STR | --post-file FILE] [-Y on/off]\n\t[-P DIR] [-U AGENT] [-T SEC] URL...",
  *run(tool) {
    if (tool.operands.length === 0) throw new UsageFailure(tool.gnu ? "missing URL" : "");
    let status = 0;
    for (const text of tool.operands) status = yield* download(tool, text);
    return status;
  },
};

const hungUp = "error getting response: Connection reset by peer";

function timeoutMs(tool: Tool): number {
  return Number(tool.value("T") ?? tool.value("connect-timeout") ?? 900) * 1000;
}

function* say(tool: Tool, text: string): Sys<void> {
  if (tool.has("q")) return;
  yield* tool.flush();
  yield* tool.self.write(2, text);
}

function* findAddress(tool: Tool, url: Url): Sys<string> {
  if (isAddress(url.host)) return url.host;
  let addresses: readonly string[] = [];
  let unanswered = false;
  try {
    addresses = yield* tool.self.resolve(url.host);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    unanswered = true;
  }
  const first = addresses[0];
  if (first !== undefined) return first;
  if (!tool.gnu) throw new ToolFailure(`bad address '${url.host}'`);
  const why = unanswered ? "Temporary failure in name resolution" : "Name or service not known";
  yield* say(tool, `failed: ${why}.\n`);
  if (!tool.has("q")) throw new ToolFailure(`unable to resolve host address ‘${url.host}’`, 4);
  throw new ToolFailure("", 4);
}

function* download(tool: Tool, text: string): Sys<number> {
  const parsed = readUrl(text);
  if (parsed === undefined) throw new ToolFailure(tool.gnu ? `${text}: Invalid URL.` : `bad address '${text}'`);
  let url: Url = parsed;
  if (url.scheme !== "http" && url.scheme !== "https")
    throw new ToolFailure(tool.gnu ? `${text}: Unsupported scheme ‘${url.scheme}’.` : `not an http or ftp url: ${text}`);
  for (let hop = 0; hop < 20; hop += 1) {
    const stamp = formatDate("%F %T", tool.self.nowMs);
    const shown = `${url.scheme}://${hostHeader(url)}${url.target}`;
    if (tool.gnu)
      yield* say(tool, `--${stamp}--  ${shown}\n${isAddress(url.host) ? "" : `Resolving ${url.host} (${url.host})... `}`);
    const address = yield* findAddress(tool, url);
    if (tool.gnu)
      yield* say(
        tool,
        `${isAddress(url.host) ? "" : `${address}\n`}Connecting to ${url.host}${isAddress(url.host) ? "" : ` (${url.host})|${address}|`}:${url.port}... `,
      );
    else yield* say(tool, `Connecting to ${hostHeader(url)} (${address}:${url.port})\n`);
    const reply = yield* request(tool, url, address);
    const phrase = reasonPhrase(reply.status) ?? "";
    if (tool.gnu) yield* say(tool, `connected.\nHTTP request sent, awaiting response... ${reply.status} ${phrase}\n`);
    if (tool.has("S"))
      yield* tool.self.write(
        2,
        `  HTTP/1.1 ${reply.status} ${phrase}\n${Object.entries(reply.headers)
          .map(([name, value]) => `  ${name}: ${value}\n`)
          .join("")}`,
      );
    const location = reply.headers["location"];
    const next = location !== undefined && reply.status >= 300 && reply.status < 400 ? followLocation(url, location) : undefined;
    if (next !== undefined) {
      tool.self.close(reply.fd);
      if (tool.gnu) yield* say(tool, `Location: ${location} [following]\n`);
      url = next;
      continue;
    }
    if (reply.status >= 400) {
      tool.self.close(reply.fd);
      if (!tool.gnu) throw new ToolFailure(`server returned error: HTTP/1.1 ${reply.status} ${phrase}`);
      yield* say(tool, `${formatDate("%F %T", tool.self.nowMs)} ERROR ${reply.status}: ${phrase}.\n\n`);
      return 8;
    }
    yield* save(tool, url, reply);
    return 0;
  }
  throw new ToolFailure(tool.gnu ? "20 redirections exceeded." : "too many redirections", tool.gnu ? 8 : 1);
}

function* request(tool: Tool, url: Url, address: string): Sys<HttpReply> {
  const { self } = tool;
  const post = tool.value("post-data") ?? tool.value("body-data");
  const file = tool.value("post-file");
  let body: Bytes = noBytes;
  if (post !== undefined) body = encodeUtf8(post);
  else if (file !== undefined) body = self.readFile(file);
  const posting = post !== undefined || file !== undefined;
  const headers: { [name: string]: string } = {
    host: hostHeader(url),
    "user-agent": tool.value("U") ?? (tool.gnu ? "Wget/1.25.0" : "Wget"),
    ...(tool.gnu ? { accept: "*/*" } : {}),
    connection: "close",
  };
  if (posting) {
    headers["content-type"] = "application/x-www-form-urlencoded";
    headers["content-length"] = String(body.length);
  }
  for (const line of tool.values("header")) {
    const at = line.indexOf(":");
    if (at > 0) headers[asciiLowerCase(line.slice(0, at).trim())] = line.slice(at + 1).trim();
  }
  const usual = posting ? "POST" : "GET";
  const insecure = tool.has("no-check-certificate") || !tool.gnu;
  try {
    return yield* self.http({
      method: tool.value("method") ?? (tool.has("spider") && tool.gnu ? "HEAD" : usual),
      target: url.target,
      headers,
      body,
      address,
      port: url.port,
      timeoutMs: timeoutMs(tool),
      ...(url.scheme === "https"
        ? {
            tls: {
              serverName: url.host,
              asksAuthorityFirst: true,
              ...(insecure ? {} : { authorities: trustedAuthorities(self, tool.value("ca-certificate")) }),
            },
          }
        : {}),
    });
  } catch (error) {
    if (error instanceof SysError) {
      if (error.code === "EINTR") throw error;
      if (!tool.gnu) throw new ToolFailure(busyboxReason(tool, address, error));
      yield* say(tool, `failed: ${error.message}.\n`);
      throw new ToolFailure("", 4);
    }
    if (!isOwnError(error) || url.scheme !== "https") throw error;
    if (tool.gnu)
      throw new ToolFailure(
        `cannot verify ${url.host}'s certificate, issued by unknown authority:\n  Unable to locally verify the issuer's authority.\nTo connect to ${url.host} insecurely, use \`--no-check-certificate'.`.replace(
          "ERROR: ",
          "",
        ),
        5,
      );
    throw new ToolFailure(hungUp);
  }
}

function busyboxReason(tool: Tool, address: string, error: SysError): string {
  if (error.code === "ETIMEDOUT" && tool.has("T")) return "download timed out";
  // It was connected to, and hung up.
  return error.code === "ECONNRESET" ? hungUp : `can't connect to remote host (${address}): ${error.message}`;
}

function* save(tool: Tool, url: Url, reply: HttpReply): Sys<void> {
  const { self } = tool;
  if (tool.has("spider")) {
    self.close(reply.fd);
    yield* say(tool, tool.gnu ? "Remote file exists.\n\n" : "remote file exists\n");
    return;
  }
  const named = tool.value("O");
  const remote = (url.target.split("?")[0] as string).split("/").at(-1) || "index.html";
  const path = named ?? `${tool.has("P") ? `${tool.value("P")}/` : ""}${remote}`;
  const toOutput = path === "-";
  const expected = reply.headers["content-length"];
  const type = (reply.headers["content-type"] ?? "").split(";")[0];
  if (tool.gnu)
    yield* say(
      tool,
      `Length: ${expected ?? "unspecified"}${type === "" ? "" : ` [${type}]`}\nSaving to: ‘${toOutput ? "STDOUT" : path}’\n\n`,
    );
  else yield* say(tool, toOutput ? "writing to stdout\n" : `saving to '${path}'\n`);
  const fd = toOutput ? undefined : self.open(path, { write: true, create: true, truncate: true }, 0o666);
  let size = 0;
  const started = self.nowMs;
  yield* readBody(self, reply.fd, function* (bytes) {
    size += bytes.length;
    if (fd === undefined) {
      yield* tool.print(bytes);
      yield* tool.flush();
    } else yield* self.write(fd, bytes);
  });
  if (fd !== undefined) self.close(fd);
  if (!tool.gnu && size < Number(expected ?? 0)) throw new ToolFailure("connection closed prematurely");
  if (tool.gnu) {
    const rate = ((size / 1024 / Math.max(1, self.nowMs - started)) * 1000).toFixed(1);
    yield* say(
      tool,
      `${formatDate("%F %T", self.nowMs)} (${rate} KB/s) - ${toOutput ? "written to stdout" : `‘${path}’ saved`} [${size}${expected === undefined ? "" : `/${expected}`}]\n\n`,
    );
  } else {
    const bar = `${(toOutput ? "-" : path).slice(0, 20).padEnd(20)} 100% |${"*".repeat(32)}| ${String(size).padStart(5)}  0:00:00 ETA\n`;
    yield* say(tool, `${bar}${toOutput ? "written to stdout" : `'${path}' saved`}\n`);
  }
}
