import { expect, test } from 'vitest';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { bytesIn, daysIn, fieldsOf, updateOf } from './fields.ts';
import { Drops } from './RetentionPage.tsx';
import { choiceFieldsOf, choicesIn, policiesIn, policyFieldsOf, shownRows } from './policies.ts';
import { Details } from './ProjectCosts.tsx';
import {
  globOf,
  savedByFilter,
  savedByQuota,
  suggestedAmount,
  suggestedPolicy,
  withPattern,
} from './saving/estimates.ts';
import { classesText, estimateText, growthText, keptText, storedText } from './words.ts';

const one = {
  name: 'logs' as const,
  days: 14,
  keptDays: 14,
  limitBytes: 10_500_000_000,
  storedBytes: 4_200_000_000,
  storedRows: 1_204,
  overBytes: 0,
};

test('fields hold days and gigabytes, and come back as they were', () => {
  const fields = fieldsOf({ classes: [one] });
  expect(fields).toEqual({ days: { logs: '14' }, sizes: { logs: '10.5' } });
  expect(updateOf(fields)).toEqual({ classes: [{ name: 'logs', days: 14, limitBytes: 10_500_000_000 }] });
  expect(['', '0', '1.5', 'x', '3651', ' 30 '].map(daysIn)).toEqual([
    null,
    undefined,
    undefined,
    undefined,
    undefined,
    30,
  ]);
  expect(['', '0', '-1', '1e99', '0.5'].map(bytesIn)).toEqual([null, undefined, undefined, undefined, 500_000_000]);
  expect(updateOf({ ...fields, days: { ...fields.days, logs: 'soon' } })).toBeUndefined();
});

test('policies have a row each and one to fill; one without a name is none', () => {
  const fields = policyFieldsOf({ policies: [{ name: 'Short', days: 14, projects: 2 }] });
  expect(fields.rows).toHaveLength(8);
  expect(shownRows(fields)).toBe(2);
  expect(policiesIn(fields)).toEqual({ policies: [{ name: 'Short', days: 14 }] });
  expect(
    policiesIn({
      rows: [
        { name: ' Long ', days: '365' },
        { name: '', days: '3' },
      ],
    }),
  ).toEqual({
    policies: [{ name: 'Long', days: 365 }],
  });
  expect(policiesIn({ rows: [{ name: 'Long', days: '' }] })).toBeUndefined();
  expect(shownRows({ rows: Array.from({ length: 8 }, () => ({ name: 'x', days: '1' })) })).toBe(8);
});

test('a project has a policy for a class, or none', () => {
  const classes = [
    { name: 'logs' as const, policy: 'Short', keptDays: 14 },
    { name: 'errors' as const, policy: null, keptDays: 90 },
  ];
  const fields = choiceFieldsOf({ classes });
  expect(fields).toEqual({ logs: 'Short', errors: '' });
  expect(choicesIn(fields).classes).toEqual(classes.map(({ name, policy }) => ({ name, policy })));
});

test('what is kept and stored in words', () => {
  expect(keptText(one)).toMatch(/^14 days, up to .*10\.5\sGB/);
  expect(keptText({ keptDays: 90, limitBytes: null })).toBe('90 days');
  expect(storedText(one)).toMatch(/4\.2\sGB.* stored, 1,204 rows/);
  expect(storedText({ storedBytes: null, storedRows: null })).toBe('Not measured yet');
});

test('what went because of its size says from when it was and why', async () => {
  const date = '2026-11-20T10:00:00.000Z';
  const drop = { name: 'logs' as const, before: '2026-11-02T00:00:00.000Z', bytes: 3e9, rows: 5, date };
  const screen = await renderInApp(
    <Drops
      drops={[
        { ...drop, reason: 'size', done: true },
        { ...drop, name: 'spans', reason: 'disk', done: false },
      ]}
    />,
  );
  const [size, disk] = screen.getByRole('listitem').elements();
  expect(size?.textContent).toMatch(/Logs.*before.*above the size limit.*3\sGB/);
  expect(disk?.textContent).toMatch(/Spans.*disk nearly full.*in progress/);
});

