/** Benchmarks over stores of several sizes, each filled once and found again where it is kept. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { makeRoot, removeTempDir } from './cleanup.ts';
import { type Culprit, startCulprit } from './culprit.ts';
import { join } from 'node:path';
import { createReport, type Finding, type Report } from './report.ts';

export interface StoresOptions {
  /** Rows, a store for each. */
  readonly sizes: readonly number[];
  readonly calls: number;
  /** Directory in which filled stores stay and are found again. */
  readonly keep?: string;
  readonly dir?: string;
  readonly progress: (line: string) => void;
}

export interface Measured {
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/** `rows` is what a store is filled with, in words. */
export async function measureStores(
  name: string,
  rows: string,
  options: StoresOptions,
  measure: (root: string, size: number) => Promise<Measured>,
): Promise<Report> {
  const root = makeRoot(options.keep, options.dir);
  mkdirSync(root, { recursive: true });
  const findings: Finding[] = [];
  const notes: string[] = [];
  for (const size of options.sizes) {
    options.progress(`a store with ${size.toLocaleString('en-US')} ${rows}`);
    const measured = await measure(root, size);
    findings.push(...measured.findings);
    notes.push(...measured.notes);
  }
  if (!options.keep) removeTempDir(root);
  const sizes = options.sizes.map((size) => size.toLocaleString('en-US')).join(' and ');
  return createReport(name, { sizes, calls: options.calls }, findings, notes);
}

/** A running Culprit on the store, with what `fill` said when it was filled; `fresh` when that was now. */
export async function openFilled<Filled>(
  dataDir: string,
  fill: (culprit: Culprit) => Promise<Filled>,
  isIndexed: (filled: Filled) => boolean = () => false,
): Promise<{ readonly culprit: Culprit; readonly filled: Filled; readonly fresh: boolean }> {
  const marker = `${dataDir}.filled.json`;
  const known = existsSync(marker) ? (JSON.parse(readFileSync(marker, 'utf8')) as Filled) : undefined;
  // What was filled in part cannot be told from what is whole.
  if (!known) rmSync(dataDir, { recursive: true, force: true });
  const culprit = await startCulprit(dataDir);
  if (known) return { culprit, filled: known, fresh: false };
  const filled = await fill(culprit);
  writeFileSync(marker, JSON.stringify(filled));
  await culprit.stop();
  // Where the engine made the rows, nobody told the index of them: it is made anew.
  if (!isIndexed(filled)) rmSync(join(dataDir, 'event-index'), { recursive: true, force: true });
  return { culprit: await startCulprit(dataDir), filled, fresh: true };
}
