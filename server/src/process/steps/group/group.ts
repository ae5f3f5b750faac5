/** From an event to its group hashes and their explanation, by one version and one project's rules. */
import type { Grouping, GroupingComponent } from '../../types.ts';
import type { Event, Exception, Stacktrace } from '../event.ts';
import { platformFamily } from '../family.ts';
import { markInApp } from '../in-app.ts';
import { because, names } from '../../../base/texts/grouping.ts';
import type { Algorithm } from './algorithm.ts';
import { leaf } from './explain.ts';
import { type Fingerprint, resolveFingerprint } from './fingerprint.ts';
import { entry, shortHash } from './hash.ts';
import type { FingerprintRule } from './rules/fingerprint-rules.ts';
import type { StackTraceRule } from './rules/stack-trace-rules.ts';
import { applyStackTraceRules, ruleName, type StackEffects } from './stack-trace-effects.ts';
import { decide, type Decision, type Reading } from './strategies.ts';

export interface GroupedEvent {
  readonly grouping: Grouping;
  /** The exception that gives the title. */
  readonly main: Exception | undefined;
  /** What a rule of the project calls the issue; undefined for the event's own title. */
  readonly title?: string;
}

export interface ProjectRules {
  readonly fingerprintRules: readonly FingerprintRule[];
  readonly stackTraceRules: readonly StackTraceRule[];
}

/** Sets `in_app` on every frame, by the version's rules and then the project's. */
export function readEvent(event: Event, algorithm: Algorithm, { stackTraceRules }: ProjectRules): Reading {
  const base = algorithm.baseRules(platformFamily(event.platform));
  const rules = base.length > 0 ? [...base, ...stackTraceRules] : stackTraceRules;
  const effects = new Map<Stacktrace, StackEffects>();
  const apply = (stack: Stacktrace, exception: Exception | undefined): void =>
    void effects.set(stack, applyStackTraceRules(rules, stack, event.platform, exception));
  markInApp(event, algorithm, rules.length > 0 ? apply : undefined);
  return { algorithm, effects };
}

/** `previous` gives the hashes of the version before; it is asked only where nobody knows the new ones. */
export function groupBy(
  event: Event,
  algorithm: Algorithm,
  rules: ProjectRules,
  previous: () => readonly string[] = () => [],
): GroupedEvent {
  const { decision, chosen } = decide(event, readEvent(event, algorithm, rules));
  const { main } = chosen;
  const fingerprint = resolveFingerprint(event, main, { algorithm, rules: rules.fingerprintRules });
  const made = event.checksum === undefined ? byDecision(decision, fingerprint) : byChecksum(event.checksum);
  const grouping = new LazyGrouping(algorithm.version, made, previous);
  return { grouping, main, ...(fingerprint.title !== undefined && { title: fingerprint.title }) };
}

interface MadeGrouping {
  readonly words?: () => Grouping['words'];
  readonly basis: string;
  readonly hashes: readonly string[];
  readonly explain: () => GroupingComponent[];
}

function byDecision(decision: Decision, fingerprint: Fingerprint): MadeGrouping {
  const salt = fingerprint.entries.map(({ value }) => entry('fingerprint', value)).join('');
  const custom = fingerprint.kind === 'custom';
  const hashes = custom ? [shortHash(salt)] : decision.lists.map((list) => shortHash(...list, salt));
  const equal = hashes.length === 2 && hashes[0] === hashes[1];
  return {
    basis: custom ? 'fingerprint' : decision.basis,
    hashes: equal ? hashes.slice(0, 1) : hashes,
    words: () => (custom ? undefined : hashedWords(decision, salt)),
    explain: () => (custom ? [explainFingerprint(fingerprint)] : explainDecision(decision, fingerprint, equal)),
  };
}

function hashedWords(decision: Decision, salt: string): Grouping['words'] {
  const words = decision.words?.();
  return words && { hash: shortHash(entry('words', '') + words.list + salt), mapped: words.mapped };
}

function explainDecision(decision: Decision, fingerprint: Fingerprint, equal: boolean): GroupingComponent[] {
  const components = decision.explain();
  const shown = equal ? components.slice(0, 1) : components;
  if (fingerprint.kind === 'hybrid') return [...shown, explainFingerprint(fingerprint)];
  const { rule } = fingerprint;
  if (!rule) return shown;
  const why = because.noChange(ruleName(rule));
  return [...shown, { id: 'fingerprint', name: names.projectRule, contributes: false, why }];
}

function explainFingerprint({ entries, rule, builtIn }: Fingerprint): GroupingComponent {
  const byRule = rule && rule.fingerprint.length > 0;
  return {
    id: 'fingerprint',
    name: byRule ? names.projectRule : builtIn ? names.builtInRule : names.fingerprint,
    contributes: true,
    why: byRule ? because.setByRule(ruleName(rule)) : builtIn ? builtIn.name : because.setByClient,
    children: entries.map(({ text, value }) => leaf('entry', text, value)),
  };
}

function byChecksum(checksum: string): MadeGrouping {
  const taken = /^[\da-f]{32}$/i.test(checksum) ? checksum.toLowerCase() : shortHash(entry('checksum', checksum));
  return { basis: 'checksum', hashes: [taken], explain: () => [leaf('checksum', names.checksum, checksum)] };
}

/**
 * Only the first event of a hash needs the explanation and the hashes of before, so they are made when somebody asks. A
 * class, because getters in an object literal would give each object a shape of its own, which holds the event until the
 * whole heap is collected.
 */
class LazyGrouping implements Grouping {
  readonly version: string;
  readonly #made: MadeGrouping;
  readonly #previousOf: () => readonly string[];
  #tree: GroupingComponent[] | undefined;
  #previous: readonly string[] | undefined;

  constructor(version: string, made: MadeGrouping, previousOf: () => readonly string[]) {
    this.version = version;
    this.#made = made;
    this.#previousOf = previousOf;
  }

  get hashes(): readonly string[] {
    return this.#made.hashes;
  }

  get basis(): string {
    return this.#made.basis;
  }

  get previous(): readonly string[] {
    return (this.#previous ??= this.#previousOf());
  }

  get words(): Grouping['words'] {
    return this.#made.words?.();
  }

  get tree(): readonly GroupingComponent[] {
    return (this.#tree ??= this.#made.explain());
  }
}
