import { lockDataDir } from '../base/data-dir.ts';
import { openEvents } from '../ports/events/open.ts';
import { openMigratedState } from '../ports/state/open.ts';
import type { Command } from './command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Brings the stores up to date. "culprit serve" does so by itself.',
  usage: '[--json]',
  options: {},
  examples: ['culprit migrate', 'culprit migrate --state-url postgres://culprit@db/culprit'],
  async run({ config, print }) {
    await using opened = new AsyncDisposableStack();
    opened.use(await lockDataDir(config.dataDir));
    const { state, applied: inState } = await openMigratedState({ url: config.stateUrl, dataDir: config.dataDir });
    opened.use(state);
    await using store = await openEvents({ url: config.eventsUrl, dataDir: config.dataDir });
    const inEvents = await store.prepare({ retentionDays: config.retentionDays });
    const lines = (store: string, names: readonly string[]): string =>
      names.length ? `${store}: applied ${names.join(', ')}` : `${store}: up to date`;
    print({ state: inState, events: inEvents }, [lines('state store', inState), lines('events store', inEvents)]);
  },
};
