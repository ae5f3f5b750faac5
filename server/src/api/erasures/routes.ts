/** Finding, exporting and erasing what is stored of a person or an event. */
import { CodedError } from '../../base/errors.ts';
import { things } from '../../base/texts/things.ts';
import type { Membership } from '../../domains/accounts/index.ts';
import {
  addErasure,
  checkConfirmed,
  type Erasure,
  findErasure,
  listErasures,
  moveErasure,
  personFileKey,
  readAsked,
} from '../../domains/erase/index.ts';
import { seenProjects } from '../../domains/projects/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import * as contract from './contract.ts';
import { toCertificate, toErasure } from './shapes.ts';

export function erasureRoutes(api: Api): void {
  const { state, blobs, eraser } = api.deps;
  if (!blobs || !eraser) return;
  const { box } = eraser;

  const one = async ({ organizationId }: Membership, id: string): Promise<Erasure> => {
    const found = await findErasure(state, organizationId, Number(id));
    if (!found) throw new CodedError('NOT_FOUND', [things.erasure(id)]);
    return found;
  };

  /** As it is told: never by whom it is about. */
  const told = ({ id, reference }: Erasure) => ({ id, name: reference });

  implement(api, contract.startErasure, async ({ caller: { membership, identity }, body, recorded }) => {
    const about = readAsked(body, await seenProjects(state, membership));
    const owner = { organizationId: membership.organizationId, userId: identity.userId };
    const what = { about, reference: body.reference };
    const made = await recorded(async (inside, note) => {
      const added = await addErasure(inside, box, owner, what, Date.now());
      note(told(added), { details: { kinds: about.event ? ['event'] : about.person.map(({ kind }) => kind) } });
      return added;
    });
    eraser.wake();
    return toErasure(made);
  });

  implement(api, contract.listErasures, async ({ caller: { membership } }) =>
    (await listErasures(state, membership.organizationId)).map(toErasure),
  );

  implement(api, contract.getErasure, async ({ caller: { membership }, params: { erasure } }) =>
    toErasure(await one(membership, erasure)),
  );

  implement(api, contract.exportErasure, async ({ caller: { membership }, params: { erasure }, recorded }) => {
    const found = await one(membership, erasure);
    await recorded(async (inside, note) => {
      if (!(await moveErasure(inside, found, ['found'], 'exporting', Date.now())))
        throw new CodedError('ERASURE_STATE', [found.state]);
      note(told(found));
    });
    eraser.wake();
    return toErasure(await one(membership, erasure));
  });

  implement(api, contract.getErasureFile, async ({ caller: { membership }, params: { erasure }, reply, recorded }) => {
    const found = await one(membership, erasure);
    const stream = found.fileBytes > 0 ? await blobs.stream(personFileKey(found)) : undefined;
    if (!stream) throw new CodedError('NOT_FOUND', [things.fileOfExport(erasure, found.state)]);
    await recorded(async (_, note) => note(told(found)));
    void reply.header('content-type', 'application/x-ndjson; charset=utf-8');
    void reply.header('content-disposition', `attachment; filename="person-${found.id}.jsonl"`);
    return reply.send(stream) as never;
  });

  implement(api, contract.confirmErasure, async ({ caller: { membership }, params: { erasure }, body, recorded }) => {
    const found = await one(membership, erasure);
    await checkConfirmed(state, box, found, body.confirm);
    await recorded(async (inside, note) => {
      if (!(await moveErasure(inside, found, ['found'], 'removing', Date.now())))
        throw new CodedError('ERASURE_STATE', [found.state]);
      note(told(found));
    });
    eraser.wake();
    return toErasure(await one(membership, erasure));
  });

  implement(api, contract.cancelErasure, async ({ caller: { membership }, params: { erasure }, recorded }) => {
    const found = await one(membership, erasure);
    await recorded(async (inside, note) => {
      if (!(await moveErasure(inside, found, ['finding', 'found', 'exporting'], 'cancelled', Date.now())))
        throw new CodedError('ERASURE_STATE', [found.state]);
      note(told(found));
    });
    await blobs.delete(personFileKey(found));
  });

  implement(api, contract.getCertificate, async ({ caller: { membership }, params: { erasure } }) => {
    const { certificate, state: status } = await one(membership, erasure);
    if (!certificate) throw new CodedError('ERASURE_STATE', [status]);
    return toCertificate(certificate);
  });
}
