// Questions to a learning platform: bounded in time and size, and never led elsewhere.

const waitMs = 10_000;
const mostBytes = 256 * 1024;

/** The platform did not answer, or not with yes. */
export class PlatformTrouble extends Error {
  /** Undefined without an answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** @returns the answer's text. @throws PlatformTrouble */
export async function askPlatform(url: string, init: RequestInit = {}): Promise<string> {
  let reply: Response;
  let text: string;
  try {
    reply = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(waitMs) });
    text = await bounded(reply);
  } catch (error) {
    if (error instanceof PlatformTrouble) throw error;
    throw new PlatformTrouble("no answer");
  }
  if (!reply.ok) throw new PlatformTrouble(`HTTP ${reply.status}`, reply.status);
  return text;
}

async function bounded(reply: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (reply.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > mostBytes) throw new PlatformTrouble("the answer is too long");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
