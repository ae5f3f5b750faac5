import { lockDataDir } from '../base/data-dir.ts';
import { openEvents } from '../ports/events/open.ts';
import { openMigratedState } from '../ports/state/open.ts';
import { prepareLocked } from '../services/data-dir.ts';
import type { Command } from './command.ts';
import { migrate as texts } from '../base/texts/cli.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: texts.summary,
  usage: '[--json]',
  options: {},
  examples: ['culprit migrate', 'culprit migrate --state-url postgres://culprit@db/culprit'],
  async run({ config, print }) {
    await using opened = new AsyncDisposableStack();
    opened.use(await lockDataDir(config.dataDir));
    await prepareLocked(config);
    const { state, applied: inState } = await openMigratedState({ url: config.stateUrl, dataDir: config.dataDir });
    opened.use(state);
    await using store = await openEvents({ url: config.eventsUrl, dataDir: config.dataDir });
    const inEvents = await store.prepare({ retentionDays: config.retentionDays });
    const lines = (store: string, names: readonly string[]): string =>
      `${store}: ${names.length ? texts.applied(names) : texts.current}`;
    print({ state: inState, events: inEvents }, [lines(texts.state, inState), lines(texts.events, inEvents)]);
  },
};
