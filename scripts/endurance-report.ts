/** A reporter of `npm run endurance`: its last results stand in bench/RESULTS.md, a row a file of tests. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { UserConsoleLog } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';
import { type EnduranceRow, sumOf, withEndurance } from './endurance-results.ts';

const root = join(import.meta.dirname, '..');
const results = join(root, 'bench/RESULTS.md');

export default class EnduranceReport implements Reporter {
  /** What the tests of a file say of their numbers, by its path. */
  readonly #numbers = new Map<string, string[]>();

  onUserConsoleLog({ content, type, taskId = '' }: UserConsoleLog): void {
    // Ids of tasks begin with that of their file.
    const file = /^-?\d+/.exec(taskId)?.[0] ?? '';
    if (type === 'stdout') this.#numbers.set(file, [...(this.#numbers.get(file) ?? []), content.trim()]);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
    const commit = `${git('rev-parse', '--short=10', 'HEAD')}, ${git('log', '-1', '--format=%cs')}`;
    const rowOf = (module: TestModule): EnduranceRow => {
      const tests = [...module.children.allTests()].filter((test) => test.result().state !== 'skipped');
      return {
        file: relative(root, module.moduleId),
        passed: tests.filter((test) => test.ok()).length,
        tests: tests.length,
        seconds: Math.round(module.diagnostic().duration / 1000),
        said: (this.#numbers.get(module.id) ?? []).join('; ').replaceAll(/\s+/g, ' ').replaceAll('|', '/'),
        commit,
      };
    };
    const isScaled = ({ project }: TestModule): boolean => project.name === 'scaled';
    const rows = modules.filter((module) => !isScaled(module)).map(rowOf);
    const scaled = modules.filter(isScaled).map(rowOf);
    const sum = sumOf('e2e (scaled form)', scaled);
    writeFileSync(results, withEndurance(readFileSync(results, 'utf8'), sum ? [...rows, sum] : rows));
  }
}
