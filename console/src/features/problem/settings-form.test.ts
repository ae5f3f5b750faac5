import { expect, test } from 'vitest';
import { defaultDrafts, draftsOf, hasTrouble, patchOf, troubleOf, unitOf, type Detector } from './settings-form.ts';

const field = (
  key: string,
  unit: Detector['fields'][number]['unit'],
  fallback: number,
  least: number,
  most: number,
) => ({
  key,
  unit,
  help: `help of ${key}`,
  default: fallback,
  least,
  most,
});
const detectors: Detector[] = [
  {
    name: 'slowDb',
    title: 'Slow DB Query',
    issueType: 'performance_slow_db_query',
    fields: [field('minDurationMs', 'ms', 500, 1, 600_000), field('share', 'share', 0.1, 0.01, 1)],
  },
  {
    name: 'largePayload',
    title: 'Large HTTP Payload',
    issueType: 'performance_large_http_payload',
    fields: [field('minBytes', 'bytes', 300_000, 1000, 1_000_000_000)],
  },
];
const settings = {
  slowDb: { enabled: true, minDurationMs: 750, share: 0.07 },
  largePayload: { enabled: false, minBytes: 512_500 },
};

test('settings are shown in the units that people read', () => {
  expect(draftsOf(detectors, settings)).toEqual({
    slowDb: { enabled: true, fields: { minDurationMs: '750', share: '7' } },
    largePayload: { enabled: false, fields: { minBytes: '512.5' } },
  });
  expect(defaultDrafts(detectors)).toEqual({
    slowDb: { enabled: true, fields: { minDurationMs: '500', share: '10' } },
    largePayload: { enabled: true, fields: { minBytes: '300' } },
  });
  expect(detectors.flatMap(({ fields }) => fields.map(unitOf))).toEqual(['ms', '%', 'kB']);
});

test('a change says only what is different', () => {
  const drafts = draftsOf(detectors, settings);
  expect(patchOf(detectors, drafts, settings)).toBeUndefined();
  const changed = {
    slowDb: { enabled: false, fields: { minDurationMs: ' 900 ', share: '12,5' } },
    largePayload: drafts['largePayload'] ?? { enabled: false, fields: {} },
  };
  expect(patchOf(detectors, changed, settings)).toEqual({
    slowDb: { enabled: false, minDurationMs: 900, share: 0.125 },
  });
  expect(patchOf(detectors, defaultDrafts(detectors), settings)).toEqual({
    slowDb: { minDurationMs: 500, share: 0.1 },
    largePayload: { enabled: true, minBytes: 300_000 },
  });
});

test('what is typed wrong is told with the bounds', () => {
  const [ms, share, bytes] = detectors.flatMap(({ fields }) => fields);
  if (!ms || !share || !bytes) throw new Error('the table lost a field');
  for (const text of ['', '0', '600001', '1.5', '-5', 'ten', '1e3', '9'.repeat(40)])
    expect(troubleOf(text, ms), text).toBe('Enter a whole number from 1 to 600000\u00a0ms.');
  expect(troubleOf('0.5', share)).toBe('Enter a number from 1 to 100%.');
  expect([troubleOf('100', share), troubleOf('2.5', share), troubleOf('1.5', bytes), troubleOf('1', ms)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const drafts = defaultDrafts(detectors);
  expect(hasTrouble(detectors, drafts)).toBe(false);
  expect(hasTrouble(detectors, { ...drafts, slowDb: { enabled: true, fields: { minDurationMs: '' } } })).toBe(true);
});
