/**
 * What scrubbing costs: its share of computing a batch, with code that was seen before and with none, and with rules of a
 * project's own; and how its time grows with hostile texts and expressions.
 */
import { makeEvent } from '../server/src/process/steps/make-event.ts';
import { Remarks } from '../server/src/process/steps/remarks.ts';
import {
  loadPatterns,
  readOwnRules,
  scrubEvent,
  scrubRules,
  scrubText,
} from '../server/src/process/steps/scrub/index.ts';
import { defaultProjectSettings } from '../server/src/process/types.ts';
import { computeAll, createBodies, growth, payloadOf, timed } from './computing.ts';
import { atMost, createReport, type Finding, finding, type Report } from './report.ts';

interface ScrubbingOptions {
  readonly events: number;
  readonly rounds: number;
  readonly progress: (line: string) => void;
}

export async function runScrubbing({ events: count, rounds, progress }: ScrubbingOptions): Promise<Report> {
  const bodies = createBodies(count);
  const payloads = bodies.map(payloadOf);
  await loadPatterns();
  const perEvent = { compute: [] as number[], scrub: [] as number[], unseen: [] as number[], own: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const times = {
      compute: timed(() => computeAll(bodies)),
      scrub: scrubAll(payloads, () => defaultProjectSettings),
      // Rules of their own have seen nothing before.
      unseen: scrubAll(payloads, () => ({ ...defaultProjectSettings })),
      own: scrubAll(payloads, () => withOwnRules),
    };
    progress(`round ${round} of ${rounds}`);
    // The first one warms up.
    if (round === 0) continue;
    for (const name of ['compute', 'scrub', 'unseen', 'own'] as const)
      perEvent[name].push((times[name] * 1_000) / count);
  }
  const shares = perEvent.scrub.map((value, round) => (value / (perEvent.compute[round] ?? Number.NaN)) * 100);
  return createReport(
    'scrubbing',
    { events: count, rounds },
    [
      finding('computing an event, all steps', 'µs', perEvent.compute),
      finding('scrubbing it', 'µs', perEvent.scrub),
      finding('share of scrubbing', '%', shares, atMost(15)),
      finding('scrubbing it when no text was seen before', 'µs', perEvent.unseen),
      finding('scrubbing it with five rules of its own', 'µs', perEvent.own),
      ...curves(),
      ...ownCurves(),
    ],
    ['Growth: time per character at ten times the length, over that at the length; 1 is linear, 10 quadratic.'],
  );
}

/** ms; an event is scrubbed in place, so each is made anew, outside the clock. */
function scrubAll(payloads: readonly string[], settings: () => typeof defaultProjectSettings): number {
  const events = payloads.map((payload) => [makeEvent(JSON.parse(payload)), settings()] as const);
  return timed(() => {
    for (const [event, own] of events) scrubEvent(event, own, new Remarks());
  });
}

/** Two built-in rules, two expressions and a key. */
const withOwnRules = {
  ...defaultProjectSettings,
  scrubRules: JSON.stringify({
    rules: {
      order: { type: 'pattern', pattern: 'order-(\\d+)', replaceGroups: [1], redaction: { method: 'mask' } },
      name: { type: 'pattern', pattern: '(?i)customer: (\\w+)', replaceGroups: [1] },
      key: { type: 'redact_pair', keyPattern: '(?i)customer_?id' },
    },
    applications: { '$string && !extra.public': ['@email:hash', '@ip', 'order', 'name'], '$object.**': ['key'] },
  }),
};

/** What other engines would take the square of the length for, or longer than anybody waits. */
const expressions = ['(a+)+$', '(a|aa)+b', '([a-z]+)*\\d', '(?:a?){30}a{30}', '[a-z ]*[0-9]|[a-z]', '(?:.*x)|.'];

function ownCurves(): Finding[] {
  return expressions.map((pattern) => {
    const text = JSON.stringify({ rules: { r: { type: 'pattern', pattern } }, applications: { $string: ['r'] } });
    const [application] = readOwnRules(text, { prefix: 'project', hashKey: '' }).rules.applications;
    const make = (length: number) => {
      const sent = 'a'.repeat(length);
      return () => application?.rules[0]?.find(sent);
    };
    // Shorter texts may go another way in RE2JS, which takes a seventh of the time.
    return growth(`expression ${pattern}, 40 to 400 kB`, make, [40_000, 400_000]);
  });
}

const hostile = [
  'password=',
  'token: a ',
  "password='\\'",
  'authorization: bearer ',
  '&sig=',
  'cookie:',
  'eyJaaaaaa.',
  '-----BEGIN A KEY-----',
  'http://a:',
  '4 ',
];

function curves(): Finding[] {
  const rules = scrubRules(defaultProjectSettings);
  return hostile.map((part) => {
    const make = (length: number) => {
      const text = part.repeat(length / part.length);
      return () => scrubText(text, 'message', rules);
    };
    return growth(`text of ${JSON.stringify(part)}, 100 kB to 1 MB`, make, [100_000, 1_000_000]);
  });
}
