// What others need to verify tokens of service accounts: the issuer's OpenID configuration, and its keys (pkg/serviceaccount/openidmetadata.go).

import { lateTokenSignature } from "#cluster/api/late-token-signature.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { defaultAudience } from "../service-account-tokens.ts";
import type { HttpCall } from "./call.ts";

const jwksPath = "/openid/v1/jwks";
const issuerPaths: readonly string[] = ["/.well-known/openid-configuration", jwksPath];

/** False for other paths. */
export function serveIssuer(call: HttpCall, path: string): boolean {
  if (!issuerPaths.includes(path)) return false;
  const isKeys = path === jwksPath;
  const document = isKeys ? (lateTokenSignature.code.keySet() as object as JsonValue) : configuration(call);
  const headers = {
    ...call.headers,
    "content-type": isKeys ? "application/jwk-set+json" : "application/json",
    "cache-control": "public, max-age=3600",
  };
  call.responder.reply(200, headers, encodeUtf8(JSON.stringify(document)));
  return true;
}

function configuration({ server }: HttpCall): JsonValue {
  return {
    issuer: defaultAudience,
    jwks_uri: `https://${server.advertisedAddress}${jwksPath}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  };
}
