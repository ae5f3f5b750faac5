import { expect, test } from 'vitest';
import { type RequestedStatus, readStatusChange } from './read-status.ts';

const now = Date.UTC(2026, 0, 5);
const read = (requested: RequestedStatus) => readStatusChange(requested, now);

test.each<[RequestedStatus, object]>([
  [{ status: 'resolved' }, { kind: 'resolve' }],
  [{ status: 'resolved', statusDetails: { inNextRelease: false } }, { kind: 'resolve' }],
  [{ status: 'resolved', statusDetails: { inNextRelease: true } }, { kind: 'resolve_in_next_release' }],
  [{ status: 'resolvedInNextRelease' }, { kind: 'resolve_in_next_release' }],
  [
    { status: 'resolved', statusDetails: { inRelease: 'web@2' } },
    { kind: 'resolve_in_release', release: 'web@2' },
  ],
  [
    { status: 'resolved', statusDetails: { inCommit: { commit: 'c0ffee1' } } },
    { kind: 'resolve_in_commit', commit: 'c0ffee1', repository: '' },
  ],
  [{ status: 'unresolved' }, { kind: 'reopen' }],
  [{ status: 'unresolved', substatus: 'ongoing' }, { kind: 'review' }],
  [{ status: 'archived' }, { kind: 'archive_forever' }],
  [{ status: 'ignored', substatus: 'archived_forever' }, { kind: 'archive_forever' }],
  [{ status: 'ignored', substatus: 'archived_until_escalating' }, { kind: 'archive_until_escalating' }],
  [
    { status: 'ignored', statusDetails: { ignoreCount: 5, ignoreWindow: 60 } },
    { kind: 'archive_until_condition_met', condition: { ignoreCount: 5, ignoreWindow: 60 } },
  ],
  [
    { status: 'ignored', substatus: 'archived_until_condition_met', statusDetails: { ignoreUserCount: 2 } },
    { kind: 'archive_until_condition_met', condition: { ignoreUserCount: 2 } },
  ],
  [
    { status: 'ignored', statusDetails: { ignoreUntil: new Date(now + 90 * 60_000).toISOString() } },
    { kind: 'archive_until_condition_met', condition: { ignoreDuration: 90 } },
  ],
])('%j', (requested, change) => expect(read(requested)).toEqual(change));

test.each<[RequestedStatus, RegExp]>([
  [{ status: 'resolved', statusDetails: { inNextRelease: true, inRelease: 'web@2' } }, /use one of/],
  [{ status: 'ignored', substatus: 'archived_until_condition_met' }, /use ignoreDuration/],
  [{ status: 'ignored', statusDetails: { ignoreUntil: new Date(now).toISOString() } }, /in the future/],
  [{ status: 'ignored', statusDetails: { ignoreUntil: 'soon' } }, /in the future/],
])('refused: %j', (requested, why) => expect(() => read(requested)).toThrow(why));
