/** `server/test/attacks/asvs.md` has each requirement of OWASP ASVS 5.0.0, levels 1 and 2, and names what is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

const ids = (text: string): string[] => text.trim().split(/\s+/);

const level1 = ids(`
V1.2.1 V1.2.2 V1.2.3 V1.2.4 V1.2.5 V1.3.1 V1.3.2 V1.5.1
V2.1.1 V2.2.1 V2.2.2 V2.3.1
V3.2.1 V3.2.2 V3.3.1 V3.4.1 V3.4.2 V3.5.1 V3.5.2 V3.5.3
V4.1.1 V4.4.1
V5.2.1 V5.2.2 V5.3.1 V5.3.2
V6.1.1 V6.2.1 V6.2.2 V6.2.3 V6.2.4 V6.2.5 V6.2.6 V6.2.7 V6.2.8 V6.3.1 V6.3.2 V6.4.1 V6.4.2
V7.2.1 V7.2.2 V7.2.3 V7.2.4 V7.4.1 V7.4.2
V8.1.1 V8.2.1 V8.2.2 V8.3.1
V9.1.1 V9.1.2 V9.1.3 V9.2.1
V10.4.1 V10.4.2 V10.4.3 V10.4.4 V10.4.5
V11.3.1 V11.3.2 V11.4.1
V12.1.1 V12.2.1 V12.2.2
V13.4.1
V14.2.1 V14.3.1
V15.1.1 V15.2.1 V15.3.1
`);

const level2 = ids(`
V1.1.1 V1.1.2 V1.2.6 V1.2.7 V1.2.8 V1.2.9 V1.3.3 V1.3.4 V1.3.5 V1.3.6 V1.3.7 V1.3.8 V1.3.9 V1.3.10 V1.3.11
V1.4.1 V1.4.2 V1.4.3 V1.5.2
V2.1.2 V2.1.3 V2.2.3 V2.3.2 V2.3.3 V2.3.4 V2.4.1
V3.3.2 V3.3.3 V3.3.4 V3.4.3 V3.4.4 V3.4.5 V3.4.6 V3.5.4 V3.5.5 V3.7.1 V3.7.2
V4.1.2 V4.1.3 V4.2.1 V4.3.1 V4.3.2 V4.4.2 V4.4.3 V4.4.4
V5.1.1 V5.2.3 V5.4.1 V5.4.2 V5.4.3
V6.1.2 V6.1.3 V6.2.9 V6.2.10 V6.2.11 V6.2.12 V6.3.3 V6.3.4 V6.4.3 V6.4.4 V6.5.1 V6.5.2 V6.5.3 V6.5.4 V6.5.5
V6.6.1 V6.6.2 V6.6.3 V6.8.1 V6.8.2 V6.8.3 V6.8.4
V7.1.1 V7.1.2 V7.1.3 V7.3.1 V7.3.2 V7.4.3 V7.4.4 V7.4.5 V7.5.1 V7.5.2 V7.6.1 V7.6.2
V8.1.2 V8.2.3 V8.4.1
V9.2.2 V9.2.3 V9.2.4
V10.1.1 V10.1.2 V10.2.1 V10.2.2 V10.3.1 V10.3.2 V10.3.3 V10.3.4 V10.4.6 V10.4.7 V10.4.8 V10.4.9 V10.4.10
V10.4.11 V10.5.1 V10.5.2 V10.5.3 V10.5.4 V10.5.5 V10.6.1 V10.6.2 V10.7.1 V10.7.2 V10.7.3
V11.1.1 V11.1.2 V11.2.1 V11.2.2 V11.2.3 V11.3.3 V11.4.2 V11.4.3 V11.4.4 V11.5.1 V11.6.1
V12.1.2 V12.1.3 V12.3.1 V12.3.2 V12.3.3 V12.3.4
V13.1.1 V13.2.1 V13.2.2 V13.2.3 V13.2.4 V13.2.5 V13.3.1 V13.3.2 V13.4.2 V13.4.3 V13.4.4 V13.4.5
V14.1.1 V14.1.2 V14.2.2 V14.2.3 V14.2.4 V14.3.2 V14.3.3
V15.1.2 V15.1.3 V15.2.2 V15.2.3 V15.3.2 V15.3.3 V15.3.4 V15.3.5 V15.3.6 V15.3.7
V16.1.1 V16.2.1 V16.2.2 V16.2.3 V16.2.4 V16.2.5 V16.3.1 V16.3.2 V16.3.3 V16.3.4 V16.4.1 V16.4.2 V16.4.3
V16.5.1 V16.5.2 V16.5.3
V17.1.1 V17.2.1 V17.2.2 V17.2.3 V17.2.4 V17.3.1 V17.3.2
`);

/** Sections in which the standard asks for documents, and a document is what holds. */
const asksForDocuments = ids('V2.1 V5.1 V6.1 V7.1 V8.1 V11.1 V13.1 V14.1 V15.1 V16.1');

