/** `spans`: bytes on disk per span, and how fast traces and the pages about performance are answered. */
import { join } from 'node:path';
import { budgetAt, budgets } from './budgets.ts';
import { type Account, createApi, type Culprit, initCulprit } from './culprit.ts';
import type { HttpClient } from './http-client.ts';
import { finding, type Finding, type Report } from './report.ts';
import { type SpanPage, spanPages } from './spans-calls.ts';
import { chunkRows, spanFillSql, wideTraceSql } from './spans-fill.ts';
import { distribution } from './statistics.ts';
import { measureStores, openFilled, type StoresOptions } from './stores.ts';
import { measureCpu, readMemory } from './usage.ts';

/** Beside a filled store. */
export interface FilledWithSpans {
  readonly account: Account;
  readonly nowMs: number;
}

const tables = ['spans', 'segments', 'transaction_hours', 'transaction_days', 'vital_hours', 'vital_days'];
/** Traces of so many spans each, besides the others. */
const wideTraces = [10_000, 1_000_000];
const warmUps = 3;

export async function fillWithSpans(
  dataDir: string,
  culprit: Culprit,
  total: number,
  progress: StoresOptions['progress'],
): Promise<FilledWithSpans> {
  const account = await initCulprit(dataDir);
  const projectId = Number(account.projectId);
  const nowMs = Date.now();
  const started = performance.now();
  for (let from = 0; from < total; from += chunkRows) {
    await culprit.engine(spanFillSql({ from, rows: Math.min(chunkRows, total - from), total, nowMs, projectId }));
    const perSecond = (from + chunkRows) / ((performance.now() - started) / 1000);
    progress(`${(from + chunkRows).toLocaleString('en-US')} spans, ${Math.round(perSecond).toLocaleString('en-US')}/s`);
  }
  for (const table of tables) await culprit.engine(`OPTIMIZE TABLE ${table} FINAL`);
  return { account, nowMs };
}

async function measurePage(
  client: HttpClient,
  culprit: Culprit,
  page: SpanPage,
  calls: number,
): Promise<{ durationsMs: number[]; cpuMs: number; bytes: number; failed: number }> {
  for (let index = 0; index < warmUps; index++) await client.get(page.path(calls + index));
  const used = measureCpu(culprit);
  const durationsMs: number[] = [];
  let bytes = 0;
  let failed = 0;
  for (let index = 0; index < calls; index++) {
    const started = performance.now();
    const { status, text } = await client.get(page.path(index));
    durationsMs.push(performance.now() - started);
    bytes += text.length;
    if (status !== 200) failed += 1;
  }
  const { engineSeconds, serverSeconds } = used();
  return { durationsMs, cpuMs: ((engineSeconds + serverSeconds) * 1000) / calls, bytes: bytes / calls, failed };
}

async function measureSize(root: string, total: number, { calls, progress }: StoresOptions) {
  const dataDir = join(root, `spans-${total}`);
  const { culprit, filled } = await openFilled<FilledWithSpans>(dataDir, (started) =>
    fillWithSpans(dataDir, started, total, progress),
  );
  const label = `${total.toLocaleString('en-US')} spans`;
  const findings: Finding[] = [];
  const notes: string[] = [];
  for (const { name, rows, bytes, parts } of await culprit.engine<{
    name: string;
    rows: number;
    bytes: number;
    parts: number;
  }>(
    `SELECT table AS name, sum(rows) AS rows, sum(bytes_on_disk) AS bytes, count() AS parts FROM system.parts
     WHERE active AND database = currentDatabase() AND table IN (${tables.map((table) => `'${table}'`).join(', ')}) GROUP BY name`,
  )) {
    if (name === 'spans')
      findings.push(finding(`bytes on disk per span, ${label}`, 'bytes', bytes / rows, budgets.diskBytesPerSpan));
    notes.push(`${label}: ${name} has ${rows} rows, ${(bytes / 2 ** 20).toFixed(1)} MB, ${parts} parts.`);
  }
  const client = createApi(culprit, filled.account);
  const measureOne = async (page: SpanPage, times: number): Promise<void> => {
    const { durationsMs, cpuMs, bytes, failed } = await measurePage(client, culprit, page, times);
    const { p50, p95 } = distribution(durationsMs);
    const budget = page.budget === 'trace' ? budgetAt('trace', total) : budgets.performanceMs;
    findings.push(
      finding(`${page.name} p50, ${label}`, 'ms', p50),
      finding(`${page.name} p95, ${label}`, 'ms', p95, budget),
      finding(`${page.name} processor time, ${label}`, 'ms', cpuMs),
    );
    progress(
      `${page.name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, processor ${cpuMs.toFixed(1)} ms, ${Math.round(bytes / 1024)} kB`,
    );
    if (failed) notes.push(`${page.name}, ${label}: ${failed} of ${times} answers were no success.`);
  };
  for (const page of spanPages(total, filled.nowMs)) await measureOne(page, calls);
  const projectId = Number(filled.account.projectId);
  for (const spans of wideTraces) {
    const { sql, traceId } = wideTraceSql({ projectId, spans, nowMs: filled.nowMs });
    await culprit.engine(sql);
    const name = `trace of ${spans.toLocaleString('en-US')} spans`;
    const path = `/api/0/organizations/${filled.account.organization}/trace/${traceId}/spans/`;
    await measureOne({ name, budget: 'performance', path: () => path }, Math.min(calls, 5));
  }
  client.close();
  findings.push(finding(`memory (PSS) after the calls, ${label}`, 'MB', readMemory(culprit).totalMb));
  await culprit.stop();
  return { findings, notes };
}

export const runSpans = (options: StoresOptions): Promise<Report> =>
  measureStores('spans', 'spans', options, (root, size) => measureSize(root, size, options));
