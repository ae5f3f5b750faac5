/** A selection of explore beside the rest. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ExploreApi, minuteMs, nowMs, openExploreApi, org } from './testing.ts';

let api: ExploreApi;

beforeAll(async () => {
  api = await openExploreApi();
});
afterAll(() => api[Symbol.asyncDispose]());

interface Compared {
  selection: number;
  rest: number;
  sampled: boolean;
  attributes: { key: string; value: string; inSelection: number; inRest: number; difference: number }[];
}
const compare = async (body: object): Promise<Compared> => {
  const answer = await api.call({
    method: 'POST',
    url: `${org}/events-compare/`,
    payload: { statsPeriod: '1h', ...body },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Compared>();
};

describe('a selection beside the rest', () => {
  test('by a query', async () => {
    const compared = await compare({ dataset: 'errors', selection: { query: 'error.type:TypeError' } });
    expect(compared).toMatchObject({ selection: 7, rest: 4, sampled: false });
    const plan = compared.attributes.find(({ key }) => key === 'plan');
    expect(plan?.inRest).toBeLessThan(1);
    expect(compared.attributes.find(({ key }) => key === 'release')).toMatchObject({
      value: 'shop@2',
      inSelection: 1,
      inRest: 0,
    });
    // The tag that is called like a key.
    expect(compared.attributes.find(({ key }) => key === 'tags[level]')).toMatchObject({ value: 'tagged' });
  });

  test('by how long it took, and by time', async () => {
    const slow = await compare({
      dataset: 'transactions',
      query: 'transaction:"GET /cart"',
      selection: { range: { field: 'span.duration', from: 250 } },
    });
    expect(slow).toMatchObject({ selection: 2, rest: 2 });
    expect(slow.attributes[0]).toMatchObject({ key: 'region', value: 'eu', inSelection: 1, inRest: 0, difference: 1 });
    const late = await compare({
      dataset: 'errors',
      selection: { start: new Date(nowMs - 7 * minuteMs).toISOString() },
    });
    expect(late).toMatchObject({ selection: 6, rest: 5 });
  });

  test('of many a part is looked at, the same one each time', async () => {
    await api.events.command(
      `INSERT INTO spans (project_id, trace_id, span_id, started_at, duration_us, transaction, op, attributes)
       SELECT {project:UInt64}, lower(hex(MD5(toString(number)))), lower(hex(sipHash64(number))),
         fromUnixTimestamp64Milli({from:Int64} + toInt64(number) * 7, 'UTC'), if(number % 2, 900000, 1000), 'many', 'db',
         map('shard', if(number % 2, 'slow', 'fast'), 'unique', toString(number), 'same', 'x')
       FROM numbers(90000)`,
      { project: api.projectId, from: nowMs - 40 * minuteMs },
    );
    const asked = {
      dataset: 'spans',
      query: 'transaction:many',
      selection: { range: { field: 'span.duration', from: 100 } },
    };
    const compared = await compare(asked);
    expect(compared).toMatchObject({ selection: 45_000, rest: 45_000, sampled: true });
    // What every span has another of, and what all share, tell nothing.
    expect(compared.attributes.map(({ key }) => key)).toEqual(['shard']);
    expect(compared.attributes[0]).toMatchObject({ value: 'slow', difference: 1 });
    expect(await compare(asked)).toEqual(compared);
    // Few of many: the rest is thinned out, the selection is not.
    const few = await compare({ ...asked, selection: { query: 'unique:[1, 3, 5, 7, 9, 11]' } });
    expect(few).toMatchObject({ selection: 6, sampled: true });
    expect(few.attributes.find(({ key }) => key === 'shard')).toMatchObject({ inSelection: 1 });
  });

  test.each([
    [{ selection: {} }, 'requires query, start or range'],
    [{ selection: { query: 'count():>5' } }, 'aggregates'],
    [{ selection: { query: 'level:' } }, 'selection.query'],
    [{ selection: { range: { field: 'level', from: 1 } } }, 'Only numbers'],
    [{ selection: { range: { field: 'count()', from: 1 } } }, 'Only numbers'],
  ])('refuses %j', async (body, words) => {
    const answer = await api.call({
      method: 'POST',
      url: `${org}/events-compare/`,
      payload: { dataset: 'errors', ...body },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ detail: string }>().detail).toContain(words);
  });
});

test('nothing failed on the server', () => {
  expect(api.errors).toEqual([]);
});
