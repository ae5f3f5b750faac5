/** What SDKs of other languages send: sent, stored and shown, field by field. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listLanguageFixtures, readLanguageFixture } from '../../fixtures/index.ts';
import { Server } from './harness.ts';
import { at, compare, newReport, told } from './languages/compare.ts';
import type { Json } from './languages/json.ts';
import { type LogColumns, logAsSent, neutralLog } from './languages/logs.ts';
import { neutral, shownAsSent } from './languages/neutral.ts';
import { eventsOf, framesOf, logsOf, replay } from './languages/replay.ts';
import { showing, storing } from './languages/rules.ts';
import { neutralSpan, type SpanColumns, spanAsSent, spanRules, spansOf } from './languages/spans.ts';

const fixtures = listLanguageFixtures().map(readLanguageFixture);
const sent = fixtures.flatMap((fixture) => eventsOf(fixture));

let server: Server;
beforeAll(async () => {
  server = await Server.create();
});
afterAll(() => server?.[Symbol.asyncDispose]());

describe.sequential('recordings of other languages', () => {
  test('are all accepted', async () => {
    for (const fixture of fixtures) {
      const response = await replay(fixture, server.installed);
      expect([fixture.name, response.status, await response.text()]).toEqual([fixture.name, 200, expect.any(String)]);
    }
    await server.drained();
    await using events = await server.events();
    // Some day a session, or a transaction that does not say when it was sent, is too old.
    const refused = "SELECT reason, category FROM outcomes WHERE outcome = 'invalid' AND reason != 'too_old'";
    expect(await events.query(refused)).toEqual([]);
  });

  test.each<[string, (event: Json) => boolean]>([
    ['logger:shop.pay', (event) => event.logger === 'shop.pay'],
    ['stack.package:shop', (event) => framesOf(event).some((frame) => frame.package === 'shop')],
    ['thread.name:worker-7', (event) => at(event, ['contexts', 'trace', 'data', 'thread.name']) === 'worker-7'],
    ['platform:rust', (event) => at(event, ['sdk', 'name']) === 'sentry.rust'],
  ])('are found by %s', async (query, matches) => {
    const { organization, project } = server.installed;
    const path = `/projects/${organization}/${project}/events/?limit=100&query=${encodeURIComponent(query)}`;
    const found = await server.api<{ id: string }[]>(path);
    const expected = sent.filter(({ event }) => matches(event)).map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(0);
    expect(found.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
  });

  test('lose no field on their way to the store and to the API', async () => {
    const { organization, project } = server.installed;
    const [stored, shown] = [newReport(), newReport()];
    for (const { name, id, event } of sent) {
      const path = `/projects/${organization}/${project}/events/${id}/`;
      const [kept, answer] = [await server.api<Json>(`${path}json/`), await server.api<Json>(path)];
      compare(stored, name, neutral(event), neutral(kept), storing);
      compare(shown, name, neutral(kept), shownAsSent(answer), showing);
    }
    console.log(`${told('stored', stored)}\n${told('shown', shown)}`);
    expect([...stored.lost]).toEqual([]);
    expect([...shown.lost]).toEqual([]);
  });

  test('keep every log with what it says', async () => {
    await using events = await server.events();
    const rows = await events.query<LogColumns>('SELECT * FROM logs');
    const report = newReport();
    for (const log of fixtures.flatMap(logsOf)) {
      const found = rows.filter((row) => row.body === log.body && row.trace_id === log.trace_id);
      expect([log.body, found.length]).toEqual([log.body, 1]);
      for (const row of found) compare(report, row.body, neutralLog(log), logAsSent(row), []);
    }
    console.log(told('logs', report));
    expect([...report.lost]).toEqual([]);
  });

  test('keep every span of a transaction with what it says', async () => {
    await using events = await server.events();
    const rows = await events.query<SpanColumns>('SELECT * FROM spans');
    const report = newReport();
    for (const span of fixtures.flatMap(spansOf)) {
      const found = rows.filter((row) => row.span_id === span.span_id && row.trace_id === span.trace_id);
      expect([span.span_id, found.length]).toEqual([span.span_id, 1]);
      for (const row of found) compare(report, String(span.description), neutralSpan(span), spanAsSent(row), spanRules);
    }
    console.log(told('spans', report));
    expect([...report.lost]).toEqual([]);
  });
});
