/** How fast the API and its pages answer. */
import { type Benchmark, place } from '../benchmark.ts';

export const reads: Readonly<Record<string, Benchmark>> = {
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
      const { runQuery } = await import('../query.ts');
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
      const { runSpans } = await import('../spans.ts');
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
      const { runExplore } = await import('../explore.ts');
      return runExplore({
        sizes: [read.count('rows')],
        calls: read.count('calls'),
        keep: read.text('keep') || undefined,
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
      const { runReaders } = await import('../readers.ts');
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
      const { runMixed } = await import('../mixed.ts');
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
  waterfall: {
    summary: 'A trace of many spans in Chromium: when its rows are seen, and the frames that scrolling drops.',
    options: {
      spans: { fallback: '10000', help: 'spans of the trace, at most 20,000' },
      rounds: { fallback: '5', help: 'rounds, each in a new browser profile' },
      dir: place,
    },
    example: 'npm run bench -- waterfall --spans 20000',
    async run(read) {
      const { runWaterfall } = await import('../waterfall.ts');
      return runWaterfall({
        spans: read.count('spans'),
        rounds: read.count('rounds'),
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
};
