/** No secret is stored, in whatever form it comes, in whatever text of whatever item; and what would find one is not blind. */
import { itemTypes } from '@culprit/envelope';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertedTables } from '../../src/base/tables/index.ts';
import { Server } from '../harness.ts';
import { formNames, type Planted, Secrets, type Side } from './secrets/forms.ts';
import { blobsOf, type Found, filesOf, rowsOfEvents, rowsOfState, textColumns } from './secrets/search.ts';
import { sendFixtures, sendLargest } from './secrets/send.ts';
import { closedColumns, unstored } from './secrets/unstored.ts';

const secrets = new Secrets();
let server: Server;
const dsns = {} as Record<Side, string>;
/** Secrets by where they were found. */
const stored = new Map<string, Planted[]>();

beforeAll(async () => {
  server = await Server.create({ CULPRIT_SELF_REPORT: 'on' });
  const { organization, dsn } = server.installed;
  const other = await server.api<{ slug: string; dsn: string }>(`/organizations/${organization}/projects/`, {
    method: 'POST',
    body: JSON.stringify({ name: 'Unscrubbed' }),
  });
  await server.api(`/projects/${organization}/${other.slug}/`, {
    method: 'PUT',
    body: JSON.stringify({ settings: { scrubData: false } }),
  });
  Object.assign(dsns, { on: dsn, off: other.dsn });
  for (const side of ['on', 'off'] as const) {
    const target = { secrets, side, dsn: dsns[side] };
    for (const form of formNames) await sendLargest(target, form);
    await sendFixtures(target);
  }
  await server.drained();
  for await (const found of everything()) note(found);
});
afterAll(() => server[Symbol.asyncDispose]());

async function* everything(): AsyncGenerator<Found, void, void> {
  yield* rowsOfEvents(server);
  yield* rowsOfState(server);
  yield* blobsOf(server);
}

function note({ where, text }: Found): void {
  for (const planted of secrets.in(text)) {
    const known = stored.get(where);
    if (known) known.push(planted);
    else stored.set(where, [planted]);
  }
}

const foundOf = (side: Side): [where: string, planted: Planted][] =>
  [...stored].flatMap(([where, all]) =>
    all.filter((one) => one.side === side).map((one) => [where, one] as [string, Planted]),
  );

test('nothing is stored that was planted', () => {
  expect(
    byPlace(foundOf('on').map(([where, planted]) => ({ ...planted, form: `${planted.form} in ${where}` }))),
  ).toEqual({});
});

test('nothing stands in any file, titles and shared pages included', async () => {
  const found: Planted[] = [];
  for await (const { where, text } of filesOf(server)) {
    for (const planted of secrets.in(text)) found.push({ ...planted, form: `${planted.form} in ${where}` });
  }
  for (const side of ['on', 'off'] as const) {
    const shown = (await pages(side)).flatMap((page) => [...secrets.in(page)]);
    expect(shown.some((planted) => planted.side === side)).toBe(side === 'off');
    found.push(...shown);
  }
  expect(byPlace(found.filter(({ side }) => side === 'on'))).toEqual({});
  expect(found.some(({ side }) => side === 'off')).toBe(true);
});

/** What people and, by a link, anybody is shown of the issues of a project. */
async function pages(side: Side): Promise<string[]> {
  const { organization } = server.installed;
  const issues = await server.api<{ id: string }[]>(
    `/organizations/${organization}/issues/?limit=100&query=&project=${new URL(dsns[side]).pathname.slice(1)}`,
  );
  const texts = [JSON.stringify(issues)];
  for (const { id } of issues.slice(0, 5)) {
    const { shareId } = await server.api<{ shareId: string }>(`/organizations/${organization}/issues/${id}/`, {
      method: 'PUT',
      body: JSON.stringify({ isPublic: true }),
    });
    const shared = await fetch(`${server.url}/api/0/shared/issues/${shareId}/`);
    expect(shared.status).toBe(200);
    texts.push(await shared.text());
  }
  return texts;
}

test('each type of item and each column of text has had one', async () => {
  const types = new Set(secrets.planted.map(({ place }) => place.split(/[^a-z_]/, 1)[0]));
  expect(itemTypes.map(({ name }) => name).filter((name) => !types.has(name))).toEqual([
    'replay_video',
    'unreal_report',
  ]);
  const columns = await textColumns(server, insertedTables);
  const without = columns.filter((column) => !stored.get(column)?.some(({ side }) => side === 'off'));
  expect(without.sort()).toEqual(Object.keys(closedColumns).sort());
});

test('all is found where nothing is scrubbed', () => {
  const found = new Set(foundOf('off').map(([, planted]) => planted));
  const missing = secrets.planted.filter((planted) => planted.side === 'off' && !found.has(planted));
  const reasonOf = ({ place }: Planted) => unstored.find(({ places }) => places.test(place));
  expect(byPlace(missing.filter((planted) => !reasonOf(planted)))).toEqual({});
  // Reasons that no longer are would hide what is found one day.
  expect(unstored.filter((reason) => !missing.some((planted) => reasonOf(planted) === reason))).toEqual([]);
});

/** The forms, or their number where they are many. */
function byPlace(planted: readonly Planted[]): Record<string, string> {
  const places = [...Map.groupBy(planted, ({ place }) => place)].map(([place, list]): [string, string] => {
    const all = [...new Set(list.map(({ form }) => form))];
    return [place, all.length > 4 ? `${all.slice(0, 3).join(', ')} and ${all.length - 3} more` : all.join(', ')];
  });
  return Object.fromEntries(places.sort());
}
