/** What a benchmark found: printed for people, as JSON, or appended to the record. */
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './child.ts';
import { describeMachine, type Machine } from './machine.ts';
import { type Spread, spread } from './statistics.ts';

export interface Budget {
  /** `most`: the value may be no larger; `least`: no smaller. */
  readonly kind: 'most' | 'least' | 'below';
  readonly value: number;
}

export interface Finding extends Spread {
  readonly name: string;
  readonly unit: string;
  readonly samples: number;
  readonly budget?: Budget;
  /** Undefined without a budget. */
  readonly ok?: boolean;
}

export interface Report {
  readonly benchmark: string;
  readonly options: Readonly<Record<string, string | number>>;
  readonly machine: Machine;
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  /** Of the benchmark's process, where what it found is an answer; 0 unless told. */
  readonly exitCode?: number;
}

export const atMost = (value: number): Budget => ({ kind: 'most', value });
export const atLeast = (value: number): Budget => ({ kind: 'least', value });
export const below = (value: number): Budget => ({ kind: 'below', value });

/** One number; several samples give a median and a spread, and the median is held against the budget. */
export function finding(name: string, unit: string, values: number | readonly number[], budget?: Budget): Finding {
  const samples = typeof values === 'number' ? [values] : values;
  const found = spread(samples);
  return {
    name,
    unit,
    samples: samples.length,
    ...found,
    ...(budget ? { budget, ok: isWithin(found.median, budget) } : {}),
  };
}

function isWithin(value: number, { kind, value: limit }: Budget): boolean {
  if (kind === 'least') return value >= limit;
  return kind === 'most' ? value <= limit : value < limit;
}

export function createReport(
  benchmark: string,
  options: Report['options'],
  findings: readonly Finding[],
  notes: readonly string[],
): Report {
  return { benchmark, options, machine: describeMachine(), findings, notes };
}

function round(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return Number(value.toPrecision(3)).toString();
}

const signs = { least: '≥', most: '≤', below: '<' } as const;

function row(found: Finding): readonly [name: string, value: string, spread: string, budget: string, verdict: string] {
  const { name, unit, median, least, most, samples, budget, ok } = found;
  return [
    name,
    `${round(median)} ${unit}`.trim(),
    samples > 1 ? `${round(least)} – ${round(most)}` : '',
    budget ? `${signs[budget.kind]} ${round(budget.value)}` : '',
    ok === undefined ? '' : ok ? 'ok' : 'MISSED',
  ];
}

const title = ({ benchmark, options }: Report): string =>
  `${benchmark} (${Object.entries(options)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? value.toLocaleString('en-US') : value}`)
    .join(', ')})`;
const place = ({ machine: { at, cores, cpu, memoryGb, kernel, node, commit } }: Report): string =>
  `${at.slice(0, 16).replace('T', ' ')} UTC, ${cores} cores, ${cpu}, ${memoryGb} GB, Linux ${kernel}, Node ${node}, commit ${commit}`;

export function printReport(report: Report): void {
  const rows = report.findings.map(row);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  console.log(`\n${title(report)}\n${place(report)}\n`);
  for (const cells of rows)
    console.log(`  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
  for (const note of report.notes) console.log(`\n  ${note}`);
}

const recordFile = join(projectDir, 'bench/RESULTS.md');

/** Appends the report to bench/RESULTS.md. */
export function recordReport(report: Report): void {
  const lines = [
    `## ${title(report)}`,
    '',
    place(report),
    '',
    '| what | median | spread | budget | |',
    '| --- | --- | --- | --- | --- |',
    ...report.findings.map((found) => `| ${row(found).join(' | ')} |`),
    ...report.notes.flatMap((note) => ['', note]),
    '',
  ];
  const opening = existsSync(recordFile)
    ? ''
    : '# Measurements\n\nWritten by `npm run bench -- NAME --record`, newest last.\n';
  appendFileSync(recordFile, `${opening}\n${lines.join('\n')}`);
}
