/** `explore`: how fast questions about events and spans are answered over two weeks of them. */
import { join } from 'node:path';
import { budgets } from './budgets.ts';
import { createApi, type Culprit } from './culprit.ts';
import { eventQuestions, type Question, spanQuestions } from './explore-calls.ts';
import type { HttpClient } from './http-client.ts';
import { openWithEvents } from './query.ts';
import { finding, type Finding, type Report } from './report.ts';
import { fillWithSpans, type FilledWithSpans } from './spans.ts';
import { distribution } from './statistics.ts';
import { type Measured, measureStores, openFilled, type StoresOptions } from './stores.ts';
import { measureCpu, readMemory } from './usage.ts';

const warmUps = 2;
/** The exact answer behind an estimated one is asked for so often. */
const exactCalls = 8;
/** Slow questions are asked less often, so that the benchmark ends. */
const longestMs = 20_000;
const fewestCalls = 8;

/** As the console asks: a first answer may be estimated. */
const allowed = (path: string): string => `${path}&sampling=allow`;

/** What of the rows an estimated answer was made from; undefined for all. */
const shareOf = (text: string): number | undefined =>
  (JSON.parse(text) as { meta?: { sampling?: { share: number } } }).meta?.sampling?.share;

async function measure(
  culprit: Culprit,
  client: HttpClient,
  questions: readonly Question[],
  label: string,
  { calls, progress }: StoresOptions,
): Promise<Measured> {
  const findings: Finding[] = [];
  const notes: string[] = [];
  for (const { name, path, body } of questions) {
    const durationsMs: number[] = [];
    const shares: number[] = [];
    let failed = '';
    const cpuSince = measureCpu(culprit);
    const startedAt = performance.now();
    let asked = 0;
    for (let index = -warmUps; index < calls; index++) {
      if (index >= fewestCalls && performance.now() - startedAt > longestMs) break;
      const started = performance.now();
      const at = index + warmUps;
      const { status, text } = body
        ? await client.post(path(at), JSON.stringify(body(at)))
        : await client.get(allowed(path(at)));
      asked += 1;
      if (status !== 200) failed = `${status} ${text.slice(0, 200)}`;
      if (index < 0) continue;
      durationsMs.push(performance.now() - started);
      const share = shareOf(text);
      if (share !== undefined) shares.push(share);
    }
    const { engineSeconds, serverSeconds } = cpuSince();
    const cpuMs = ((engineSeconds + serverSeconds) * 1000) / asked;
    const { p50, p95 } = distribution(durationsMs);
    findings.push(
      finding(`${name} p50, ${label}`, 'ms', p50),
      finding(`${name} p95, ${label}`, 'ms', p95, budgets.performanceMs),
      finding(`${name} processor time, ${label}`, 'ms', cpuMs),
    );
    progress(`${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, processor ${cpuMs.toFixed(1)} ms`);
    if (shares.length) {
      const exactMs: number[] = [];
      for (let index = 0; index < Math.min(calls, exactCalls); index++) {
        exactMs.push((await client.get(path(index))).durationMs);
      }
      const exact = distribution(exactMs);
      findings.push(
        finding(`${name}, exact behind it p50, ${label}`, 'ms', exact.p50),
        finding(`${name}, exact behind it p95, ${label}`, 'ms', exact.p95),
      );
      const percent = (100 * shares.reduce((sum, one) => sum + one, 0)) / shares.length;
      notes.push(
        `${name}, ${label}: ${shares.length} of ${durationsMs.length} first answers are estimated, from ${percent.toFixed(1)} %.`,
      );
      progress(
        `  ${shares.length} of ${durationsMs.length} are estimated from ${percent.toFixed(1)} %; exact p50 ${exact.p50.toFixed(1)} ms, p95 ${exact.p95.toFixed(1)} ms`,
      );
    }
    if (failed) notes.push(`${name}, ${label}: ${failed}.`);
  }
  findings.push(finding(`memory (PSS) after the calls, ${label}`, 'MB', readMemory(culprit).totalMb));
  return { findings, notes };
}

async function measureSize(root: string, size: number, options: StoresOptions): Promise<Measured> {
  const { progress } = options;
  const eventsDir = join(root, String(size));
  const events = await openWithEvents(eventsDir, size, progress);
  const eventClient = createApi(events.culprit, events.filled.account);
  const count = size.toLocaleString('en-US');
  const ofEvents = await measure(events.culprit, eventClient, eventQuestions, `${count} events`, options);
  eventClient.close();
  await events.culprit.stop();

  const spansDir = join(root, `spans-${size}`);
  const spans = await openFilled<FilledWithSpans>(spansDir, (culprit) =>
    fillWithSpans(spansDir, culprit, size, progress),
  );
  const spanClient = createApi(spans.culprit, spans.filled.account);
  const ofSpans = await measure(spans.culprit, spanClient, spanQuestions, `${count} spans`, options);
  spanClient.close();
  await spans.culprit.stop();
  return {
    findings: [...ofEvents.findings, ...ofSpans.findings],
    notes: [...ofEvents.notes, ...ofSpans.notes],
  };
}

export const runExplore = (options: StoresOptions): Promise<Report> =>
  measureStores('explore', 'events, and as many spans', options, (root, size) => measureSize(root, size, options));
