/** Chooses the envelopes of a scenario that are kept, scrubs them and writes them beside their meta data. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnvelope } from '@culprit/envelope';
import type { FixtureMeta } from '../../fixtures/index.ts';
import type { Recorded } from './recording-server.ts';
import type { Scenario } from './scenarios.ts';
import { type Replacement, scrubEnvelope, scrubText } from './scrub.ts';

export interface Sender {
  /** `<sdk>-<major>`: the folder. */
  readonly folder: string;
  readonly sdk: string;
  readonly version: string;
  readonly runtime: string;
}

/** Names for the envelopes that are kept: `<scenario>`, `<scenario>-2`, `<scenario>-session`, … */
function nameEnvelopes(scenario: Scenario, recorded: readonly Recorded[]): [name: string, envelope: Recorded][] {
  const seen = new Map<string, number>();
  const named: [string, Recorded][] = [];
  for (const envelope of recorded) {
    const type = parseEnvelope(envelope.body).items[0]?.type ?? '';
    if (!scenario.main.includes(type) && !scenario.also?.includes(type)) continue;
    const base = scenario.main.includes(type) ? scenario.name : `${scenario.name}-${type.replaceAll('_', '-')}`;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    named.push([count === 1 ? base : `${base}-${count}`, envelope]);
  }
  if (!seen.has(scenario.name)) {
    throw new Error(
      `scenario ${scenario.name} sent no ${scenario.main.join(' or ')}, only ${recorded.length} other envelopes`,
    );
  }
  return named;
}

/** Throws when a trace of the machine is left. Returns the names of the files. */
export function writeFixtures(
  root: string,
  sender: Sender,
  scenario: Scenario,
  recorded: readonly Recorded[],
  replacements: readonly Replacement[],
): string[] {
  return nameEnvelopes(scenario, recorded).map(([name, envelope]) => {
    const bytes = scrubEnvelope(envelope.body, replacements);
    const left = replacements.find(({ from }) => from !== '' && Buffer.from(bytes).includes(from));
    if (left) throw new Error(`${sender.folder}/${name} still contains "${left.from}"`);
    const meta: FixtureMeta = {
      sdk: sender.sdk,
      version: sender.version,
      runtime: sender.runtime,
      method: envelope.method,
      path: envelope.path,
      headers: envelope.headers
        .filter(([header]) => header !== 'connection')
        .map(([header, value]) => [header, header === 'host' ? 'monitor.example.com' : scrubText(value, replacements)]),
      items: parseEnvelope(bytes).items.map((item) => item.type),
    };
    const path = join(root, sender.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.envelope`, bytes);
    writeFileSync(`${path}.json`, `${JSON.stringify(meta, undefined, 1)}\n`);
    return name;
  });
}
