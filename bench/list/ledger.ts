/** What each step costs: the ledger, and what is in its figures. */
import { type Benchmark, corpusOf, corpusOptions, place } from '../benchmark.ts';

export const ledger: Readonly<Record<string, Benchmark>> = {
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
      const { runLedger } = await import('../ledger.ts');
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
      const { runCheck } = await import('../check.ts');
      return runCheck({
        quick: read.flag('quick'),
        recordRuns: read.flag('record') ? read.count('runs') : 0,
        dir: read.text('dir') || undefined,
        progress: read.progress,
      });
    },
  },
  stages: {
    summary: 'Processor time of computing an event, and of each stage of it, beside parsing and writing its payload.',
    options: corpusOptions,
    example: 'npm run bench -- stages --record',
    async run(read) {
      const { runStages } = await import('../stages.ts');
      return runStages(corpusOf(read));
    },
  },
  grouping: {
    summary: 'Cost of grouping as a share of computing a batch; growth with hostile messages, paths and rules.',
    options: corpusOptions,
    example: 'npm run bench -- grouping --record',
    async run(read) {
      const { runGrouping } = await import('../grouping.ts');
      return runGrouping(corpusOf(read));
    },
  },
  filters: {
    summary: 'Cost of inbound filters for an event that stays; growth with the length of texts.',
    options: corpusOptions,
    example: 'npm run bench -- filters',
    async run(read) {
      const { runFilters } = await import('../filters.ts');
      return runFilters(corpusOf(read));
    },
  },
  scrubbing: {
    summary: 'Cost of scrubbing as a share of computing a batch; growth with hostile texts.',
    options: corpusOptions,
    example: 'npm run bench -- scrubbing --record',
    async run(read) {
      const { runScrubbing } = await import('../scrubbing.ts');
      return runScrubbing(corpusOf(read));
    },
  },
};
