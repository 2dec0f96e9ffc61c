// The protocols of exec and attach over a WebSocket: how a message names its stream, and what each version can say.

import { type Bytes, decodeUtf8 } from "#sim/bytes.ts";
import { onChannel } from "./streaming.ts";

export interface ChannelProtocol {
  /** Base64 in text messages, for browsers of old; the channel is a digit. */
  readonly asText: boolean;
  /** Since v4 the error channel carries a Status, before it a sentence. */
  readonly hasStatus: boolean;
}

/** Also what a client speaks that names none. */
export const firstVersion: ChannelProtocol = { asText: false, hasStatus: false };

/** By name, the best first. */
export const channelProtocols: { readonly [name: string]: ChannelProtocol } = {
  "v5.channel.k8s.io": { asText: false, hasStatus: true },
  "v4.channel.k8s.io": { asText: false, hasStatus: true },
  "v4.base64.channel.k8s.io": { asText: true, hasStatus: true },
  "channel.k8s.io": firstVersion,
  "base64.channel.k8s.io": { asText: true, hasStatus: false },
};

export function channelMessage({ asText }: ChannelProtocol, channel: number, bytes: Bytes): Bytes | string {
  return asText ? `${channel}${base64Of(bytes)}` : onChannel(channel, bytes);
}

/** The channel and the bytes of a message; undefined for what is none. */
export function readMessage({ asText }: ChannelProtocol, message: Bytes): readonly [number, Bytes] | undefined {
  if (message.length === 0) return undefined;
  if (!asText) return [message[0] as number, message.subarray(1)];
  try {
    const text = atob(decodeUtf8(message.subarray(1)));
    return [(message[0] as number) - 48, Uint8Array.from(text, (character) => character.charCodeAt(0))];
  } catch {
    return undefined;
  }
}

export function base64Of(bytes: Bytes): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
