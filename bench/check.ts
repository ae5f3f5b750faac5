/** `check`: names each stage that has become dearer than the committed ledger says. For changes to a hot path. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Entry, entriesOf, judge } from './check-judge.ts';
import { measureLedger } from './ledger.ts';
import type { Measurement } from './ledger-lines.ts';
import { describeMachine } from './machine.ts';
import { atMost, createReport, finding, type Report } from './report.ts';
import { waitForCalm } from './usage.ts';

const file = new URL('ledger.json', import.meta.url);

export interface CheckOptions {
  readonly quick: boolean;
  /** Measures so many times and writes the ledger; 0 compares with it. */
  readonly recordRuns: number;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

/** The same for both, as the least of more rounds would be less. */
const size = { events: 2000, computed: 1500, calls: 12, rounds: 3 };

/** With more at work beside it, caches and clocks are not its own. */
const mostOthers = 0.2;
/** Runs that came to nothing for that are made again. */
const patienceMs = 30 * 60_000;
/** Exit code where it cannot tell. */
const cannotTell = 3;

export async function runCheck({ quick, recordRuns, dir, progress }: CheckOptions): Promise<Report> {
  const measure = (): Promise<Measurement> =>
    measureLedger({ ...size, eachView: !quick, otherKinds: !quick, dir, progress });
  if (recordRuns > 0) {
    const runs: Measurement[] = [];
    for (const deadline = Date.now() + patienceMs; runs.length < recordRuns;) {
      if (Date.now() > deadline) throw new Error('other programs keep the machine busy: nothing was recorded');
      if (!(await waitForCalm())) continue;
      const run = await measure();
      if (run.others <= mostOthers) runs.push(run);
      progress(
        `${run.others.toFixed(2)} cores were busy with something else; ${runs.length} of ${recordRuns} runs count`,
      );
    }
    return recorded(runs);
  }
  if (!existsSync(file)) throw new Error('there is no bench/ledger.json yet: npm run bench -- check --record');
  const { entries } = JSON.parse(readFileSync(file, 'utf8')) as { entries: readonly Entry[] };
  const measured = await measure();
  const verdicts = judge(entries, measured);
  const isBusy = measured.others > mostOthers;
  const dearer = verdicts.filter(({ isDearer }) => isDearer);
  const findings = verdicts.map(({ part, name, ratio, tolerance, found }) =>
    finding(
      `${part}: ${name}`,
      '× floor',
      found,
      isBusy ? undefined : atMost(Number((ratio * (1 + tolerance)).toPrecision(3))),
    ),
  );
  const said = isBusy
    ? `Other programs kept ${measured.others.toFixed(2)} cores busy: nothing is judged.`
    : dearer.length === 0
      ? 'No stage is dearer than the ledger says.'
      : `Dearer: ${dearer.map(({ part, name, ratio, found, tolerance }) => `${part}: ${name} (+${Math.round((found / ratio - 1) * 100)} %, ${Math.round(tolerance * 100)} % are noise)`).join(', ')}.`;
  return {
    ...createReport('check', { quick: String(quick) }, findings, [said, `It took ${Math.round(measured.seconds)} s.`]),
    exitCode: isBusy ? cannotTell : dearer.length > 0 ? 1 : 0,
  };
}

function recorded(runs: readonly Measurement[]): Report {
  const entries = entriesOf(runs);
  const others = Math.max(...runs.map((run) => run.others));
  const { cores, cpu, commit, at } = describeMachine();
  writeFileSync(
    file,
    `${JSON.stringify({ at, cores, cpu, commit, runs: runs.length, others: Number(others.toFixed(2)), entries }, null, 2)}\n`,
  );
  return createReport(
    'check',
    { runs: runs.length },
    entries.flatMap(({ part, name, ratio, tolerance }) => [
      finding(`${part}: ${name}`, '× floor', ratio),
      finding('… may be dearer by', '%', tolerance * 100),
    ]),
    [`Written to bench/ledger.json. Other programs kept at most ${others.toFixed(2)} cores busy.`],
  );
}
