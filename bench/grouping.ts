/**
 * What grouping costs: its share of computing a batch, with and without a project's rules and an upgrade, and how its
 * time grows with hostile messages, paths and rules.
 */
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
import { computeAll, createBodies, growth, payloadOf, timed } from './computing.ts';
import { createReport, type Finding, finding, type Report } from './report.ts';

interface GroupingOptions {
  readonly events: number;
  readonly rounds: number;
  readonly progress: (line: string) => void;
}

export async function runGrouping({ events: count, rounds, progress }: GroupingOptions): Promise<Report> {
  const bodies = createBodies(count);
  const events = bodies.map((body) => makeEvent(JSON.parse(payloadOf(body))));
  const configs = {
    'no rules': compileGrouping(defaultGroupingSettings),
    '100 rules of each kind': compileGrouping({
      ...defaultGroupingSettings,
      fingerprintRules: manyRules(100, (n) => `type:Unseen${n}* path:**/lib${n}/** -> unseen-${n}`),
      stackTraceRules: manyRules(100, (n) => `path:**/lib${n}/**/*.js function:un?een${n}* -app`),
    }),
  };
  const perEvent = { compute: [] as number[], plain: [] as number[], rules: [] as number[], both: [] as number[] };
  const upgraded = { ...configs['no rules'], previousVersion: 'culprit:2' };
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

function groupAll(events: readonly Event[], config: GroupingConfig): void {
  for (const event of events) {
    const { grouping } = groupEvent(event, config);
    if (grouping.hashes.length === 0 || (config.previousVersion !== null && !grouping.previous))
      throw new Error('none');
  }
}

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
