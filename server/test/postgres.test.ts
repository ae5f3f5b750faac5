/** The whole program with its state in PostgreSQL. */
import { expect, test } from 'vitest';
import { startPostgres } from '../src/ports/state/testing/postgres-server.ts';
import { culprit, envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

test('an event becomes an issue, which is resolved and regresses', async () => {
  await using postgres = await startPostgres();
  const database = await postgres.createDatabase();
  await using server = await Server.create({ CULPRIT_STATE_URL: database });
  const { dsn, organization } = server.installed;
  const send = () => fetch(envelopeUrl(dsn), { method: 'POST', body: errorEnvelope(newEventId()) });
  expect((await send()).status).toBe(200);
  const list = `/organizations/${organization}/issues/`;
  const issue = await server.until(
    'the issue',
    async () => (await server.api<{ id: string; shortId: string; status: string }[]>(list))[0],
  );
  expect(issue).toMatchObject({ shortId: 'WEB-1', status: 'unresolved' });
  await server.api(`${list}${issue.id}/`, { method: 'PUT', body: JSON.stringify({ status: 'resolved' }) });
  await send();
  await server.until('it regresses', async () => {
    const { status, substatus } = await server.api<{ status: string; substatus: string }>(`${list}${issue.id}/`);
    return status === 'unresolved' && substatus === 'regressed';
  });

  // A node that could not read what the first one seals.
  const dataDir = `${server.dataDir}/second`;
  const node = { CULPRIT_STATE_URL: database, CULPRIT_DATA_DIR: dataDir, CULPRIT_PORT: '0' };
  const refused = await culprit(['serve'], node);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/sealed with key .* Use the same key on every node.*KEY_OTHER/);
});
