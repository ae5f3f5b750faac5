/** What an event, a span or a log costs on its way into the stores, and while it lies there. */
import { type Benchmark, place, UsageError } from '../benchmark.ts';

export const events: Readonly<Record<string, Benchmark>> = {
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
        import('../ingest.ts'),
        import('../ingest-kinds.ts'),
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
      const { runLatency } = await import('../latency.ts');
      return runLatency({
        rate: read.count('rate'),
        seconds: read.count('seconds'),
        starts: read.count('starts'),
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
      const { runOverload } = await import('../overload.ts');
      return runOverload({
        percent: read.count('percent'),
        seconds: read.count('seconds'),
        connections: read.count('connections'),
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  storm: {
    summary:
      'Ten times what can be stored, of a few bugs: what is accepted, stored and counted, and which new bugs are found; and what limits of issues cost.',
    options: {
      percent: { fallback: '1000', help: 'of what can be stored, which is measured first' },
      seconds: { fallback: '30', help: 'how long' },
      connections: { fallback: '256', help: 'connections' },
      dir: place,
    },
    example: 'npm run bench -- storm --seconds 60',
    async run(read) {
      const { runStorm } = await import('../storm.ts');
      return runStorm({
        percent: read.count('percent'),
        seconds: read.count('seconds'),
        connections: read.count('connections'),
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  quotas: {
    summary: 'What receiving pays for quotas: the same errors with and without them, in turns.',
    options: {
      events: { fallback: '4000', help: 'events a turn' },
      rounds: { fallback: '4', help: 'rounds' },
      connections: { fallback: '32', help: 'connections' },
      dir: place,
    },
    example: 'npm run bench -- quotas --rounds 6',
    async run(read) {
      const { runQuotas } = await import('../quotas.ts');
      return runQuotas({
        events: read.count('events'),
        rounds: read.count('rounds'),
        connections: read.count('connections'),
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
      const { runScale } = await import('../scale.ts');
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
      const { runSoak } = await import('../soak.ts');
      return runSoak({
        minutes: read.count('minutes'),
        rate: read.count('rate'),
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
      const { runAlerts } = await import('../alerts.ts');
      return runAlerts({
        rules: read.count('rules'),
        rate: read.count('rate'),
        seconds: read.count('seconds'),
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
      const { runSymbolicate } = await import('../symbolicate.ts');
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
      const { runTunnel } = await import('../tunnel.ts');
      return runTunnel({
        envelopes: read.count('envelopes'),
        rounds: read.count('rounds'),
        connections: read.count('connections'),
        bytes: read.count('bytes'),
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
      const { runBackup } = await import('../backup.ts');
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
  erase: {
    summary: 'Finding and erasing a person among many events, and what a byte search finds afterwards.',
    options: {
      events: { fallback: '1000000', help: 'events in the store' },
      own: { fallback: '1000', help: 'events of the person among them, and as many that come at last' },
      keep: { fallback: '', help: 'directory in which the filled store stays and is found again' },
      dir: place,
    },
    example: 'npm run bench -- erase --events 1000000',
    async run(read) {
      const { runErase } = await import('../erase.ts');
      return runErase({
        events: read.count('events'),
        own: read.count('own'),
        keep: read.text('keep') || undefined,
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  retention: {
    summary:
      'Cost of an age of one project: its rows of a week marked and written out of a part, and the age in the partition.',
    options: {
      rows: { fallback: '1000000', help: 'logs of the week' },
      share: { fallback: '20', help: 'of them those of the project, in percent' },
      rounds: { fallback: '3', help: 'rounds' },
      dir: place,
    },
    example: 'npm run bench -- retention --share 50',
    async run(read) {
      const { runRetention } = await import('../retention.ts');
      return runRetention({
        rows: read.count('rows'),
        share: read.count('share'),
        rounds: read.count('rounds'),
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
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
      const { runUpgrade } = await import('../upgrade.ts');
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
};
