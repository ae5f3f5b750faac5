/** Who gets very many issues at once is told so in one message. */
import type { AssignedTo, BulkJob } from '../index.ts';
import { enqueue } from '../../notify/index.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { peopleOf } from '../../teams/index.ts';
import * as texts from '../../../base/texts/notifications.ts';

/** `url` is the public address, without a trailing slash. */
export async function notifyAssignees(
  trx: StateTransaction,
  { id, organizationId, userId, changed }: BulkJob,
  to: AssignedTo,
  url: string,
): Promise<void> {
  if (!changed) return;
  const { members, teams } = await peopleOf({ db: trx }, organizationId);
  const people = to.kind === 'user' ? [to.id] : (teams.find((team) => team.id === to.id)?.members ?? []);
  const actor = members.find((member) => member.userId === userId)?.name ?? 'Someone';
  for (const person of people) {
    if (person === userId) continue;
    await enqueue(trx, {
      key: `bulk:${id}:${person}`,
      organizationId,
      to: { userId: person },
      notification: {
        kind: 'assigned',
        severity: 'info',
        title: texts.notifications.bulkAssigned(actor, changed),
        text: '',
        url: `${url}/issues?q=${encodeURIComponent('is:unresolved assigned:[me, my_teams]')}`,
        fields: [],
        groupKey: `bulk:${id}`,
      },
    });
  }
}
