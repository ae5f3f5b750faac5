/** What a program printed after R8, and what R8's own retrace makes of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappingContext } from './testing.ts';
import { descriptorOf, retrace } from './retrace.ts';

const read = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../../../fixtures/proguard', name), 'utf8');

const frameLine = /^\tat (?:[\w.]+\/)?([\w.$]+)\.([\w$<>]+)\(([^:)]*)(?::(\d+))?\)$/;
const exceptionLine = /^(Caused by: )?([\w.$]+)(:.*)?$/;

test('a stack of R8 is as its own retrace prints it', () => {
  const context = mappingContext(read('mapping.txt'));
  let thrown: string[] = [];
  let outlineLine: number | undefined;
  const lines = read('obfuscated.txt')
    .split('\n')
    .flatMap((line) => {
      const frame = frameLine.exec(line);
      if (frame) {
        const [, className = '', method = '', file = '', at = '0'] = frame;
        const found = retrace({ className, method, file, line: Number(at) }, context, { outlineLine, thrown });
        thrown = [];
        outlineLine = found.outlineLine;
        const [written] = found.alternatives ?? [];
        if (!written) return found.alternatives ? [] : [line];
        return written.map(
          (one) => `\tat ${one.className}.${one.method}(${one.file}${one.line ? `:${one.line}` : ''})`,
        );
      }
      const exception = exceptionLine.exec(line);
      if (!exception) return [line];
      const [, before = '', name = '', rest = ''] = exception;
      thrown = [descriptorOf(name)];
      return [`${before}${context.classOf(name)?.name ?? name}${rest}`];
    });
  expect(lines).toEqual(read('retraced.txt').split('\n'));
});
