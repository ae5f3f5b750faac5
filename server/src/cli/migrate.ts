import { lockDataDir } from '../base/data-dir.ts';
import { openEvents } from '../ports/events/open.ts';
import { openMigratedState } from '../ports/state/open.ts';
import { prepareLocked } from '../services/data-dir.ts';
import type { Command } from './command.ts';
import { migrate as texts } from '../base/texts/cli.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: texts.summary,
  usage: '[--compact] [--json]',
  options: { compact: { type: 'boolean', help: texts.compact } },
  examples: [
    'culprit migrate',
    'culprit migrate --compact',
    'culprit migrate --state-url postgres://culprit@db/culprit',
  ],
  async run({ config, flag, print }) {
    await using opened = new AsyncDisposableStack();
    opened.use(await lockDataDir(config.dataDir));
    await prepareLocked(config);
    const { state, applied: inState } = await openMigratedState({ url: config.stateUrl, dataDir: config.dataDir });
    opened.use(state);
    await using store = await openEvents({ url: config.eventsUrl, blobsUrl: config.blobsUrl, dataDir: config.dataDir });
    const inEvents = await state.alone('events-migration', () =>
      store.prepare({ retentionDays: config.retentionDays }),
    );
    const lines = (store: string, names: readonly string[]): string =>
      `${store}: ${names.length ? texts.applied(names) : texts.current}`;
    const freedBytes = flag('compact') ? await state.shrink({ isAlone: true, takesTime: true }) : undefined;
    print({ state: inState, events: inEvents, freedBytes }, [
      lines(texts.state, inState),
      lines(texts.events, inEvents),
      ...(freedBytes === undefined ? [] : [texts.freed(freedBytes)]),
    ]);
  },
};