interface Requirement {
  readonly id: string;
  readonly level: string;
  readonly asks: string;
  readonly status: string;
  readonly by: string;
}

const requirements = readFileSync(join(root, 'server/test/attacks/asvs.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| V'))
  .map((line): Requirement => {
    const [id = '', level = '', asks = '', status = '', ...by] = line.slice(2, -2).split(' | ');
    return { id, level, asks, status, by: by.join(' | ') };
  });

const having = (status: string): Requirement[] => requirements.filter((one) => one.status === status);

const read = (file: string): string => {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

/** Tests of a suite that several test files run stand in a file of its own. */
const isOfTests = (file: string): boolean => /\.test\.tsx?$|\/testing\/\w+\.ts$/.test(file);

/** As a title stands in code: in quotes of some kind. */
const isTitled = (source: string, title: string): boolean =>
  [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted));

function faultOf(id: string, file: string, words: string): string | undefined {
  const text = read(file);
  if (text === '') return `${id}: ${file} is not there`;
  if (isOfTests(file)) return isTitled(text, words) ? undefined : `${id}: ${file} has no test "${words}"`;
  const isAsked = asksForDocuments.some((section) => id.startsWith(`${section}.`));
  if (!file.endsWith('.md') || !isAsked) return `${id}: ${file} is no test`;
  return text.includes(words) ? undefined : `${id}: ${file} does not say "${words}"`;
}

test('each requirement of levels 1 and 2 has one row, in the order of the standard, in a few words', () => {
  expect([level1.length, level2.length]).toEqual([70, 183]);
  const listed = requirements.map(({ id, level }) => `${id} ${level}`);
  const wanted = [...level1.map((id) => `${id} 1`), ...level2.map((id) => `${id} 2`)];
  expect(listed.toSorted()).toEqual(wanted.toSorted());
  const place = (id: string): number =>
    id
      .slice(1)
      .split('.')
      .reduce((sum, part) => sum * 100 + Number(part), 0);
  expect(requirements.map(({ id }) => place(id))).toEqual(
    requirements.map(({ id }) => place(id)).toSorted((a, b) => a - b),
  );
  for (const { id, asks } of requirements)
    expect([id, asks.split(' ').length]).toEqual([id, expect.toBeOneOf([3, 4, 5, 6, 7, 8, 9, 10])]);
});

test('what is held names tests that are there, or words of a document where one is asked for', () => {
  const faults = having('held').flatMap(({ id, by }) => {
    const named = [...by.matchAll(/`([^`]+)`: `([^`]+)`/g)];
    const rest = by.replaceAll(/`[^`]+`: `[^`]+`/g, '').replaceAll('; ', '');
    if (named.length === 0 || rest !== '') return [`${id}: ${by}`];
    return named.flatMap(([, file = '', words = '']) => faultOf(id, file, words) ?? []);
  });
  expect(faults).toEqual([]);
});

test('what is not held says why, of files and requirements that are there', () => {
  const others = [...having('n/a'), ...having('open')];
  expect(others.length + having('held').length).toBe(requirements.length);
  const known = new Map(requirements.map(({ id, status }) => [id, status]));
  const faults = others.flatMap(({ id, status, by }) => {
    if (!/^[A-Z`].{5,}\.$/.test(by)) return [`${id}: ${by}`];
    const files = [...by.matchAll(/`((?:[\w.-]+\/)+[\w.-]+)`/g)].map(([, file = '']) => file);
    return [
      ...files.filter((file) => !existsSync(join(root, file))),
      ...[...by.matchAll(/\bV\d+\.\d+\.\d+/g)].flatMap(([other]) => (known.has(other) && other !== id ? [] : [other])),
      ...[...by.matchAll(/^As (V[\d.]+\d)/g)].flatMap(([, other = '']) =>
        known.get(other) === status ? [] : [`as ${other}`],
      ),
    ].map((what) => `${id}: ${what}`);
  });
  expect(faults).toEqual([]);
});

test('its counts', () => {
  const counts = ['1', '2'].map((level) => {
    const of = (status: string): number => having(status).filter((one) => one.level === level).length;
    return `level ${level}: ${of('held')} held, ${of('n/a')} not applicable, ${of('open')} open`;
  });
  const byDocument = having('held').filter(({ by }) => /\.md`: /.test(by)).length;
  console.log(`OWASP ASVS 5.0.0: ${counts.join('; ')}; ${byDocument} held by documents`);
  expect(having('held').length).toBeGreaterThan(100);
});
