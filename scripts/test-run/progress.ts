/**
 * A reporter that writes down which files are to run, have begun and have ended, a line each, in the file that
 * `CULPRIT_TEST_PROGRESS` names. The file's time is that of the last sign of life.
 */
import { appendFileSync, utimesSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule, TestSpecification } from 'vitest/node';

export type FileState = 'planned' | 'begun' | 'passed' | 'failed';

/** Signs of life are noted no more often, ms. */
const noteEveryMs = 1000;

export default class Progress implements Reporter {
  readonly #path = process.env['CULPRIT_TEST_PROGRESS'] ?? '';
  #noted = 0;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    for (const { moduleId } of specifications) this.#write('planned', moduleId);
  }
  onTestModuleQueued({ moduleId }: TestModule): void {
    this.#write('begun', moduleId);
  }
  onTestModuleEnd(file: TestModule): void {
    this.#write(file.ok() ? 'passed' : 'failed', file.moduleId);
  }
  onTestModuleCollected(): void {
    this.#live();
  }
  onTestCaseReady(): void {
    this.#live();
  }
  onTestCaseResult(): void {
    this.#live();
  }
  onHookStart(): void {
    this.#live();
  }
  onHookEnd(): void {
    this.#live();
  }

  #write(state: FileState, moduleId: string): void {
    if (this.#path) appendFileSync(this.#path, `${state} ${relative(process.cwd(), moduleId)}\n`);
  }
  #live(): void {
    const now = Date.now();
    if (!this.#path || now - this.#noted < noteEveryMs) return;
    this.#noted = now;
    utimesSync(this.#path, now / 1000, now / 1000);
  }
}
