/** What finds out whom to tell, beside those who enqueue by themselves: where mail can be sent. */
import type { Job } from '../../base/jobs/index.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';
import { createFollowers } from './followers.ts';
import { enqueueReports } from './report.ts';
import { enqueueTokenReminders } from './token-reminders.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';

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
  const shared = { nodes: 'one', failed: jobTexts.followerMail.failed } as const;
  return [
    {
      ...shared,
      name: 'follower-mail',
      title: jobTexts.followerMail.title,
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
      title: jobTexts.weeklyReports.title,
      everyMs: lookEveryMs,
      needsEvents: true,
      run: () => enqueueReports({ state, events }, { consoleUrl: getUrl(), nowMs: Date.now() }),
    },
    {
      ...shared,
      name: 'token-reminders',
      title: jobTexts.tokenReminders.title,
      everyMs: lookEveryMs,
      run: () => enqueueTokenReminders(state, { consoleUrl: getUrl(), nowMs: Date.now() }),
    },
  ];
}
