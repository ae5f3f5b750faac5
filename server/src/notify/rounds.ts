/** What finds out whom to tell, beside those who enqueue by themselves. */
import type { Events } from '../events/events.ts';
import type { State } from '../state/state.ts';
import { createFollowers } from './followers.ts';
import { enqueueReports } from './report.ts';
import { enqueueTokenReminders } from './token-reminders.ts';

/** Between looks for whose Monday it is, and which tokens expire. */
const lookEveryMs = 60_000;

export interface RoundsOptions {
  readonly state: State;
  readonly events: Events;
  readonly getUrl: () => string;
  /** False until the events store can be asked. */
  readonly isReady: () => boolean;
}

/** For `openNotifier`, where mail can be sent. */
export function createRounds({ state, events, getUrl, isReady }: RoundsOptions): (() => Promise<void>)[] {
  const followers = createFollowers({ state, getUrl });
  let reportedAt = 0;
  const reports = async (): Promise<void> => {
    const nowMs = Date.now();
    if (!isReady() || Math.abs(nowMs - reportedAt) < lookEveryMs) return;
    reportedAt = nowMs;
    await enqueueReports({ state, events }, { consoleUrl: getUrl(), nowMs });
  };
  let remindedAt = 0;
  const tokens = async (): Promise<void> => {
    const nowMs = Date.now();
    if (Math.abs(nowMs - remindedAt) < lookEveryMs) return;
    remindedAt = nowMs;
    await enqueueTokenReminders(state, { consoleUrl: getUrl(), nowMs });
  };
  return [followers.round, reports, tokens];
}
