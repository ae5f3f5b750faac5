/** The Slack app: its manifest, its secrets, the channels of its workspace, and its end. */
import { botToken, signingSecret, type Workspace } from '../../server/src/domains/slack/testing/workspace.ts';
import type { Recorder } from './recorder.ts';

export async function connectAndLeaveSlack(recorder: Recorder, { apiUrl, channels }: Workspace): Promise<void> {
  channels.push({ id: 'C0001', name: 'alerts' }, { id: 'G0001', name: 'on-call', is_private: true });
  await recorder.call('connectSlack', { body: { token: botToken, signingSecret, apiUrl } });
  for (const id of ['getSlack', 'listSlackChannels', 'disconnectSlack']) await recorder.call(id);
}
