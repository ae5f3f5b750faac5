/** What SDKs of other languages send: sent, stored and shown, field by field. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listLanguageFixtures, readLanguageFixture } from '../../fixtures/index.ts';
import { Server } from './harness.ts';
import { at, compare, newReport, told } from './languages/compare.ts';
import type { Json } from './languages/json.ts';
import { type KeptColumns, keptOf, keptRules, metricsKept, metricsOf, nameOf, nameOfMetric } from './languages/kept.ts';
import { type LogColumns, logAsSent, logRows, logRules, neutralLog, shownLog } from './languages/logs.ts';
import { neutral, shownAsSent } from './languages/neutral.ts';
import { otlpLog, otlpSpan, recordsOf } from './languages/otlp.ts';
import { eventsOf, framesOf, logsOf, replay } from './languages/replay.ts';
import { showing, storing } from './languages/rules.ts';
import {
  fatesOf,
  isRowOf,
  type SessionColumns,
  sessionAsSent,
  sessionRows,
  sessionRules,
  sessionsOf,
} from './languages/sessions.ts';
import {
  neutralSpan,
  shownSpan,
  type SpanColumns,
  spanAsSent,
  spanRows,
  spanRules,
  spanShowing,
  spansOf,
} from './languages/spans.ts';

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
    expect(await events.query("SELECT reason, category FROM outcomes WHERE outcome = 'invalid'")).toEqual([]);
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

  test('lead from loops of queries to issues', async () => {
    const { organization } = server.installed;
    const query = 'query=issue.type:performance_n_plus_one_db_queries&statsPeriod=90d';
    const loops = ['/permissions/', 'BooksController#index', 'GET /books', 'list authors'];
    const found = await server.until('an issue for each loop', async () => {
      const issues = await server.api<{ culprit: string; title: string }[]>(
        `/organizations/${organization}/issues/?${query}`,
      );
      return loops.every((loop) => issues.some(({ culprit }) => culprit === loop)) ? issues : undefined;
    });
    expect(new Set(found.map(({ title }) => title))).toEqual(new Set(['N+1 Query']));
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
    expect([[...stored.lost], [...shown.lost]]).toEqual([[], []]);
  });

  test('keep every log with what it says, in the store and in the API', async () => {
    await using events = await server.events();
    const rows = await events.query<LogColumns>(logRows);
    const [stored, shown] = [newReport(), newReport()];
    const sentBy = fixtures.flatMap(logsOf).map((log) => neutralLog(log));
    const open = fixtures.flatMap((fixture) => recordsOf(fixture, 'logs')).map(otlpLog);
    for (const log of [...sentBy, ...open]) {
      const found = rows.filter((row) => row.body === log.body && row.trace_id === (log.trace_id ?? ''));
      expect([log.body, found.length]).toEqual([log.body, 1]);
      for (const row of found) compare(stored, row.body, log, logAsSent(row), logRules);
    }
    for (const row of rows) {
      const path = `/organizations/${server.installed.organization}/logs/${row.id}/`;
      compare(shown, row.body, logAsSent(row), shownLog(await server.api<Json>(path)), []);
    }
    console.log(`${told('logs stored', stored)}\n${told('logs shown', shown)}`);
    expect([[...stored.lost], [...shown.lost]]).toEqual([[], []]);
  });

  test('keep every span with what it says, in the store and in the API', async () => {
    await using events = await server.events();
    const rows = await events.query<SpanColumns>(spanRows);
    const [stored, shown] = [newReport(), newReport()];
    const transactions = fixtures.flatMap(spansOf).map(neutralSpan);
    const open = fixtures.flatMap((fixture) => recordsOf(fixture, 'traces')).map(otlpSpan);
    for (const span of [...transactions, ...open]) {
      const found = rows.filter((row) => row.span_id === span.span_id && row.trace_id === span.trace_id);
      expect([span.span_id, found.length]).toEqual([span.span_id, 1]);
      for (const row of found) compare(stored, String(span.name), span, spanAsSent(row), spanRules);
    }
    for (const row of rows) {
      const path = `/organizations/${server.installed.organization}/trace/${row.trace_id}/spans/${row.span_id}/`;
      compare(shown, row.name, spanAsSent(row), shownSpan(await server.api<Json>(path)), spanShowing);
    }
    console.log(`${told('spans stored', stored)}\n${told('spans shown', shown)}`);
    expect([[...stored.lost], [...shown.lost]]).toEqual([[], []]);
  });

  test('keep every session as a hash, and count it as it fared', async () => {
    await using events = await server.events();
    const rows = await events.query<SessionColumns>(sessionRows);
    const report = newReport();
    const sessions = fixtures.flatMap(sessionsOf);
    for (const session of sessions) {
      const found = rows.filter(isRowOf(session));
      expect([session.sent, found.length]).toEqual([session.sent, 1]);
      for (const row of found) compare(report, String(row.release), session.sent, sessionAsSent(row), sessionRules);
    }
    console.log(told('sessions', report));
    expect([...report.lost]).toEqual([]);
    const grouped = ['release', 'environment', 'session.status'].map((name) => `groupBy=${name}`).join('&');
    const path = `/organizations/${server.installed.organization}/sessions/?statsPeriod=14d&interval=1d&${grouped}`;
    const { groups } = await server.api<{ groups: { by: Record<string, string>; totals: Record<string, number> }[] }>(
      `${path}&field=sum(session)`,
    );
    const shown = groups.map(({ by, totals }) => [
      `${by.release} ${by.environment}`,
      by['session.status'],
      totals['sum(session)'],
    ]);
    const expected = [...fatesOf(sessions)].flatMap(([place, fates]) =>
      [...fates].map(([status, count]) => [place, status, count]),
    );
    expect(shown.filter(([, , count]) => count !== 0).toSorted()).toEqual(expected.toSorted());
  });

  test('keep what no page shows yet as it came: metrics, check-ins, profiles', async () => {
    await using events = await server.events();
    const rows = await events.query<KeptColumns>("SELECT * FROM items WHERE outcome = 'accepted'");
    const report = newReport();
    const others = fixtures.flatMap(keptOf);
    for (const { type, sent: one } of others) {
      const found = rows.filter(
        (row) => row.item_type === type && nameOf(JSON.parse(row.payload) as Json) === nameOf(one),
      );
      expect([type, nameOf(one), found.length]).toEqual([type, nameOf(one), 1]);
      for (const { payload } of found) compare(report, type, one, JSON.parse(payload) as Json, keptRules);
    }
    const metrics = rows.filter(({ item_type }) => item_type === 'otlp_metrics').flatMap(metricsKept);
    const open = fixtures.flatMap(metricsOf);
    expect(metrics.length).toBe(open.length);
    for (const metric of open) {
      const [found = {}] = metrics.filter((one) => nameOfMetric(one) === nameOfMetric(metric));
      compare(report, 'otlp_metrics', metric, found, keptRules);
    }
    console.log(told('kept', report));
    expect([...report.lost]).toEqual([]);
    expect(rows.filter(({ item_type, detail }) => item_type === 'otlp_metrics' && detail !== '')).toEqual([]);
    const contained = others.filter(({ type }) => type === 'trace_metric').flatMap(({ sent: { items } }) => items);
    const [counted] = await events.query<{ all: number }>(
      "SELECT sum(quantity) AS all FROM outcomes WHERE category = 'trace_metric' AND outcome = 'accepted'",
    );
    expect(Number(counted?.all)).toBe(open.length + contained.length);
  });
});
