/** `npm run bench -- NAME [options]`: reproducible measurements of a Culprit that it starts and stops itself. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { type Benchmark, type Reader, UsageError } from './benchmark.ts';
import { runAndCleanUp } from './cleanup.ts';
import { events } from './list/events.ts';
import { ledger } from './list/ledger.ts';
import { reads } from './list/reads.ts';
import { printReport, recordReport } from './report.ts';

type Values = Readonly<Record<string, string | boolean | undefined>>;

const benchmarks: Readonly<Record<string, Benchmark>> = { ...events, ...reads, ...ledger };

const shared: Readonly<Record<string, string>> = {
  json: 'print JSON',
  record: 'append what was found to bench/RESULTS.md',
  help: 'show this help',
};

function help(name: string | undefined): string {
  const benchmark = name === undefined ? undefined : benchmarks[name];
  if (!benchmark) {
    return [
      'npm run bench -- NAME [options]',
      '',
      ...Object.entries(benchmarks).map(([each, { summary }]) => `  ${each.padEnd(11)} ${summary}`),
      '',
      'npm run bench -- NAME --help shows options. Everything runs on this machine, in directories that are removed at the end.',
    ].join('\n');
  }
  const line = (option: string, text: string): string => `  --${option.padEnd(20)} ${text}`;
  return [
    `npm run bench -- ${name} [options]`,
    '',
    benchmark.summary,
    '',
    ...Object.entries(benchmark.options).map(([option, { fallback, help }]) =>
      line(`${option} ${option.toUpperCase()}`, fallback ? `${help} (${fallback})` : help),
    ),
    ...Object.entries({ ...shared, ...benchmark.flags }).map(([option, text]) => line(option, text)),
    '',
    `Example: ${benchmark.example}`,
  ].join('\n');
}

function parse(benchmark: Benchmark, args: readonly string[]): Values {
  const options: ParseArgsOptionsConfig = {};
  for (const name of Object.keys({ ...shared, ...benchmark.flags })) options[name] = { type: 'boolean' };
  for (const [name, { fallback }] of Object.entries(benchmark.options))
    options[name] = { type: 'string', default: fallback };
  try {
    return parseArgs({ args: [...args], options, strict: true }).values as Values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function createReader(values: Values): Reader {
  const text = (name: string): string => String(values[name] ?? '');
  return {
    text,
    flag: (name) => values[name] === true,
    count(name) {
      const count = Number(text(name));
      if (!Number.isInteger(count) || count < 1)
        throw new UsageError(`--${name} is "${text(name)}"; expected a whole number above 0`);
      return count;
    },
    progress: (line) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`),
  };
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  const benchmark = name === undefined ? undefined : benchmarks[name];
  if (!benchmark) {
    console.log(help(undefined));
    return name === '--help' ? 0 : 2;
  }
  try {
    const values = parse(benchmark, args);
    if (values.help) {
      console.log(help(name));
      return 0;
    }
    let exitCode = 0;
    await runAndCleanUp(async () => {
      const report = await benchmark.run(createReader(values));
      if (values.json) console.log(JSON.stringify(report, null, 2));
      else printReport(report);
      if (values.record && benchmark.flags?.record === undefined) recordReport(report);
      exitCode = report.exitCode ?? 0;
    });
    return exitCode;
  } catch (error) {
    if (!(error instanceof UsageError)) {
      console.error(error);
      return 1;
    }
    console.error(`${error.message}\n\n${help(name)}`);
    return 2;
  }
}

process.exit(await main(process.argv.slice(2)));
