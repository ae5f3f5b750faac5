/**
 * What grouping costs: its share of computing a batch, with and without a project's rules and an upgrade, and how its
 * time grows with hostile messages, paths and rules.
 */
import { parseEnvelope } from '@culprit/envelope';
import { encodeReceived } from '../server/src/log/received.ts';
import { computeBatch } from '../server/src/process/compute.ts';
import type { Event } from '../server/src/process/steps/event.ts';
import {
  compileGrouping,
  defaultGroupingSettings,
  groupEvent,
  type GroupingConfig,
} from '../server/src/process/steps/group/index.ts';
import { compilePathGlob, toPathText } from '../server/src/process/steps/group/rules/glob.ts';
import { parameterize } from '../server/src/process/steps/group/v2/parameterize.ts';
import { makeEvent } from '../server/src/process/steps/make-event.ts';
import { defaultProjectSettings } from '../server/src/process/types.ts';
import { createCorpus } from './corpus.ts';
import { atMost, createReport, type Finding, finding, type Report } from './report.ts';

interface GroupingOptions {
  readonly events: number;
  readonly rounds: number;
  readonly progress: (line: string) => void;
}

const receivedAt = Date.UTC(2026, 10, 21);
const batchSize = 500;

export async function runGrouping({ events: count, rounds, progress }: GroupingOptions): Promise<Report> {
  const bodies = [...createCorpus({ seed: 1, count, encoding: 'identity', nowMs: receivedAt })].map(({ body }) => body);
  const events = bodies.map((body) => {
    const payload = parseEnvelope(body).items[0]?.payload ?? new Uint8Array();
    return makeEvent(JSON.parse(Buffer.from(payload).toString()));
  });
  const configs = {
    'no rules': compileGrouping(defaultGroupingSettings),
    '100 rules of each kind': compileGrouping({
      ...defaultGroupingSettings,
      fingerprintRules: manyRules(100, (n) => `type:Unseen${n}* path:**/lib${n}/** -> unseen-${n}`),
      stackTraceRules: manyRules(100, (n) => `path:**/lib${n}/**/*.js function:un?een${n}* -app`),
    }),
  };
  const perEvent = { compute: [] as number[], plain: [] as number[], rules: [] as number[], both: [] as number[] };
  const upgraded = { ...configs['no rules'], previousVersion: 'culprit:1' };
  for (let round = 0; round <= rounds; round++) {
    const times = {
      compute: timed(() => computeAll(bodies)),
      plain: timed(() => groupAll(events, configs['no rules'])),
      rules: timed(() => groupAll(events, configs['100 rules of each kind'])),
      both: timed(() => groupAll(events, upgraded)),
    };
    progress(`round ${round} of ${rounds}`);
    // The first one warms up.
    if (round === 0) continue;
    for (const name of ['compute', 'plain', 'rules', 'both'] as const) {
      perEvent[name].push((times[name] * 1_000) / count);
    }
  }
  const shares = perEvent.plain.map((value, round) => (value / (perEvent.compute[round] ?? Number.NaN)) * 100);
  return createReport(
    'grouping',
    { events: count, rounds },
    [
      finding('computing an event, all steps', 'µs', perEvent.compute),
      finding('grouping it', 'µs', perEvent.plain),
      finding('share of grouping', '%', shares),
      finding('with 100 fingerprint and 100 stack-trace rules', 'µs', perEvent.rules),
      finding('with the hashes of the version before (only where nobody knows the new ones)', 'µs', perEvent.both),
      ...curves(),
    ],
    ['Growth: time per character at ten times the length, over that at the length; 1 is linear, 10 quadratic.'],
  );
}

const manyRules = (count: number, rule: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => rule(index)).join('\n');

function computeAll(bodies: readonly Uint8Array[]): void {
  const head = { kind: 'envelope', projectId: 1, keyId: 1, receivedAt, encoding: '' } as const;
  const settings = new Map([[1, defaultProjectSettings]]);
  for (let start = 0; start < bodies.length; start += batchSize) {
    const records = bodies
      .slice(start, start + batchSize)
      .map((body, index) => ({ position: index + 1, value: encodeReceived(head, body) }));
    const input = { records, settings, maxEnvelopeBytes: 100 * 1024 * 1024, poisoned: new Set<number>() };
    for (const { events } of computeBatch(input)) if (events.length === 0) throw new Error('a batch without events');
  }
}

function groupAll(events: readonly Event[], config: GroupingConfig): void {
  for (const event of events) {
    const { grouping } = groupEvent(event, config);
    if (grouping.hashes.length === 0 || (config.previousVersion !== null && !grouping.previous))
      throw new Error('none');
  }
}

/** ms. */
function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** The least of several runs: what the work takes when nothing else runs. */
const least = (work: () => unknown): number => Math.min(...Array.from({ length: 5 }, () => timed(work)));

const messages: readonly (readonly [name: string, part: string])[] = [
  ['digits', '1'],
  ['hexadecimal digits', 'deadbeef0'],
  ['dates that are none', '2026-11-21T25:61 '],
  ['addresses that are none', 'a.b.c@'],
  ['colons', '1:2:'],
  ['quotes', '="x'],
  ['dashes and dots', '-.'],
  ['tokens that are none', 'eyJ-'],
];

const globs: readonly (readonly [name: string, pattern: string, part: string])[] = [
  ['*a*a*a*…b on aaa…', `${'*a'.repeat(40)}*b`, 'a'],
  ['*?*?*?…b on aaa…', `${'*?'.repeat(40)}[b]`, 'a'],
  ['**/*a*a…**/b on a/a/…', `**/${'*a'.repeat(30)}**/[b]`, 'a/'],
  ['{a,b}{a,b}… on abab…', `*${'{a,b}'.repeat(6)}*[c]`, 'ab'],
];

function curves(): Finding[] {
  const findings: Finding[] = [];
  // Messages are cut at 8,192 characters; below that, time must follow their length.
  for (const [name, part] of messages) {
    const make = (length: number) => {
      const text = part.repeat(length / part.length);
      return () => parameterize(text);
    };
    findings.push(growth(`message of ${name}`, make, [800, 8_000]));
  }
  for (const [name, pattern, part] of globs) {
    const glob = compilePathGlob(pattern);
    const make = (length: number) => {
      const text = part.repeat(length / part.length);
      return () => glob?.matches(toPathText(text));
    };
    findings.push(growth(`rule ${name}, 10 kB to 100 kB`, make, [10_000, 100_000]));
    findings.push(growth(`rule ${name}, 100 kB to 1 MB`, make, [100_000, 1_000_000]));
  }
  const rules = (length: number) => () => {
    const text = manyRules(length / 100, (index) => `type:${'*a'.repeat(40)}${index % 10} -> x`);
    compileGrouping({ ...defaultGroupingSettings, fingerprintRules: `${text}\n# ${performance.now()}` });
  };
  findings.push(growth('reading rules, 4 kB to 40 kB', rules, [4_000, 40_000]));
  return findings;
}

function growth(
  name: string,
  make: (length: number) => () => unknown,
  [short, long]: readonly [number, number],
): Finding {
  // Small texts many times, so that the clock can tell.
  const repeat = Math.max(1, Math.round(200_000 / short));
  const each = (length: number, times: number): number => {
    const work = make(length);
    work();
    return (
      least(() => {
        for (let turn = 0; turn < times; turn++) work();
      }) /
      times /
      length
    );
  };
  const before = each(short, repeat);
  const after = each(long, Math.max(1, Math.round(repeat / 10)));
  return finding(`growth: ${name}`, '', after / before, atMost(3));
}
