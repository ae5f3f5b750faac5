import { expect, test } from 'vitest';
import { toExcerpt } from './excerpt-shapes.ts';

type Waterfall = Parameters<typeof toExcerpt>[0];

const row = (id: string, parent: number, depth: number, below: number, more = {}): Waterfall['rows'][number] => ({
  id,
  projectId: '1',
  parentId: null,
  parent,
  depth,
  below,
  offsetUs: depth * 100,
  durationUs: 1000,
  selfUs: 0,
  op: 'db',
  name: `span ${id}`,
  service: 'api',
  status: 'ok',
  kind: '',
  shape: 0,
  ...more,
});

const error = (eventId: string, issueId: string, at: number, offsetUs: number): Waterfall['errors'][number] => ({
  eventId,
  issueId,
  shortId: `WEB-${issueId}`,
  projectId: '1',
  row: at,
  offsetUs,
  title: `error ${eventId}`,
  culprit: '',
  level: 'error',
});

const waterfall: Waterfall = {
  traceId: 't',
  startUs: 1_000_000,
  durationUs: 5000,
  spans: 6,
  left: 0,
  duplicates: 0,
  lastReceived: null,
  services: ['web', 'api', 'api', ''].map((name) => ({ name, projectId: '1', platform: 'node', spans: 1 })),
  projects: [],
  rows: [
    row('root', -1, 0, 5),
    row('a', 0, 1, 0),
    row('b', 0, 1, 2, { failed: true, errors: [0, 1] }),
    row('b1', 2, 2, 0),
    row('b2', 2, 2, 0),
    row('c', 0, 1, 0),
  ],
  errors: [error('e1', '7', 2, 150), error('e2', '8', 2, 160), error('e3', '8', 4, 140), error('e4', '9', -1, 900)],
  problems: [
    {
      eventId: 'p1',
      issueId: '20',
      shortId: 'WEB-20',
      projectId: '1',
      type: 'performance_n_plus_one_db_queries',
      title: 'N+1 Query',
      offenders: [3, 4],
      causes: [1],
    },
  ],
  logs: Array.from({ length: 20 }, (_, at) => ({
    id: String(at),
    row: 0,
    offsetUs: at * 20,
    level: 'info',
    message: `line ${at}`,
    service: 'web',
    projectId: '1',
  })),
  logsLeft: 0,
  gaps: [],
  criticalPath: [],
};

test('an event stands in its span, with the other issues and the logs next to it', () => {
  const excerpt = toExcerpt(waterfall, { span: [], event: 'e1', rows: 4 });
  expect(excerpt).toMatchObject({ found: true, offsetUs: 150, spans: 6, services: ['web', 'api'], after: 0 });
  expect(excerpt.rows.map(({ id, depth, hidden, asked }) => [id, depth, hidden, asked])).toEqual([
    ['root', 0, 0, undefined],
    ['a', 1, 0, undefined],
    ['b', 1, 0, true],
    ['c', 1, 2, undefined],
  ]);
  expect(excerpt.rows[2]).toMatchObject({ failed: true, errors: 2 });
  expect(excerpt.issues.map(({ issueId, eventId, count, category }) => [issueId, eventId, count, category])).toEqual([
    ['8', 'e3', 2, 'error'],
    ['20', 'p1', 1, 'performance'],
    ['9', 'e4', 1, 'error'],
  ]);
  expect(excerpt.logs.map(({ message }) => message)).toEqual([4, 5, 6, 7, 8, 9, 10, 11].map((at) => `line ${at}`));
});

test('a problem stands where its spans stand', () => {
  const excerpt = toExcerpt(waterfall, { span: [], event: 'p1', rows: 8 });
  expect(excerpt.rows.filter(({ asked }) => asked).map(({ id }) => id)).toEqual(['a', 'b1', 'b2']);
  expect(excerpt.issues.map(({ issueId }) => issueId)).toEqual(['8', '7', '9']);
});

test('spans that are asked for by id, and what is not there', () => {
  const byId = toExcerpt(waterfall, { span: ['b2', 'nowhere', 'b1', 'b2'], rows: 8 });
  expect(byId).toMatchObject({ found: true, offsetUs: 200 });
  expect(byId.rows.filter(({ asked }) => asked).map(({ id }) => id)).toEqual(['b1', 'b2']);
  const lost = toExcerpt(waterfall, { span: ['nowhere'], event: 'e4', rows: 3 });
  expect(lost).toMatchObject({ found: false, offsetUs: 900, after: 3 });
  expect(lost.rows.map(({ id }) => id)).toEqual(['root', 'a', 'b']);
  const nothing = toExcerpt({ ...waterfall, rows: [], errors: [], problems: [], logs: [] }, { span: [], rows: 8 });
  expect(nothing).toMatchObject({ rows: [], issues: [], logs: [], found: false, offsetUs: null, after: 0 });
});
