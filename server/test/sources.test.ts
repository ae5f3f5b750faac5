/** Most tests of the whole program run its bundle; it runs from its sources as well. */
import { expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

test('from its sources, the engine and all threads included', async () => {
  await using server = await Server.create({}, { fromSources: true });
  const { dsn, organization, project } = server.installed;
  const id = newEventId();
  const answer = await fetch(envelopeUrl(dsn), { method: 'POST', body: errorEnvelope(id) });
  expect(answer.status).toBe(200);
  await server.drained();
  const event = await server.api<{ eventID: string }>(`/projects/${organization}/${project}/events/${id}/`);
  expect(event.eventID).toBe(id);
});
