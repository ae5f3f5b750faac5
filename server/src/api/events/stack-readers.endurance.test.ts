/** Texts of goroutines are read by panicparse, and say to it what was sent. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exceptionsOf, recordedEvent, recordingsOf, written } from './stack-texts-testing.ts';

const reader = join(import.meta.dirname, '../../../../fixtures/stacks/readers/go');

interface Call {
  readonly function: string;
  readonly path: string;
  readonly line: number;
}

test('Go: by panicparse', { timeout: 300_000 }, () => {
  const names = recordingsOf(/^go/);
  expect(names.length).toBeGreaterThan(10);
  const texts = names.map((name) => written(recordedEvent(name)));
  const directory = mkdtempSync(join(tmpdir(), 'culprit-readers-'));
  try {
    const program = join(directory, 'reader');
    execFileSync('go', ['build', '-o', program, '.'], { cwd: reader });
    const read = JSON.parse(execFileSync(program, { input: JSON.stringify(texts), encoding: 'utf8' })) as Call[][];
    for (const [place, calls] of read.entries()) {
      const name = names[place] ?? '';
      // The error that was captured stands last; what it wraps has no calls of its own.
      const frames = exceptionsOf(recordedEvent(name)).at(-1)?.stacktrace?.frames.toReversed() ?? [];
      const sent = frames.map(({ module, function: called = '', abs_path, filename, lineno: line }) => ({
        function: module ? `${module}.${called}` : called,
        path: abs_path ?? filename,
        line,
      }));
      expect([name, calls.slice(0, sent.length)]).toEqual([name, sent]);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
