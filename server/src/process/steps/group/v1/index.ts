/** Grouping version `culprit:1`. Everything in this folder decides hashes: a change that alters one needs a new version. */
import type { Event, Exception } from '../../event.ts';
import type { Grouping, GroupingComponent } from '../../../types.ts';
import { entry, shortHash } from '../hash.ts';
import { leaf } from './explain.ts';
import { resolveFingerprint, type Fingerprint } from './fingerprint.ts';
import { decide, type Decision } from './strategies.ts';

export const version = 'culprit:1';

export interface GroupedEvent {
  readonly grouping: Grouping;
  /** The exception that gives the title. */
  readonly main: Exception | undefined;
}

export function group(event: Event): GroupedEvent {
  const { decision, chosen } = decide(event);
  const { main } = chosen;
  if (event.checksum !== undefined) return { grouping: byChecksum(event.checksum), main };
  const fingerprint = resolveFingerprint(event, main);
  return { grouping: toGrouping(decision, fingerprint), main };
}

function toGrouping(decision: Decision, fingerprint: Fingerprint): Grouping {
  const salt = fingerprint.entries.map(({ value }) => entry('fingerprint', value)).join('');
  const custom = fingerprint.kind === 'custom';
  const hashes = custom ? [shortHash(salt)] : decision.lists.map((list) => shortHash(list + salt));
  return lazyGrouping({
    basis: custom ? 'fingerprint' : decision.basis,
    hashes: hashes.length === 2 && hashes[0] === hashes[1] ? hashes.slice(0, 1) : hashes,
    explain: () =>
      custom ? [explainFingerprint(fingerprint)] : explainDecision(decision, fingerprint, hashes[0] === hashes[1]),
  });
}

function explainDecision(decision: Decision, fingerprint: Fingerprint, equal: boolean): GroupingComponent[] {
  const components = decision.explain();
  const shown = equal ? components.slice(0, 1) : components;
  return fingerprint.kind === 'hybrid' ? [...shown, explainFingerprint(fingerprint)] : shown;
}

function explainFingerprint({ entries, rule }: Fingerprint): GroupingComponent {
  return {
    id: 'fingerprint',
    name: rule ? 'built-in rule' : 'fingerprint',
    contributes: true,
    why: rule ? rule.name : 'set by the client',
    children: entries.map(({ text, value }) => leaf('entry', text, value)),
  };
}

function byChecksum(checksum: string): Grouping {
  const taken = /^[\da-f]{32}$/i.test(checksum) ? checksum.toLowerCase() : shortHash(entry('checksum', checksum));
  return lazyGrouping({ basis: 'checksum', hashes: [taken], explain: () => [leaf('checksum', 'checksum', checksum)] });
}

/** Only the first event of a hash needs the explanation, so it is made when somebody reads it. */
function lazyGrouping(made: { basis: string; hashes: string[]; explain: () => GroupingComponent[] }): Grouping {
  let tree: GroupingComponent[] | undefined;
  return {
    version,
    hashes: made.hashes,
    basis: made.basis,
    get tree() {
      return (tree ??= made.explain());
    },
  };
}
