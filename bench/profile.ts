/** `node bench/profile.ts FILE.cpuprofile …`: which functions took the processor time, from what `--profile` wrote. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** µs since the sample before. */
  readonly timeDeltas: readonly number[];
}

interface FunctionTime {
  readonly name: string;
  readonly selfMs: number;
}

const shown = 40;
/** Time in which nothing ran. */
const idleNames = new Set(['(idle)', '(root)']);

export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): FunctionTime[] {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url ? ` ${url.replace(/^.*\/(?=(?:[^/]+\/){2}[^/]+$)/, '')}:${lineNumber + 1}` : '';
      return [id, `${functionName || '(anonymous)'}${place}`] as const;
    }),
  );
  const sums = new Map<string, number>();
  samples.forEach((id, index) => {
    const name = names.get(id) ?? '?';
    sums.set(name, (sums.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
  });
  return [...sums].map(([name, selfMs]) => ({ name, selfMs })).sort((a, b) => b.selfMs - a.selfMs);
}

if (import.meta.main) {
  for (const file of process.argv.slice(2)) {
    const times = selfTimes(JSON.parse(readFileSync(file, 'utf8')) as CpuProfile).filter(
      ({ name }) => !idleNames.has(name),
    );
    const totalMs = times.reduce((sum, { selfMs }) => sum + selfMs, 0);
    console.log(`\n${basename(file)}: ${Math.round(totalMs)} ms busy`);
    for (const { name, selfMs } of times.slice(0, shown)) {
      console.log(
        `${selfMs.toFixed(0).padStart(8)} ms ${((selfMs / totalMs) * 100).toFixed(1).padStart(5)} %  ${name}`,
      );
    }
  }
}
