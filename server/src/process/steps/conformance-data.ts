/** For tests and the conformance runner: published cases and captured traffic, which are there in the development set-up alone. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How one published case went. */
export interface Verdict {
  /** Names the case within its file. */
  readonly id: string;
  readonly passed: boolean;
  /** What was found instead of what was expected. */
  readonly why?: string | undefined;
}

const root = join(import.meta.dirname, '../../../../../shared');

/** The folder's path; undefined where it is absent, which is said on the console with what is left out. */
export function sharedFolder(name: string, leftOut: string): string | undefined {
  const folder = join(root, name);
  if (existsSync(folder)) return folder;
  console.warn(`${name} is absent: ${leftOut} was left out`);
  return undefined;
}

export function readJson<T>(folder: string, file: string): T {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as T;
}

/** Share of passes with the failed cases' names, printed so that a rise can be fixed as the new floor. */
export function report(what: string, cases: readonly { readonly id: string; readonly passed: boolean }[]): number {
  const failed = cases.filter(({ passed }) => !passed).map(({ id }) => id);
  const share = cases.length === 0 ? 1 : (cases.length - failed.length) / cases.length;
  const names = failed.length === 0 ? '' : `; not: ${failed.slice(0, 12).join(', ')}${failed.length > 12 ? ', …' : ''}`;
  console.info(`${what}: ${cases.length - failed.length} of ${cases.length} (${(share * 100).toFixed(1)} %)${names}`);
  return share;
}
