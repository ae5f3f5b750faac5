/**
 * `symbolicate`: frames a second through lookup files, against bare `@jridgewell/trace-mapping` on the same maps in turns;
 * what making the file costs.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startNode } from './child.ts';
import { makeTempDir, removeTempDir, stopProcess } from './cleanup.ts';
import { createReport, finding, type Finding, type Report } from './report.ts';
import { measureIngest } from './symbolicate-ingest.ts';
import type { PartResult } from './symbolicate-part.ts';
import { makeMap } from './symbolicate-map.ts';

export interface SymbolicateOptions {
  readonly megabytes: readonly number[];
  readonly frames: number;
  readonly rounds: number;
  /** Events a second and for how long, while the largest map is uploaded, indexed and used; 0 leaves it out. */
  readonly rate: number;
  readonly seconds: number;
  readonly dir?: string;
  readonly progress: (line: string) => void;
}

const megabyte = 1024 * 1024;

interface Turn {
  readonly build: PartResult;
  readonly ours: PartResult;
  readonly trace: PartResult;
}

async function runPart(part: string, files: Readonly<Record<string, string>>): Promise<PartResult> {
  const child = startNode('bench/symbolicate-part.ts', [
    `--part=${part}`,
    ...Object.entries(files).map(([name, path]) => `--${name}=${path}`),
  ]);
  let text = '';
  for await (const piece of child.stdout ?? []) text += String(piece);
  await stopProcess(child.pid);
  return JSON.parse(text) as PartResult;
}

export async function runSymbolicate({
  megabytes,
  frames,
  rounds,
  rate,
  seconds,
  dir: parent,
  progress,
}: SymbolicateOptions): Promise<Report> {
  const dir = makeTempDir(parent);
  const findings: Finding[] = [];
  const notes: string[] = [];
  for (const size of megabytes) {
    progress(`making a map of ${size} MB`);
    const files = {
      map: join(dir, 'map'),
      script: join(dir, 'script'),
      frames: join(dir, 'frames'),
      lookup: join(dir, 'lookup'),
    };
    const made = makeMap(size, 1);
    writeFileSync(files.map, made.map);
    writeFileSync(files.script, made.script);
    const step = Math.max(1, Math.floor(made.frames.length / frames));
    writeFileSync(files.frames, JSON.stringify(made.frames.filter((_, index) => index % step === 0).slice(0, frames)));
    const turns: Turn[] = [];
    for (let round = 1; round <= rounds; round++) {
      const turn = {
        build: await runPart('build', files),
        ours: await runPart('ours', files),
        trace: await runPart('trace', files),
      };
      if (turn.ours.found !== turn.trace.found)
        throw new Error(`${turn.ours.found} frames found, not ${turn.trace.found}`);
      turns.push(turn);
      progress(
        `${size} MB, round ${round}: ${Math.round(turn.ours.coldPerSecond)}/s cold, ${Math.round(turn.ours.warmPerSecond)}/s warm`,
      );
    }
    findings.push(...describe(size, turns));
    const [first] = turns;
    if (first)
      notes.push(
        `${size} MB: ${made.map.length.toLocaleString('en-US')} bytes, ${first.build.tokens.toLocaleString('en-US')} tokens, script ${made.script.length.toLocaleString('en-US')} bytes; all ${first.ours.found} frames found.`,
      );
    for (const path of Object.values(files)) rmSync(path, { force: true });
  }
  if (rate > 0) {
    const made = makeMap(Math.max(...megabytes), 1);
    findings.push(...(await measureIngest({ made, rate, seconds, dir, progress })));
  }
  removeTempDir(dir);
  return createReport('symbolicate', { megabytes: megabytes.join(','), frames, rounds, rate, seconds }, findings, [
    ...notes,
    'Cold: an empty cache and a file that was not opened; frames at places all over the map. Bare: `new TraceMap(json)` and `originalPositionFor` alone, the reading of the file included.',
    'Peak memory: the largest resident set of a process that does nothing else, less what it had before it began.',
  ]);
}

function describe(size: number, turns: readonly Turn[]): Finding[] {
  const of = (name: string, unit: string, value: (turn: Turn) => number): Finding =>
    finding(`${size} MB, ${name}`, unit, turns.map(value));
  return [
    of('first frame', 'ms', ({ ours }) => ours.firstMs),
    of('first frame, bare', 'ms', ({ trace }) => trace.firstMs),
    of('cold', 'frames/s', ({ ours }) => ours.coldPerSecond),
    of('cold, bare', 'frames/s', ({ trace }) => trace.coldPerSecond),
    of('cold of bare', '×', ({ ours, trace }) => ours.coldPerSecond / trace.coldPerSecond),
    of('warm', 'frames/s', ({ ours }) => ours.warmPerSecond),
    of('warm, bare', 'frames/s', ({ trace }) => trace.warmPerSecond),
    of('warm of bare', '×', ({ ours, trace }) => ours.warmPerSecond / trace.warmPerSecond),
    of('warm, with source lines', 'frames/s', ({ ours }) => ours.withContextPerSecond),
    of('held by the cache', 'MB', ({ ours }) => ours.heldBytes / megabyte),
    of('peak memory', 'MB', ({ ours }) => ours.peakBytes / megabyte),
    of('peak memory, bare', 'MB', ({ trace }) => trace.peakBytes / megabyte),
    of('indexing', 'ms', ({ build }) => build.firstMs),
    of('indexing, peak memory', 'MB', ({ build }) => build.peakBytes / megabyte),
    of('lookup file', 'MB', ({ build }) => build.fileBytes / megabyte),
  ];
}
