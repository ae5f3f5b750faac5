/** What a restore of an older backup is told, so that the person does not come back with it. */
import type { TextBox } from '../../base/secrets/index.ts';
import { erase as texts } from '../../base/texts/erase.ts';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { listProjects } from '../projects/index.ts';
import { hashKeyOf } from './keys.ts';
import type { About } from './person.ts';
import { addRestored, type Erasure } from './requests.ts';
import { openSearch } from './rows.ts';
import { remove } from './run.ts';

/** Of whose organisation, and whom; the sealed detail of a deletion. */
interface ErasedPerson {
  readonly organizationId: string;
  readonly about: About;
}

/** In the transaction in which the request ends. */
export async function notePerson(
  trx: StateTransaction,
  box: TextBox,
  { id, organizationId, createdAt }: Pick<Erasure, 'id' | 'organizationId' | 'createdAt'>,
  about: About,
  now: number,
): Promise<void> {
  const person: ErasedPerson = { organizationId, about };
  await trx
    .insertInto('deletion')
    .values({
      kind: 'person',
      target_id: id,
      made_at: createdAt,
      deleted_at: now,
      detail: box.seal(JSON.stringify(person), texts.sealedAs(id)),
    })
    .execute();
}

/** Undefined where another key sealed it. */
function openErased(box: TextBox, id: number, detail: string): ErasedPerson | undefined {
  const text = box.open(detail, texts.sealedAs(id));
  return text === undefined ? undefined : (JSON.parse(text) as ErasedPerson);
}

/** Those that were erased since then, ms since the epoch, by any node. */
export async function erasedSince(
  { db }: State,
  box: TextBox,
  since: number,
): Promise<(ErasedPerson & { readonly id: number })[]> {
  const rows = await db
    .selectFrom('deletion')
    .select(['target_id', 'detail'])
    .where('kind', '=', 'person')
    .where('deleted_at', '>', since)
    .execute();
  return rows.flatMap(({ target_id: id, detail }) => {
    const person = openErased(box, Number(id), detail);
    return person ? [{ ...person, id: Number(id) }] : [];
  });
}

interface RestoredStores {
  readonly state: State;
  readonly events: Events;
  readonly blobs: Blobs;
}

/**
 * Erases people again in what was restored, which nobody else has open. What waits in its log is not stored yet: so each has
 * a request as well, which the server goes on with when it starts. May be broken off, and begun again.
 */
export async function eraseAgain(
  { state, events, blobs }: RestoredStores,
  box: TextBox,
  erased: readonly { readonly id: number; readonly detail: string }[],
): Promise<number> {
  let count = 0;
  for (const { id, detail } of erased) {
    const person = openErased(box, id, detail);
    if (!person) continue;
    const { organizationId, about } = person;
    const there = await state.db
      .selectFrom('organization')
      .select('id')
      .where('id', '=', organizationId)
      .executeTakeFirst();
    if (!there) continue;
    count++;
    const projectIds = (await listProjects(state, organizationId))
      .map((project) => project.id)
      .filter((projectId) => about.projectIds?.includes(projectId) ?? true);
    const search = await openSearch(events, { about, projectIds, key: hashKeyOf(about.key) });
    const { signal } = new AbortController();
    await remove(
      { state, events, blobs },
      { about, search, signal, organizationId, projectIds, alias: `${texts.erasedUser}:${id}`, onStep() {} },
    );
    await addRestored(state, box, person, texts.restored(id), Date.now());
  }
  return count;
}
