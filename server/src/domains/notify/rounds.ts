/** What finds out whom to tell, beside those who enqueue by themselves: where mail can be sent. */
import type { Job } from '../../base/jobs/index.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';
import { createFollowers } from './followers.ts';
import { enqueueReports } from './report.ts';
import { enqueueTokenReminders } from './token-reminders.ts';

const followEveryMs = 1_000;
/** Between looks for whose Monday it is, and which tokens expire. */
const lookEveryMs = 60_000;

export interface RoundsOptions {
  readonly state: State;
  readonly events: Events;
  readonly getUrl: () => string;
}

export function createRounds({ state, events, getUrl }: RoundsOptions): readonly Job[] {
  let followers = createFollowers({ state, getUrl });
  const shared = { nodes: 'one', failed: 'could not read whom to notify; will retry' } as const;
  return [
    {
      ...shared,
      name: 'follower-mail',
      title: 'Mail followers about activity on their issues',
      everyMs: followEveryMs,
      async run({ isFresh }) {
        // Another node may have read further.
        if (isFresh) followers = createFollowers({ state, getUrl });
        await followers.round();
      },
    },
    {
      ...shared,
      name: 'weekly-reports',
      title: 'Send weekly reports',
      everyMs: lookEveryMs,
      needsEvents: true,
      run: () => enqueueReports({ state, events }, { consoleUrl: getUrl(), nowMs: Date.now() }),
    },
    {
      ...shared,
      name: 'token-reminders',
      title: 'Remind users of expiring API tokens',
      everyMs: lookEveryMs,
      run: () => enqueueTokenReminders(state, { consoleUrl: getUrl(), nowMs: Date.now() }),
    },
  ];
}
