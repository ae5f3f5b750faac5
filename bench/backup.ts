/**
 * `backup`: the restore drill on a filled store, with its times, and what a backup costs those who send: acknowledgement
 * at a steady rate without and with one under way, in turns.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir, runLoad } from './child.ts';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import { createCorpus } from './corpus.ts';
import { writeCorpusFile } from './corpus-file.ts';
import { type Culprit, startCulprit } from './culprit.ts';
import { kinds, targetOf } from './ingest-kinds.ts';
import { openWithEvents } from './query.ts';
import { atMost, createReport, finding, type Finding, type Report } from './report.ts';
import { measureOthers } from './usage.ts';

export interface BackupOptions {
  readonly events: number;
  /** Events a second while it is measured what a backup costs, and how long each turn lasts. */
  readonly rate: number;
  readonly seconds: number;
  readonly turns: number;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

const cli = join(projectDir, 'server/bin/culprit.js');
const encoding = 'identity';
const connections = 16;
const mb = 1_000_000;

interface Taken {
  readonly bytes: number;
  readonly stored: number;
  readonly added: number;
}

async function run<T>(args: readonly string[]): Promise<{ readonly seconds: number; readonly said: T }> {
  const began = performance.now();
  const child = spawn(process.execPath, [cli, ...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`culprit ${args.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - began) / 1000, said: JSON.parse(text) as T };
}

const counted = ['errors', 'items', 'outcomes', 'issue_hours'];
const countsOf = async (culprit: Culprit): Promise<Readonly<Record<string, number>>> => {
  const columns = counted.map((table) => `(SELECT toUInt32(count()) FROM ${table} FINAL) AS ${table}`);
  const [row] = await culprit.engine<Record<string, number>>(
    `SELECT ${columns.join(', ').replaceAll(/(errors|items|outcomes) FINAL/g, '$1')}`,
  );
  return row ?? {};
};

export async function runBackup(options: BackupOptions): Promise<Report> {
  const { events, rate, seconds, turns, progress } = options;
  const root = makeTempDir(options.dir);
  const dataDir = join(root, 'data');
  const repository = join(root, 'backups');
  const { culprit, filled } = await openWithEvents(dataDir, events, progress);
  const others = measureOthers();
  const findings: Finding[] = [];

  const backUp = (dir: string) => run<Taken>(['backup', dir, '--data-dir', dataDir]);
  const first = await backUp(repository);
  progress(`first backup: ${first.seconds.toFixed(1)} s, ${Math.round(first.said.stored / mb)} MB`);
  const second = await backUp(repository);
  progress(`second backup: ${second.seconds.toFixed(1)} s, ${(second.said.added / mb).toFixed(1)} MB new`);
  const verified = await run(['backup', 'verify', repository, '--data-dir', dataDir]);
  progress(`verified: ${verified.seconds.toFixed(1)} s`);

  const target = join(root, 'restored');
  const keyFile = join(root, 'secret.key');
  copyFileSync(join(dataDir, 'secret.key'), keyFile);
  const wanted = await countsOf(culprit);
  const restored = await run(['restore', repository, '--data-dir', target, '--key-file', keyFile]);
  const again = await startCulprit(target);
  const found = await countsOf(again);
  const wrong = counted.filter((table) => found[table] !== wanted[table]);
  await again.stop();
  progress(`restored: ${restored.seconds.toFixed(1)} s, ready after ${(again.readyMs / 1000).toFixed(1)} s`);

  const alone: number[] = [];
  const beside: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    for (const withBackup of [false, true]) {
      const corpus = join(root, 'corpus');
      writeCorpusFile(corpus, createCorpus({ seed: turn, count: rate * seconds, encoding, nowMs: Date.now() }));
      // A first one each time, which copies everything: under way as long as it is sent to.
      const backing = withBackup ? backUp(join(root, `turn-${turn}`)) : undefined;
      const target = targetOf(culprit, filled.account, kinds.errors);
      const { ack } = await runLoad({ ...target, corpus, encoding, connections, rate });
      await backing;
      (withBackup ? beside : alone).push(ack.p99);
      progress(`turn ${turn + 1}, ${withBackup ? 'with' : 'without'} a backup: p99 ${ack.p99.toFixed(1)} ms`);
    }
  }
  await culprit.stop();
  removeTempDir(root);

  const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  findings.push(
    finding('backup, first', 's', first.seconds),
    finding('backup, first: stored', 'MB', first.said.stored / mb),
    finding('backup, second: nothing new', 's', second.seconds),
    finding('backup, second: new', 'MB', second.said.added / mb),
    finding('verify', 's', verified.seconds),
    finding('restore', 's', restored.seconds),
    finding('start after the restore', 's', again.readyMs / 1000),
    finding('tables with another count after the restore', '', wrong.length, atMost(0)),
    finding('acknowledged, p99, without a backup', 'ms', alone),
    finding('acknowledged, p99, with a backup under way', 'ms', beside),
    finding('p99 with to without', '×', median(beside) / median(alone)),
    finding('cores busy with something else', '', others()),
  );
  return createReport('backup', { events, rate, seconds, turns }, findings, []);
}
