/** The stream of what just changed, as the console follows it. */
import { request } from 'node:http';
import { type Account, type Culprit, organization } from './culprit.ts';

export interface Stored {
  /** ms since the epoch. */
  readonly atMs: number;
  /** Events that the stream has told of so far. */
  readonly count: number;
}

export interface LiveStream {
  readonly stored: readonly Stored[];
  close(): void;
}

export async function followLiveStream(culprit: Culprit, { token }: Account): Promise<LiveStream> {
  const { hostname, port } = new URL(culprit.url);
  const stored: Stored[] = [];
  let count = 0;
  let rest = '';
  const sending = request({
    hostname,
    port,
    path: `/api/0/organizations/${organization}/live/`,
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  });
  sending.end();
  await new Promise<void>((resolve, reject) => {
    sending.on('error', reject);
    sending.on('response', (response) => {
      if (response.statusCode !== 200) return reject(new Error(`the live stream answered ${response.statusCode}`));
      response.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (!line.startsWith('data:')) continue;
          const message = JSON.parse(line.slice(5)) as { type: string; count?: number };
          if (message.type !== 'events') continue;
          count += message.count ?? 0;
          stored.push({ atMs: performance.timeOrigin + performance.now(), count });
        }
      });
      response.on('error', () => {});
      return resolve();
    });
  });
  return { stored, close: () => sending.destroy() };
}
