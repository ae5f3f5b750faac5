import { expect, test } from 'vitest';
import { hash } from '../issues/testing/stores.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { digest, minute, now, type Shops, useShops } from './testing/shops.ts';

/** Of the spans of `putTrace`. */
const spanId = ({ shop }: Shops, name: 'page' | 'request' | 'query'): string => hash(`${name} ${shop.id}`).slice(0, 16);

/** A request with a query that fails, and the page that asked for it; of the page more is late. */
async function putTrace(shops: Shops, traceId: string): Promise<void> {
  const common = { trace_id: traceId, segment_id: spanId(shops, 'request'), is_segment: 0 as const, service: 'api' };
  await shops.putSpans(
    {
      ...common,
      span_id: spanId(shops, 'request'),
      parent_span_id: spanId(shops, 'page'),
      is_segment: 1,
      name: 'POST /checkout',
      op: 'http.server',
      failed: 1,
    },
    {
      ...common,
      span_id: spanId(shops, 'query'),
      parent_span_id: spanId(shops, 'request'),
      name: 'SELECT 1',
      op: 'db',
      duration_us: 7_000,
      failed: 1,
    },
    {
      ...common,
      service: 'web',
      span_id: spanId(shops, 'page'),
      parent_span_id: '',
      is_segment: 1,
      name: '/cart',
      op: 'pageload',
      started_at: (now - 6 * minute) * 1000,
      duration_us: 90_000_000,
    },
  );
}

onEachDatabase('traces that are found', ({ migrated }) => {
  const start = useShops(migrated);

  test('one without errors is found by its id, by a span of it, and by the headers that carry both', async () => {
    const shops = await start();
    const { shop, other, ask } = shops;
    const traceId = hash(`quiet ${shop.id}`);
    const [query, page] = [spanId(shops, 'query'), spanId(shops, 'page')];
    await putTrace(shops, traceId);
    const facts = {
      id: traceId,
      startUs: (now - 6 * minute) * 1000,
      durationUs: 90_000_000,
      spans: 3,
      failed: 2,
      services: 2,
      root: { id: page, name: '/cart', op: 'pageload', service: 'web', projectId: shop.id },
    };
    const span = { id: query, name: 'SELECT 1', op: 'db', service: 'api', durationUs: 7_000, failed: true };
    expect(await ask(traceId)).toMatchObject({
      kind: 'trace',
      matchedBy: 'trace',
      trace: { ...facts, span: undefined },
      understood: [{ kind: 'trace', value: traceId }],
    });
    expect(await ask(query)).toMatchObject({ kind: 'trace', matchedBy: 'span', trace: { ...facts, span } });
    for (const text of [
      `traceparent: 00-${traceId}-${query}-01`,
      `sentry-trace: ${traceId}-${query}-1`,
      `https://culprit.test/traces/${traceId}?span=${query}`,
    ])
      expect(await ask(text), text).toMatchObject({ kind: 'trace', trace: { ...facts, span } });
    expect(await ask(`${traceId}-${'0'.repeat(16)}`)).toMatchObject({ kind: 'trace', trace: { span: undefined } });
    expect(await ask(traceId, { projects: [other] })).toMatchObject({ kind: 'nothing' });
    expect(await ask(query, { projects: [other] })).toMatchObject({ kind: 'nothing' });
  });

  test('a performance problem is no failure of its trace, and is found by its own id', async () => {
    const shops = await start();
    const { shop, server, put, ask, cause } = shops;
    const traceId = hash(`slow ${shop.id}`);
    const problem = server({
      trace_id: traceId,
      span_id: spanId(shops, 'query'),
      digest: '',
      issue_type: 'performance_slow_db_query',
    });
    await put(problem);
    await putTrace(shops, traceId);
    for (const text of [traceId, problem.span_id]) expect((await ask(text)).kind, text).toBe('trace');
    expect((await cause(problem.event_id)).causes[0]?.event.eventId).toBe(problem.event_id);
    expect(await ask('Digest: 4711')).toMatchObject({ evidence: { serverErrors: [], lastServerEvent: undefined } });
  });

  test('an error of it comes first, and every cause says in which span it happened', async () => {
    const shops = await start();
    const { server, put, cause } = shops;
    const event = server({ span_id: spanId(shops, 'query') });
    await put(event);
    await putTrace(shops, event.trace_id);
    for (const text of [digest, event.event_id, event.trace_id, event.span_id]) {
      const [one] = (await cause(text)).causes;
      expect(one?.event.eventId, text).toBe(event.event_id);
      expect(one?.trace, text).toMatchObject({
        id: event.trace_id,
        durationUs: 90_000_000,
        root: { name: '/cart' },
        span: { id: event.span_id, name: 'SELECT 1', failed: true },
      });
    }
    const untraced = server({ trace_id: '', digest: '77' });
    const elsewhere = server({ digest: '78' });
    await put(untraced, elsewhere);
    expect((await cause('77')).causes[0]?.trace).toBeUndefined();
    expect((await cause('78')).causes[0]?.trace).toBeUndefined();
  });
});
