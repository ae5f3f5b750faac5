/** What rules of a project's own look for is stored nowhere, whatever item it comes in; and the control finds it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../harness.ts';
import { type FormName, type Planted, Secrets, type Side } from './secrets/forms.ts';
import { blobsOf, type Found, rowsOfEvents, rowsOfState } from './secrets/search.ts';
import { sendLargest } from './secrets/send.ts';

/** One mark each, within a sentence, within JSON, within a URL, and behind a name. */
const formNames: readonly FormName[] = ['password', 'json', 'url token', 'colon'];

const ours = {
  rules: { mark: { type: 'pattern', pattern: '(?i)zq[ab]7[0-9a-z]{5}', redaction: { method: 'mask' } } },
  applications: { $string: ['mark'] },
};

/** Places that a rule for all texts does not change, and why. Selectors that name them reach the first kinds. */
const unreached: readonly { readonly places: RegExp; readonly why: string }[] = [
  {
    places: /(?:[. ]|sentry_)(?:release|environment|dist|transaction|logger)$|\bfingerprint\[\]$|\.checksum$/,
    why: 'issues and events are found by them',
  },
  { places: /\.frames\[\]\.|\.template\.|\.held_locks\./, why: 'where the code is' },
  {
    places: /\.(?:exception\.)?(?:type|module|source)(?:\.stringValue)?$/,
    why: 'kinds of errors, and where they are from',
  },
  { places: /\.(?:sdk|modules|debug_meta)\b/, why: 'describes the program' },
  { places: /\.contexts\.(?:os|client_os|browser|device|runtime|app)\./, why: 'names and versions of systems' },
  {
    places: /\b(?:op|origin|status|state|level|category)$/,
    why: 'a known word, or a remark that quotes what was none',
  },
  { places: /_id$|\bid$/, why: 'an id, or a remark that quotes what was none' },
  { places: /\.errors\[\]\.(?:type|name)$/, why: 'what an SDK says was wrong' },
  { places: / header\.|^unknown type$/, why: 'headers of items' },
  { places: /\.events\[\]\.name$/, why: 'names of what happened in a span' },
  { places: /\burl\.query\.stringValue$/, why: 'without an equals sign it is a name' },
];

const secrets = new Secrets();
let server: Server;
const stored = new Map<string, Planted[]>();

beforeAll(async () => {
  server = await Server.create();
  const { organization } = server.installed;
  for (const [side, scrubRules] of [
    ['on', JSON.stringify(ours)],
    ['off', ''],
  ] as const) {
    const made = await server.api<{ slug: string; dsn: string }>(`/organizations/${organization}/projects/`, {
      method: 'POST',
      body: JSON.stringify({ name: `Rules ${side}` }),
    });
    const path = `/projects/${organization}/${made.slug}/`;
    // Without the built-in list, only rules of its own are left.
    const settings = { scrubDefaults: false };
    await server.api(path, { method: 'PUT', body: JSON.stringify({ settings }) });
    await server.api(`${path}scrubbing/`, { method: 'PUT', body: JSON.stringify({ rules: scrubRules }) });
    for (const form of formNames) await sendLargest({ secrets, side, dsn: made.dsn }, form);
  }
  await server.drained();
  for await (const { where, text } of everything())
    for (const planted of secrets.in(text)) stored.set(where, [...(stored.get(where) ?? []), planted]);
});
afterAll(() => server?.[Symbol.asyncDispose]());

async function* everything(): AsyncGenerator<Found, void, void> {
  yield* rowsOfEvents(server);
  yield* rowsOfState(server);
  yield* blobsOf(server);
}

/** Places in which something planted is stored, by column. */
function placesOf(side: Side): Record<string, string[]> {
  const places = [...stored].map(([where, all]): [string, string[]] => [
    where,
    [...new Set(all.filter((one) => one.side === side).map(({ place }) => place))].sort(),
  ]);
  return Object.fromEntries(places.filter(([, list]) => list.length > 0).sort());
}

test('nothing is stored that a rule looks for, but in the places that a rule for all texts leaves', () => {
  const places = [...new Set(Object.values(placesOf('on')).flat())].sort();
  expect(places.filter((place) => !unreached.some((one) => one.places.test(place)))).toEqual([]);
  // Reasons that no longer are would hide what is found one day.
  expect(unreached.filter((one) => !places.some((place) => one.places.test(place)))).toEqual([]);
});

test('without rules, it is found in all of these places and in hundreds of others', () => {
  const places = new Set(Object.values(placesOf('off')).flat());
  expect(places.size).toBeGreaterThan(300);
  const reached = [...places].filter((place) => !unreached.some((one) => one.places.test(place)));
  for (const type of ['event', 'transaction', 'span', 'log', 'feedback', 'attachment', 'replay_event', 'otlp logs'])
    expect(reached.filter((place) => place.startsWith(type)).length, type).toBeGreaterThan(0);
});
