/** What is done with searches, exports, issues, their files and erasures. For the test of the audit log. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { org } from '../../teams/testing.ts';
import { type Deeds, eventId, type Made, project } from './deeds.ts';

export async function searchesAndExports({ api, does }: Deeds): Promise<void> {
  const shared = { query: 'level:error', visibility: 'organization' };
  const search = await does<Made>('createSearch', 'POST', `${org}/searches/`, { name: 'Errors', ...shared });
  await does('updateSearch', 'PUT', `${org}/searches/${search.id}/`, { name: 'Errors 2' });
  await does('deleteSearch', 'DELETE', `${org}/searches/${search.id}/`);
  const question = { dataset: 'errors', query: '', field: ['level', 'count()'] };
  const saved = await does<Made>('saveQuestion', 'POST', `${org}/explore/saved/`, {
    name: 'Levels',
    visibility: 'organization',
    question,
  });
  await does('updateSavedQuestion', 'PUT', `${org}/explore/saved/${saved.id}/`, { name: 'Levels 2' });
  await does('deleteSavedQuestion', 'DELETE', `${org}/explore/saved/${saved.id}/`);
  const job = await does<Made>('startExport', 'POST', `${org}/data-export/`, {
    format: 'csv',
    question: { ...question, statsPeriod: '24h' },
  });
  while ((await api.get<{ status: string }>(`${org}/data-export/${job.id}/`)).status !== 'done') await delay(20);
  await does('getExport', 'GET', `${org}/data-export/${job.id}/?download=true`);
}

export async function issuesAndFiles({ api, does, issueIds }: Deeds): Promise<void> {
  const one = issueIds.get('one') ?? '';
  const made = await does<{ shareId?: string }>('updateIssue', 'PUT', `/api/0/issues/${one}/`, { isPublic: true });
  const link = made.shareId ?? '';
  await does('getSharedIssue', 'GET', `/api/0/shared/issues/${link}/`);
  // Within the hour only once of an address, whichever way.
  await api.state.db.selectFrom('issue').select('id').execute();
  await does('updateOrganizationIssue', 'PUT', `${org}/issues/${one}/`, { isPublic: false });
  await does('updateOrganizationIssues', 'PUT', `${org}/issues/?id=${one}`, { isPublic: true });
  const shared = await api.get<{ shareId: string }>(`/api/0/issues/${one}/`);
  await does('getOrganizationSharedIssue', 'GET', `${org}/shared/issues/${shared.shareId}/`);
  await does('updateProjectIssues', 'PUT', `${project}/issues/?id=${one}`, { isPublic: false });
  const removed = await does<{ undo: { id: string } }>('deleteIssue', 'DELETE', `/api/0/issues/${one}/`);
  await does('undoBulk', 'POST', `${org}/issues/bulk/${removed.undo.id}/undo/`);
  await does('deleteOrganizationIssue', 'DELETE', `${org}/issues/${issueIds.get('two')}/`);
  await does('deleteOrganizationIssues', 'DELETE', `${org}/issues/?id=${issueIds.get('three')}`);
  await does('deleteProjectIssues', 'DELETE', `${project}/issues/?id=${issueIds.get('four')}`);
  await does('startBulk', 'POST', `${org}/issues/bulk/`, { query: 'five', change: { delete: true } });
  const [row] = await api.state.db
    .insertInto('tombstone')
    .values({
      project_id: api.projectId,
      number: 99,
      metadata: '{}',
      title: 'gone',
      culprit: '',
      level: 'error',
      type: 'error',
      user_id: null,
      created_at: Date.now(),
    })
    .returning('id')
    .execute();
  await does('deleteTombstone', 'DELETE', `${project}/tombstones/${row?.id}/`);
  const files = await api.get<Made[]>(`${project}/events/${eventId}/attachments/`);
  await does('deleteAttachment', 'DELETE', `${project}/events/${eventId}/attachments/${files[0]?.id}/`);
  const { feedback } = await api.get<{ feedback: Made[] }>(`${org}/feedback/`);
  await does('deleteFeedback', 'DELETE', `${org}/feedback/${feedback[0]?.id}/`);
}

export async function theErasures({ api, does, itemOf }: Deeds): Promise<void> {
  const hold = '/api/0/projects/acme/web/hold/';
  await does('setProjectHold', 'PUT', hold, { reason: 'Case 7' });
  await does('deleteProjectHold', 'DELETE', hold);
  const list = `${org}/erasures/`;
  const event = { project: 'web', id: 'e'.repeat(32) };
  const kept = itemOf({
    item_type: 'attachment',
    category: 'attachment',
    event_id: event.id,
    size_bytes: 5,
    payload: 'hello',
  });
  await api.events.insert('items', [kept as never], 'of the event to be erased');
  const other = await does<Made>('startErasure', 'POST', list, { event, reference: 'PRIV-1' });
  await does('cancelErasure', 'DELETE', `${list}${other.id}/`);
  const { id } = await does<Made>('startErasure', 'POST', list, { event, reference: 'PRIV-2' });
  const found = (): Promise<void> =>
    expect
      .poll(
        () => api.state.db.selectFrom('erasure').select(['state', 'detail']).where('id', '=', Number(id)).execute(),
        {
          timeout: 60_000,
        },
      )
      .toMatchObject([{ state: 'found' }]);
  await found();
  await does('exportErasure', 'POST', `${list}${id}/export/`);
  await found();
  await does('getErasureFile', 'GET', `${list}${id}/file/`);
  await does('confirmErasure', 'POST', `${list}${id}/erase/`, { confirm: event.id });
}
