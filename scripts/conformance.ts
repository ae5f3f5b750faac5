/**
 * Runs published cases of any folder of the shapes that are known, and says which of them pass:
 * `npm run conformance -- --data DIR [--json]`.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { judgePerformance } from '../server/src/domains/detectors/conformance.ts';
import type { Verdict } from '../server/src/process/steps/conformance-data.ts';
import { groupingSets, parameterizationSets } from '../server/src/process/steps/group/conformance.ts';
import { judgeScrubbing } from '../server/src/process/steps/scrub/conformance.ts';
import { judgeUserAgents } from '../server/src/process/steps/user-agent/conformance.ts';
import { runSearchCases } from '../server/src/domains/search/conformance.ts';

const help = `Usage: npm run conformance -- --data DIR [--json]

Runs the cases in DIR, which holds folders such as grouping, parameterization, search, useragent, pii and performance
(or is one of them), and prints how many of each set pass.

  --data DIR   where the cases are
  --json       {"sets": {"<file or folder>": {"passed": n, "failed": n, "misses": [{"id", "why"}]}}}
  --help       this text

Ends with 0 when the cases could be run, whether they pass or not; 1 when some could not be read, 2 for a wrong use.
Example: npm run --silent conformance -- --data ../cases --json > conformance.json`;

type Sets = Record<string, readonly Verdict[]>;

/** Each JSON file of the folder judged by itself. */
const fileByFile =
  (judge: (json: unknown, folder: string) => readonly Verdict[]) =>
  (folder: string, name: string): Sets => {
    const sets: Sets = {};
    for (const file of readdirSync(folder).filter((entry) => entry.endsWith('.json'))) {
      try {
        sets[`${name}/${file}`] = judge(JSON.parse(readFileSync(join(folder, file), 'utf8')), folder);
      } catch (error) {
        note(join(folder, file), error);
      }
    }
    return sets;
  };

const unreadable: string[] = [];
const note = (path: string, error: unknown): void =>
  void unreadable.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);

const judges: Readonly<Record<string, (folder: string, name: string) => Sets>> = {
  grouping: (folder) => groupingSets(folder, note),
  parameterization: (folder) => parameterizationSets(folder, note),
  performance: fileByFile((json, folder) => judgePerformance(folder, json)),
  pii: fileByFile(judgeScrubbing),
  search: fileByFile(runSearchCases),
  useragent: fileByFile(judgeUserAgents),
};

function usage(message: string): never {
  console.error(`${message}\n\n${help}`);
  process.exit(2);
}

function options(): { data: string; json: boolean } {
  try {
    const { values } = parseArgs({
      options: { data: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) {
      console.log(help);
      process.exit(0);
    }
    if (values.data === undefined) usage('Say where the cases are: --data DIR');
    const data = resolve(values.data);
    if (!existsSync(data) || !statSync(data).isDirectory()) usage(`${data} is no folder`);
    return { data, json: values.json ?? false };
  } catch (error) {
    usage(error instanceof Error ? error.message : String(error));
  }
}

function run(data: string): Sets {
  const folders = Object.keys(judges).filter((name) => existsSync(join(data, name)));
  const own = judges[basename(data)];
  if (!folders.length && own) return own(data, basename(data));
  if (!folders.length) usage(`${data} has none of the folders ${Object.keys(judges).join(', ')}`);
  return Object.assign({}, ...folders.map((name) => judges[name]?.(join(data, name), name)));
}

const { data, json } = options();
const sets = Object.entries(run(data)).map(([name, verdicts]) => {
  const misses = verdicts.filter(({ passed }) => !passed).map(({ id, why = '' }) => ({ id, why }));
  return { name, passed: verdicts.length - misses.length, failed: misses.length, misses };
});
if (json) {
  console.log(JSON.stringify({ sets: Object.fromEntries(sets.map(({ name, ...set }) => [name, set])) }, null, 2));
} else {
  for (const { name, passed, failed, misses } of sets) {
    const share = passed + failed ? ((passed / (passed + failed)) * 100).toFixed(1) : '–';
    console.log(`${name}: ${passed} of ${passed + failed} (${share} %)`);
    for (const { id, why } of misses.slice(0, 20)) console.log(`  ${id}: ${why.slice(0, 300)}`);
    if (misses.length > 20) console.log(`  and ${misses.length - 20} more; --json lists them`);
  }
}
for (const problem of unreadable) console.error(`could not be run: ${problem}`);
if (unreadable.length) process.exitCode = 1;
