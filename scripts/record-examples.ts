/**
 * Records the examples of the API's document, `server/src/api/examples.jsonl`:
 *
 *   node scripts/build.ts && node scripts/record-examples.ts
 *
 * A server of its own is sent every recorded envelope, then each operation is called. What cannot succeed here (mail that
 * goes nowhere, a key of a device) is shown as it is refused; `api/examples.test.ts` names those.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { openWorkspace } from '../server/src/domains/slack/testing/workspace.ts';
import { openHttpReceiver } from '../server/src/domains/notify/testing/receiver.ts';
import { owner, Server } from '../server/test/harness.ts';
import { changeAndDelete } from './examples/changes.ts';
import { keepSendAndErase } from './examples/data.ts';
import { makeAll } from './examples/makes.ts';
import { connectAndLeaveSlack } from './examples/slack.ts';
import { readAll } from './examples/reads.ts';
import { Recorder, type Listed } from './examples/recorder.ts';
import { createStable } from './examples/stable.ts';
import * as traffic from './data-dir/traffic.ts';

const file = new URL('../server/src/api/examples.jsonl', import.meta.url);
const document = JSON.parse(readFileSync(new URL('../server/dist/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Listed>>>>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => ({ ...one, path, method })),
);

await using receiver = await openHttpReceiver();
await using workspace = await openWorkspace();
await using server = await Server.create({
  // Passkeys need a name, which is localhost then.
  CULPRIT_URL: '',
  CULPRIT_OUTBOUND_ALLOW: '127.0.0.1',
  CULPRIT_PERFORMANCE_WAIT_SECONDS: '1',
  CULPRIT_SELF_REPORT: 'off',
});
const url = `http://localhost:${server.port}`;
const startedAt = Date.now();
const { dsn } = server.installed;
await traffic.sendErrors(dsn, startedAt);
await traffic.sendRecorded(dsn);
await traffic.sendAttachments(dsn, startedAt);
await traffic.sendKept(dsn, startedAt);
await traffic.sendTransactions(dsn, startedAt);
await traffic.sendOtlp(dsn, startedAt);
await traffic.sendEvent(dsn, traffic.builtError('built', startedAt - 60_000));
await server.drained();

const signIn = (): Promise<Response> =>
  fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(owner),
  });
// Two, so that one can end the other.
await signIn();
const signedIn = await signIn();
const cookie = signedIn.headers.getSetCookie().map((one) => one.split(';')[0]);
const recorder = new Recorder(url, operations, {
  cookie: cookie.join('; '),
  origin: url,
  'sec-fetch-site': 'same-origin',
});
const until = (what: string, test: () => Promise<boolean>): Promise<unknown> => server.until(what, test);
const made = await makeAll(recorder, { receiver: receiver.url, dsn, until });
await server.drained();
await keepSendAndErase(recorder, made, { receiver: receiver.url, until });
await connectAndLeaveSlack(recorder, workspace);
await readAll(recorder, made);
await changeAndDelete(recorder, made);
for (const { operationId, method } of operations)
  if (method !== 'get' && !recorder.has(operationId)) await recorder.call(operationId);

const stable = createStable({
  startedAt,
  kept: traffic.madeIds,
  replaced: [
    [url, 'https://culprit.example.com'],
    [`localhost:${server.port}`, 'culprit.example.com'],
    [`127.0.0.1:${server.port}`, 'culprit.example.com'],
    [server.url, 'https://culprit.example.com'],
    [workspace.apiUrl, 'https://slack.com/api'],
    [receiver.url, 'https://hooks.example.com'],
    [new URL(receiver.url).host, 'hooks.example.com'],
    [server.dataDir, '/var/lib/culprit'],
    [hostname(), 'node-1'],
  ],
});
const lines = recorder.lines(stable);
writeFileSync(file, lines);
const refused = recorder.refused();
console.log(
  `${operations.length} operations, ${refused.length} refused, ${lines.length} characters\n${refused.join('\n')}`,
);
