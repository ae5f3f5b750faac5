/** `npm run bench -- NAME [options]`: reproducible measurements of a Culprit that it starts and stops itself. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { runAndCleanUp } from './cleanup.ts';
import { printReport, recordReport, type Report } from './report.ts';

type Values = Readonly<Record<string, string | boolean | undefined>>;

interface Benchmark {
  readonly summary: string;
  readonly options: Readonly<Record<string, { readonly fallback: string; readonly help: string }>>;
  /** Options without a value. */
  readonly flags?: Readonly<Record<string, string>>;
  readonly example: string;
  run(read: Reader): Promise<Report>;
}

interface Reader {
  text(name: string): string;
  flag(name: string): boolean;
  count(name: string): number;
  progress(line: string): void;
}

class UsageError extends Error {}

const place = { fallback: '', help: "directory for the stores; default: the system's for temporary files" };

/** Of what computes the same events in rounds. */
const corpusOptions = {
  events: { fallback: '4000', help: 'events of the corpus' },
  rounds: { fallback: '5', help: 'rounds' },
} as const;

const corpusOf = (read: Parameters<Benchmark['run']>[0]) => ({
  events: read.count('events'),
  rounds: read.count('rounds'),
  progress: read.progress,
});

const benchmarks: Readonly<Record<string, Benchmark>> = {
  ingest: {
    summary:
      'Errors, spans, logs or sessions a second, accepted and drained, in turns with the floor; processor time, memory and disk of each.',
    options: {
      kind: {
        fallback: 'errors',
        help: 'errors, small (of 2 kB), transactions, slow (with problems of performance), containers (of spans), otlp (spans), logs or sessions',
      },
      events: { fallback: '10000', help: 'envelopes a round' },
      rounds: { fallback: '2', help: 'rounds for each number of connections' },
      connections: { fallback: '16,64', help: 'connections, one or several numbers' },
      encoding: { fallback: 'identity', help: 'identity or gzip (SDKs compress bodies above 32 kB only)' },
      profile: { fallback: '', help: 'directory for processor profiles of the server; see bench/profile.ts' },
      dir: place,
    },
    flags: { mirror: 'measure each round also with a mirror of the project' },
    example: 'npm run bench -- ingest --events 20000 --connections 64 --encoding gzip',
    async run(read) {
      const [{ runIngest }, { isKind, kinds }] = await Promise.all([
        import('./ingest.ts'),
        import('./ingest-kinds.ts'),
      ]);
      const kind = read.text('kind');
      if (!isKind(kind)) throw new UsageError(`--kind is one of ${Object.keys(kinds).join(', ')}`);
      const encoding = read.text('encoding');
      if (encoding !== 'identity' && encoding !== 'gzip') throw new UsageError('--encoding is identity or gzip');
      const connections = read.text('connections').split(',').map(Number);
      if (!connections.every((count) => Number.isInteger(count) && count > 0))
        throw new UsageError('--connections needs numbers such as 16,64');
      return runIngest({
        kind,
        envelopes: read.count('events'),
        rounds: read.count('rounds'),
        connections,
        encoding,
        dir: read.text('dir') || undefined,
        profile: read.text('profile') || undefined,
        mirror: read.flag('mirror'),
        progress: read.progress,
      });
    },
  },
  grouping: {
    summary: 'Cost of grouping as a share of computing a batch; growth with hostile messages, paths and rules.',
    options: corpusOptions,
    example: 'npm run bench -- grouping --record',
    async run(read) {
      const { runGrouping } = await import('./grouping.ts');
      return runGrouping(corpusOf(read));
    },
  },
  scrubbing: {
    summary: 'Cost of scrubbing as a share of computing a batch; growth with hostile texts.',
    options: corpusOptions,
    example: 'npm run bench -- scrubbing --record',
    async run(read) {
      const { runScrubbing } = await import('./scrubbing.ts');
      return runScrubbing(corpusOf(read));
    },
  },
  upgrade: {
    summary: 'Cost of the way back from an upgrade: of each event while the log retains it, and of a restore point.',
    options: {
      events: { fallback: '20000', help: 'events a round' },
      rounds: { fallback: '3', help: 'rounds' },
      bytes: { fallback: '12000', help: 'bytes of an event' },
      'data-dir': { fallback: '', help: 'data directory of an earlier version, stopped; it is copied' },
      dir: place,
    },
    example: 'npm run bench -- upgrade --bytes 3000',
    async run(read) {
      const { runUpgrade } = await import('./upgrade.ts');
      return runUpgrade({
        events: read.count('events'),
        rounds: read.count('rounds'),
        bytes: read.count('bytes'),
        dir: read.text('dir'),
        dataDir: read.text('data-dir'),
        progress: read.progress,
      });
    },
  },
  stages: {
    summary: 'Processor time of computing an event, and of each stage of it, beside parsing and writing its payload.',
    options: corpusOptions,
    example: 'npm run bench -- stages --record',
    async run(read) {
      const { runStages } = await import('./stages.ts');
      return runStages(corpusOf(read));
    },
  },
  ledger: {
    summary: 'Processor time of an event and of a call of the API, by stage, with the floors of the same run.',
    options: {
      events: { fallback: '5000', help: 'events a round' },
      calls: { fallback: '30', help: 'calls of each kind a round' },
      rounds: { fallback: '5', help: 'rounds' },
      dir: place,
    },
    example: 'npm run bench -- ledger --record',
    async run(read) {
      const { runLedger } = await import('./ledger.ts');
      const events = read.count('events');
      return runLedger({
        events,
        computed: events,
        calls: read.count('calls'),
        rounds: read.count('rounds'),
        eachView: true,
        otherKinds: true,
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  check: {
    summary:
      'Names each stage that has become dearer than bench/ledger.json says: exit code 1; 3 where other programs keep it from telling.',
    options: {
      runs: { fallback: '5', help: 'with --record: measurements of which the ledger is made' },
      dir: place,
    },
    flags: {
      quick: 'within 45 s: without each kind of what is sent, and each view',
      record: 'write bench/ledger.json instead: after a change that is meant to cost, and after one that saves',
    },
    example: 'npm run bench -- check --quick',
    async run(read) {
      const { runCheck } = await import('./check.ts');
      return runCheck({
        quick: read.flag('quick'),
        recordRuns: read.flag('record') ? read.count('runs') : 0,
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  latency: {
    summary: 'Time from sending an error until the API shows it, at a fixed rate; time to start; memory when idle.',
    options: {
      rate: { fallback: '200', help: 'events a second' },
      seconds: { fallback: '30', help: 'how long' },
      starts: { fallback: '3', help: 'starts to measure' },
      dir: place,
    },
    example: 'npm run bench -- latency --rate 200 --seconds 60',
    async run(read) {
      const { runLatency } = await import('./latency.ts');
      return runLatency({
        rate: read.count('rate'),
        seconds: read.count('seconds'),
        starts: read.count('starts'),
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  backup: {
    summary: 'Backup and restore of a filled store, and what a backup under way costs those who send.',
    options: {
      events: { fallback: '1000000', help: 'events in the store' },
      rate: { fallback: '200', help: 'events a second that are sent while a backup runs' },
      seconds: { fallback: '20', help: 'how long each turn lasts' },
      turns: { fallback: '3', help: 'turns without and with a backup' },
      dir: place,
    },
    example: 'npm run bench -- backup --events 1000000',
    async run(read) {
      const { runBackup } = await import('./backup.ts');
      return runBackup({
        events: read.count('events'),
        rate: read.count('rate'),
        seconds: read.count('seconds'),
        turns: read.count('turns'),
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  query: {
    summary: 'Answers of the API with a small and with a large store.',
    options: {
      events: { fallback: '10000000', help: 'events in the large store' },
      small: { fallback: '50000', help: 'events in the small store; 0 leaves it out' },
      calls: { fallback: '50', help: 'calls of each kind' },
      keep: { fallback: '', help: 'directory in which filled stores stay and are found again' },
      dir: place,
    },
    example: 'npm run bench -- query --events 1000000 --keep ./bench-data',
    async run(read) {
      const { runQuery } = await import('./query.ts');
      const small = read.text('small') === '0' ? [] : [read.count('small')];
      return runQuery({
        sizes: [...small, read.count('events')],
        calls: read.count('calls'),
        keep: read.text('keep') || undefined,
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  spans: {
    summary: 'Bytes on disk per span; traces and pages about performance with a small and with a large store.',
    options: {
      spans: { fallback: '10000000', help: 'spans in the large store' },
      small: { fallback: '1000000', help: 'spans in the small store; 0 leaves it out' },
      calls: { fallback: '50', help: 'calls of each kind' },
      keep: { fallback: '', help: 'directory in which filled stores stay and are found again' },
      dir: place,
    },
    example: 'npm run bench -- spans --spans 50000000 --keep ./bench-data',
    async run(read) {
      const { runSpans } = await import('./spans.ts');
      const small = read.text('small') === '0' ? [] : [read.count('small')];
      return runSpans({
        sizes: [...small, read.count('spans')],
        calls: read.count('calls'),
        keep: read.text('keep') || undefined,
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  explore: {
    summary: 'Questions about two weeks of events and of spans: tables, series, comparisons.',
    options: {
      rows: { fallback: '10000000', help: 'events, and as many spans' },
      calls: { fallback: '30', help: 'calls of each kind' },
      keep: {
        fallback: '',
        help: 'directory in which filled stores stay and are found again, those of query and spans too',
      },
      dir: place,
    },
    example: 'npm run bench -- explore --rows 1000000 --keep ./bench-data',
    async run(read) {
      const { runExplore } = await import('./explore.ts');
      return runExplore({
        sizes: [read.count('rows')],
        calls: read.count('calls'),
        keep: read.text('keep') || undefined,
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  alerts: {
    summary:
      'Many alert rules beside a steady load: time from an event to what a rule says, processor time of evaluation.',
    options: {
      rules: { fallback: '1000', help: 'rules, a mix of all kinds' },
      rate: { fallback: '500', help: 'events a second' },
      seconds: { fallback: '60', help: 'how long, twice' },
      dir: place,
    },
    example: 'npm run bench -- alerts --rules 200 --seconds 20',
    async run(read) {
      const { runAlerts } = await import('./alerts.ts');
      return runAlerts({
        rules: read.count('rules'),
        rate: read.count('rate'),
        seconds: read.count('seconds'),
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  overload: {
    summary: 'More events than can be stored: how fast they are answered, and how fast it catches up afterwards.',
    options: {
      percent: { fallback: '200', help: 'of what can be stored, which is measured first' },
      seconds: { fallback: '30', help: 'how long' },
      connections: { fallback: '64', help: 'connections' },
      dir: place,
    },
    example: 'npm run bench -- overload --percent 150 --seconds 60',
    async run(read) {
      const { runOverload } = await import('./overload.ts');
      return runOverload({
        percent: read.count('percent'),
        seconds: read.count('seconds'),
        connections: read.count('connections'),
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  readers: {
    summary: 'Expensive questions of one member: how long the owner, and those who send events, wait.',
    options: {
      events: { fallback: '1000000', help: 'in the store' },
      seconds: { fallback: '20', help: 'with the member, and as long without' },
      rate: { fallback: '100', help: 'events a second that come meanwhile' },
      questions: { fallback: '24', help: 'that the member has under way' },
      keep: { fallback: '', help: 'directory in which the filled store stays and is found again, that of query too' },
      dir: place,
    },
    example: 'npm run bench -- readers --keep ./bench-data',
    async run(read) {
      const { runReaders } = await import('./readers.ts');
      return runReaders({
        events: read.count('events'),
        seconds: read.count('seconds'),
        rate: read.count('rate'),
        questions: read.count('questions'),
        keep: read.text('keep') || undefined,
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  mixed: {
    summary: 'What the first pages ask while events are stored to the issues that they show.',
    options: {
      events: { fallback: '50000', help: 'in the store' },
      rate: { fallback: '50', help: 'events a second that come meanwhile' },
      calls: { fallback: '200', help: 'calls of each kind' },
      keep: { fallback: '', help: 'directory in which the filled store stays and is found again, that of query too' },
      dir: place,
    },
    example: 'npm run bench -- mixed --events 1000000 --rate 500 --keep ./bench-data',
    async run(read) {
      const { runMixed } = await import('./mixed.ts');
      return runMixed({
        events: read.count('events'),
        rate: read.count('rate'),
        calls: read.count('calls'),
        keep: read.text('keep') || undefined,
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  scale: {
    summary:
      'One to three processing nodes on NATS, PostgreSQL, S3 and the engine over HTTP, beside the embedded form.',
    options: {
      events: { fallback: '10000', help: 'events a turn' },
      rounds: { fallback: '2', help: 'rounds' },
      connections: { fallback: '16', help: 'connections' },
      dir: place,
    },
    example: 'npm run bench -- scale --events 3000',
    async run(read) {
      const { runScale } = await import('./scale.ts');
      return runScale({
        events: read.count('events'),
        rounds: read.count('rounds'),
        connections: read.count('connections'),
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  soak: {
    summary: 'A steady rate for long: memory each minute, and whether it stays; lag.',
    options: {
      minutes: { fallback: '60', help: 'how long' },
      rate: { fallback: '150', help: 'events a second' },
      dir: place,
    },
    example: 'npm run bench -- soak --minutes 60 --rate 150',
    async run(read) {
      const { runSoak } = await import('./soak.ts');
      return runSoak({
        minutes: read.count('minutes'),
        rate: read.count('rate'),
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  symbolicate: {
    summary:
      'Frames a second through lookup files, cold and warm, against bare trace-mapping; what indexing a map costs.',
    options: {
      megabytes: { fallback: '1,10,60', help: 'sizes of maps, one or several numbers' },
      frames: { fallback: '500', help: 'frames at places all over each map' },
      rounds: { fallback: '3', help: 'rounds' },
      rate: {
        fallback: '200',
        help: 'events a second while the largest map is uploaded, indexed and used; 0 leaves it out',
      },
      seconds: { fallback: '20', help: 'how long, three times' },
      dir: place,
    },
    example: 'npm run bench -- symbolicate --megabytes 60',
    async run(read) {
      const { runSymbolicate } = await import('./symbolicate.ts');
      const megabytes = read.text('megabytes').split(',').map(Number);
      if (!megabytes.every((size) => size > 0)) throw new UsageError('--megabytes needs numbers such as 1,10,60');
      return runSymbolicate({
        megabytes,
        frames: read.count('frames'),
        rounds: read.count('rounds'),
        rate: read.text('rate') === '0' ? 0 : read.count('rate'),
        seconds: read.count('seconds'),
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  tunnel: {
    summary: 'Envelopes a second through the tunnel, in turns with a plain proxy.',
    options: {
      envelopes: { fallback: '10000', help: 'envelopes a round' },
      rounds: { fallback: '5', help: 'rounds' },
      connections: { fallback: '16', help: 'connections' },
      bytes: { fallback: '16000', help: 'size of an envelope' },
    },
    example: 'npm run bench -- tunnel --bytes 500000 --envelopes 1000',
    async run(read) {
      const { runTunnel } = await import('./tunnel.ts');
      return runTunnel({
        envelopes: read.count('envelopes'),
        rounds: read.count('rounds'),
        connections: read.count('connections'),
        bytes: read.count('bytes'),
        progress: read.progress,
      });
    },
  },
  waterfall: {
    summary: 'A trace of many spans in Chromium: when its rows are seen, and the frames that scrolling drops.',
    options: {
      spans: { fallback: '10000', help: 'spans of the trace, at most 20,000' },
      rounds: { fallback: '5', help: 'rounds, each in a new browser profile' },
      dir: place,
    },
    example: 'npm run bench -- waterfall --spans 20000',
    async run(read) {
      const { runWaterfall } = await import('./waterfall.ts');
      return runWaterfall({
        spans: read.count('spans'),
        rounds: read.count('rounds'),
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
};

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
      ...Object.entries(benchmarks).map(([each, { summary }]) => `  ${each.padEnd(8)} ${summary}`),
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
