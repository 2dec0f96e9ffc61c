// `npm run upstream -- VERSION`: what another release of Kubernetes would change of the facts in `src/upstream`.

import { changesIn, FactsError } from "./facts-program.ts";

const [given, ...rest] = process.argv.slice(2);
const version = /^v?(1\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?)$/.exec(given ?? "")?.[1];
if (version === undefined || rest.length > 0) {
  console.error("upstream: say of which version: npm run upstream -- 1.36.1");
  process.exit(2);
}
try {
  console.log(`upstream: building the facts of v${version} (minutes, where Go has not built them before)`);
  const changes = changesIn(`v${version}`);
  console.log(changes.length === 0 ? `v${version}: no difference` : changes.join("\n"));
} catch (error) {
  if (!(error instanceof FactsError)) throw error;
  console.error(`upstream: ${error.message}`);
  process.exit(1);
}