test('sizes that are estimated say so, and what grew is a sentence', () => {
  expect(estimateText({ bytes: 1e9, low: 0.995e9, high: 1.005e9 })).toMatch(/^\S*1\sGB\S*$/);
  expect(estimateText({ bytes: 1e9, low: 0.9e9, high: 1.1e9 })).toMatch(
    /^about .*1\sGB.* \(.*900\sMB.* to .*1\.1\sGB.*\)$/,
  );
  const grown = {
    table: 'errors' as const,
    release: '2.4.1',
    before: '2.4.0',
    part: 'breadcrumbs',
    times: 3.1,
    low: 2.8,
    high: 3.4,
  };
  expect(growthText(grown)).toMatch(/2\.4\.1.* sends .*3\.1×.* the .*breadcrumbs.* of .*2\.4\.0/);
  expect(growthText({ ...grown, part: '' })).toMatch(/^Errors of .*2\.4\.1/);
  expect(growthText({ ...grown, table: 'spans', part: 'url.full' })).toMatch(/3\.1×.* the .*url\.full.* in spans of/);
  expect(growthText({ ...grown, table: 'logs', part: '' })).toMatch(/^Logs of /);
  const classes = [
    { name: 'errors' as const, bytes: 1e6, rows: 1 },
    { name: 'logs' as const, bytes: 2e6, rows: 1 },
    { name: 'spans' as const, bytes: 0, rows: 0 },
  ];
  expect(classesText({ classes })).toMatch(/^.*Logs.* .*2\sMB.*, .*Errors.* .*1\sMB.*$/);
});

test('of a project: what grew, then what takes most', async () => {
  const cost = { name: '2.4.1', events: 10, bytes: 7e6, low: 6e6, high: 8e6 };
  const screen = await renderInApp(
    <Details
      savings={{ project: 'web', filter: false, rule: false, quota: false, policy: false }}
      costs={{
        measuredAt: '2026-11-20T10:00:00.000Z',
        bytes: 10e6,
        classes: [],
        events: 1_200,
        sampled: 500,
        issues: [{ ...cost, id: '1', shortId: 'WEB-1', title: 'TypeError' }],
        releases: [cost, { ...cost, name: '' }],
        sdks: [],
        parts: [{ ...cost, name: 'breadcrumbs' }],
        tables: [
          {
            table: 'spans',
            rows: 10,
            sampled: 10,
            attributes: [{ ...cost, name: 'url.full', selector: "$span.data.'url.full'" }],
          },
        ],
        growth: [
          { table: 'errors', release: '2.4.1', before: '2.4.0', part: 'breadcrumbs', times: 3, low: 2.5, high: 3.5 },
        ],
      }}
    />,
  );
  const text = screen.container.textContent;
  expect(text).toMatch(/Estimated from 500 of 1,200 stored errors/);
  expect(text).toMatch(/sends .*3×.* the .*breadcrumbs/);
  expect(text).toMatch(/WEB-1 TypeError.*70%/);
  expect(text).toContain('Without release');
  expect(text).toMatch(/Attributes of spans.*url\.full/);
  expect(text).not.toContain('SDKs');
});

test('what is filtered is meant as it is', () => {
  expect(globOf('app@1.0 [x]{y}*?\\')).toBe(String.raw`app@1.0 \[x\]\{y\}\*\?\\`);
  const long = globOf('*😀'.repeat(200));
  expect(long.length).toBeLessThanOrEqual(200);
  expect(long).toMatch(/^(\\\*😀)+(\\\*)?\*$/);
  expect(withPattern({ active: true, patterns: ['a'] }, 'b')).toEqual(['a', 'b']);
  expect(withPattern({ active: true, patterns: ['a'] }, 'a')).toEqual(['a']);
  expect(withPattern({ active: false, patterns: ['a'] }, 'b')).toEqual(['b']);
});

test('what a filter, a quota or a policy would have saved', () => {
  const classes = [
    { name: 'errors' as const, bytes: 1_000, rows: 10 },
    { name: 'spans' as const, bytes: 500, rows: 10 },
  ];
  const filters = [{ id: 'release-version' as const, errors: 5, transactions: 0, logs: 0, examples: [] }];
  const preview = { days: 7, examined: { errors: 20, transactions: 0, logs: 0 }, filters };
  expect(savedByFilter(preview, 'release-version', classes)).toEqual({ errors: 5, transactions: 0, bytes: 250 });
  expect(savedByFilter(preview, 'error-message', classes)).toEqual({ errors: 0, transactions: 0, bytes: 0 });
  expect([0, 1, 3, 12_345].map((accepted) => suggestedAmount(accepted))).toEqual([0, 1, 2, 6_200]);
  expect(savedByQuota(6, 10, { bytes: 100, rows: 20 })).toEqual({ dropped: 4, bytes: 20 });
  expect(savedByQuota(60, 10, { bytes: 100, rows: 20 })).toEqual({ dropped: 0, bytes: 0 });
  const retention = {
    classes: [{ name: 'logs' as const, policy: null, keptDays: 90 }],
    policies: [
      { name: 'Year', days: 365 },
      { name: 'Week', days: 7 },
      { name: 'Month', days: 30 },
    ],
    held: false,
  };
  expect(suggestedPolicy(retention, 'logs')).toBe('Month');
  expect(suggestedPolicy({ ...retention, policies: [{ name: 'Year', days: 365 }] }, 'logs')).toBe('Year');
  expect(suggestedPolicy({ ...retention, policies: [] }, 'logs')).toBeUndefined();
});
