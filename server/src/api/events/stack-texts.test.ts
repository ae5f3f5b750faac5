import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStack, type StackLanguage, type StackText, writeStack } from '@culprit/stacktrace';
import { expect, test } from 'vitest';
import { listLanguageFixtures, readLanguageFixture } from '../../../../fixtures/index.ts';
import { toReport } from './report.ts';
import { type Json, recordedEvent, written } from './stack-texts-testing.ts';

const folder = join(import.meta.dirname, '../../../../fixtures/stacks');

/** What the runtime prints without what no SDK sends. */
const without: Readonly<Record<string, (text: string) => string>> = {
  // Values of arguments, offsets of instructions, and who started a goroutine.
  go: (text) =>
    text
      .replaceAll(/^(\S.*?)\([^()\n]*\)$/gm, '$1(...)')
      .replaceAll(/ \+0x[0-9a-f]+$/gm, '')
      .replaceAll(/^created by .*\n.*\n/gm, '')
      .replaceAll(/^goroutine \d+/gm, 'goroutine 1'),
  // Whether a method is static, which `::` is for all of them.
  php: (text) => text.replaceAll(/^(#\d+ .*?)->/gm, '$1::'),
  // The thread's number, and that files lie below the folder in which the program ran.
  rust: (text) =>
    text
      .trimStart()
      .replaceAll(/^(thread '.*') \(\d+\)/gm, '$1')
      .replaceAll(/( at )(?:\.\/)?src\//g, '$1/srv/shop/rust/src/'),
};

const scenarios = globSync('*/*.txt', { cwd: folder }).map((path) => path.replace(/\.txt$/, ''));

test.each(scenarios.toSorted())('%s: the text of the event is what the runtime printed', (scenario) => {
  const [language = ''] = scenario.split('/');
  const printed = readFileSync(join(folder, `${scenario}.txt`), 'utf8');
  const event = JSON.parse(readFileSync(join(folder, `${scenario}.json`), 'utf8')) as Json;
  const shared = without[language] ?? ((text: string) => text);
  expect(shared(written(event))).toBe(shared(printed));
});

/** Columns and names of threads are not sent with panics; the folder is that of the recordings. */
const rust = (text: string): string =>
  (without['rust']?.(text) ?? text)
    .replaceAll('/srv/shop/rust/', '/app/')
    .replaceAll(/^(.* at .*\.rs:\d+):\d+/gm, '$1')
    .replaceAll(/^thread '.*' panicked/gm, 'thread panicked');

/** By SDK, what is left out of both texts. */
const unsent: readonly (readonly [folder: RegExp, shared: (text: string) => string])[] = [
  [/^go/, without['go'] ?? String],
  [/^rust/, rust],
  // The name of the thread, and what the SDK drops with its own calls in the thread's start.
  [/^python-2\/thread/, (text) => text.replaceAll(/^(?:Exception in .*\n| {2}File ".*threading.py", .*\n.*\n)/gm, '')],
];

/** Programs in Go that log an error print its message only; a stripped program of Rust has no names. */
const unprinted =
  /^go.*\/(?:attach|join|pkgerrors|sentinel|twobugs|wrapped)|^rust-0.49-(?:stripped|release)\/(?!anyhow|chain)/;

const recordings = listLanguageFixtures().filter((name) => readLanguageFixture(name).printed && !unprinted.test(name));

test.each(recordings)('%s: the text of what the SDK sent is what the runtime printed', (name) => {
  const { printed = '' } = readLanguageFixture(name);
  const text = written(recordedEvent(name));
  const shared = unsent.find(([folder]) => folder.test(name))?.[1] ?? ((same: string) => same);
  expect(shared(text)).toBe(shared(printed));
});

/** What is the same in an event and in the text that its runtime prints. */
const essence = ({ exceptions }: Pick<StackText, 'exceptions'>): unknown =>
  exceptions.map(({ type, value, relation, parent, frames }) => ({
    type,
    value: value.replace(/ \(\d+ sub-exceptions?\)$/, ''),
    relation,
    parent,
    frames: frames.map((frame) => [frame.lineno, frame.absPath?.includes('/') ? frame.absPath : frame.filename]),
  }));

/** Not of what is cut or not printed: members of large groups, empty messages, files of native calls. */
const whole = /^(?:elixir\/(?!cause)|java\/(?!reflected)|python\/(?!many|nested)|ruby\/(?!empty))/;
const typed = scenarios.filter((scenario) => whole.test(scenario));

test.each(typed)('%s: the text, read again, is the event', (scenario) => {
  const [language = ''] = scenario.split('/');
  const report = toReport(JSON.parse(readFileSync(join(folder, `${scenario}.json`), 'utf8')) as Json);
  const read = readStack(writeStack(report), language as StackLanguage);
  expect(essence(read ?? { exceptions: [] })).toEqual(essence(report));
});

/** A log of an error of Go has no goroutine; a panic of a program without names has no place. */
const partial = /^go.*\/pkgerrors|^rust-0.49-release/;

test.each([...scenarios, ...recordings.filter((name) => !partial.test(name))])(
  '%s: what was read of the printed text, written and read again, is the same',
  (name) => {
    const isRecording = recordings.includes(name);
    const printed = isRecording ? readLanguageFixture(name).printed : readFileSync(join(folder, `${name}.txt`), 'utf8');
    const language = (name.startsWith('raven') ? 'python' : /^[a-z]+/.exec(name)?.[0]) as StackLanguage;
    const read = readStack(printed ?? '', language);
    // Errors of Rust without a backtrace have no call to be read by.
    if (read) expect(readStack(writeStack(read), language)).toEqual(read);
  },
);

test('Python, live', { timeout: 60_000 }, () => {
  const cwd = join(folder, 'programs/python');
  const env = { ...process.env, PYTHONNODEBUGRANGES: '1', PYTHONDONTWRITEBYTECODE: '1' };
  for (const scenario of ['chain', 'context', 'none', 'group', 'recursion', 'nested']) {
    const run = spawnSync('python3', ['program.py', scenario], { cwd, env, encoding: 'utf8' });
    expect(written(JSON.parse(run.stdout) as Json)).toBe(run.stderr);
  }
});
