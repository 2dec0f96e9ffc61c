// What /metrics says of the configuration and its reloads (apiserver, pkg/server/options/encryptionconfig/metrics).

import { goFloat } from "#cluster/zpages/sli-page.ts";
import { hashText } from "./kms-envelope.ts";

export interface Outcome {
  count: number;
  lastMs: number;
}

export interface Reloads {
  readonly success: Outcome;
  readonly failure: Outcome;
}

/** `hash`: of the file, empty without one. */
export function reloadMetrics(serverId: string, reloads: Reloads | undefined, hash: string): readonly string[] {
  const server = `apiserver_id_hash="${hashText(serverId)}"`;
  const seen = (["failure", "success"] as const).flatMap((status) => {
    const outcome = reloads?.[status];
    return outcome === undefined || outcome.count === 0 ? [] : [{ labels: `${server},status="${status}"`, ...outcome }];
  });
  const last = family(
    "automatic_reload_last_timestamp_seconds",
    "gauge",
    "Timestamp of the last successful or failed automatic reload of encryption configuration split by apiserver identity.",
    seen.map(({ labels, lastMs }) => `{${labels}} ${goFloat(lastMs / 1000)}`),
  );
  const total = family(
    "automatic_reloads_total",
    "counter",
    "Total number of reload successes and failures of encryption configuration split by apiserver identity.",
    seen.map(({ labels, count }) => `{${labels}} ${count}`),
  );
  const information = family(
    "last_config_info",
    "gauge",
    "Information about the last applied encryption configuration with hash as label, split by apiserver identity.",
    hash === "" ? [] : [`{${server},hash="${hash}"} 1`],
  );
  return [...last, ...total, ...information];
}

function family(name: string, type: string, help: string, samples: readonly string[]): readonly string[] {
  const full = `apiserver_encryption_config_controller_${name}`;
  if (samples.length === 0) return [];
  return [`# HELP ${full} [ALPHA] ${help}`, `# TYPE ${full} ${type}`, ...samples.map((sample) => full + sample)];
}
