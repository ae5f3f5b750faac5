/** What is written of stacks is read by the languages' own readers, and says to them what was sent. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exceptionsOf, recordedEvent, recordingsOf, type SentFrame, written } from './stack-texts-testing.ts';

const reader = join(import.meta.dirname, '../../../../fixtures/stacks/readers/tracebacks.py');

interface ReadTraceback {
  readonly message: string;
  readonly calls: readonly (readonly [path: string, line: number, name: string, source: string])[];
  /** Whether it is what Python prints of these calls. */
  readonly same: boolean;
}

test('Python: by doctest and traceback', { timeout: 60_000 }, () => {
  // Its library reads no groups.
  const names = recordingsOf(/^(?:python|raven)/).filter((name) => !name.endsWith('/group'));
  expect(names.length).toBeGreaterThan(20);
  const texts = names.map((name) => written(recordedEvent(name)));
  const { stdout, stderr } = spawnSync('python3', [reader], { input: JSON.stringify(texts), encoding: 'utf8' });
  expect(stderr).toBe('');
  for (const [place, blocks] of (JSON.parse(stdout) as ReadTraceback[][]).entries()) {
    const name = names[place] ?? '';
    const sent = exceptionsOf(recordedEvent(name)).filter(({ stacktrace }) => stacktrace?.frames.length);
    expect([name, blocks.length]).toEqual([name, sent.length]);
    for (const [index, { message, calls, same }] of blocks.entries()) {
      const { type = '', value = '', stacktrace } = sent[index] ?? {};
      expect([name, same]).toEqual([name, true]);
      expect(message).toContain(`${type}${value ? `: ${value}` : ''}`);
      const frames = stacktrace?.frames ?? [];
      const place = ({ abs_path, filename, lineno, function: called }: SentFrame) => [
        abs_path ?? filename,
        lineno,
        called,
      ];
      expect(calls.map(([path, line, called]) => [path, line, called])).toEqual(frames.map(place));
    }
  }
});

/**
 * By the form that the documentation of `StackTraceElement` gives and that IntelliJ's analyser of stack traces looks for:
 * `at`, perhaps a loader and a module, class and method with a dot before the last, and a file with its line in brackets.
 */
function readJavaCall(line: string): { called: string; place: string } | undefined {
  const text = line.trimStart();
  const [open, close] = [text.lastIndexOf('('), text.lastIndexOf(')')];
  if (!text.startsWith('at ') || open < 0 || close !== text.length - 1) return undefined;
  const whole = text.slice('at '.length, open);
  // Hidden classes have an address behind a slash, loaders and modules stand before one.
  const called = /^(?:[\w.]*\/)?(?:[a-z][\w.]*(?:@[\w.-]+)?\/)?(?=[\w$.]+(?:\/0x[\da-f]+)?\.[\w$<>]+$)(.*)$/.exec(
    whole,
  )?.[1];
  return called === undefined ? undefined : { called, place: text.slice(open + 1, close) };
}

test('Java: by the form that StackTraceElement documents and IntelliJ looks for', () => {
  const names = recordingsOf(/^java/);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) {
    const event = recordedEvent(name);
    const lines = written(event).trimEnd().split('\n');
    const calls = lines.map(readJavaCall).filter((call) => call !== undefined);
    // What is no call is a head, or says how many calls are those of the error above.
    const others = lines.filter((line) => !readJavaCall(line) && !/^\t*\.\.\. \d+ more$/.test(line));
    const heads = others.filter((line) =>
      /^(?:\t*(?:Caused by|Suppressed): |Exception in thread ".*" )?[\w$.]+(?:: .*)?$/.test(line),
    );
    expect([name, heads.length]).toEqual([name, others.length]);
    expect(heads).toHaveLength(exceptionsOf(event).length);
    const frames = exceptionsOf(event).at(-1)?.stacktrace?.frames.toReversed() ?? [];
    const sent = frames.map(({ module, function: called, filename, lineno, native }) => ({
      called: `${module}.${called}`,
      place: native
        ? 'Native Method'
        : filename === undefined
          ? 'Unknown Source'
          : `${filename}${lineno === undefined ? '' : `:${lineno}`}`,
    }));
    expect([name, calls.slice(0, sent.length)]).toEqual([name, sent]);
  }
});
