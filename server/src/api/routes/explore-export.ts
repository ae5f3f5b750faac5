/** Results of Explore as files, made in the background. */
import type { Identity, Membership } from '../../accounts/index.ts';
import { CodedError } from '../../errors.ts';
import * as explore from '../../explore/index.ts';
import { createFailures } from '../../self/index.ts';
import * as contract from '../contract/explore-export.ts';
import { type Api, implement } from '../implement.ts';
import { fileNameOf, toDataExport } from '../shapes/explore-export.ts';
import { readScope } from './explore.ts';
import { isId } from './explore-saved.ts';

interface Caller {
  readonly membership: Membership;
  readonly identity: Identity;
}

const contentTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const;

export function exportRoutes(api: Api): void {
  const { state, events, blobs, failures = createFailures({ logger: api.app.log }) } = api.deps;
  if (!blobs) return;
  const exporter = explore.openExporter({ state, events, blobs, failures });
  // While the stores are open still.
  api.app.addHook('preClose', () => exporter[Symbol.asyncDispose]());

  const ownerOf = ({ membership, identity }: Caller): explore.ExportOwner => ({
    organizationId: membership.organizationId,
    userId: identity.userId,
  });
  const jobOf = async (caller: Caller, id: string): Promise<explore.ExportJob> => {
    const job = isId(id) ? await explore.findExport(state, ownerOf(caller), Number(id)) : undefined;
    if (!job) throw new CodedError('NOT_FOUND', [`export ${id}`]);
    return job;
  };

  implement(api, contract.startExport, async ({ caller, body: { format, question } }) => {
    const { scope, projects } = await readScope(api, caller.membership, question);
    const { isGrouped } = explore.readTable(scope, question);
    const id = await explore.addExport(
      state,
      ownerOf(caller),
      { format, question, projectIds: projects.map((one) => one.id), limit: explore.exportLimitOf(isGrouped) },
      scope.nowMs,
    );
    exporter.wake();
    return toDataExport(await jobOf(caller, String(id)), Date.now());
  });

  implement(api, contract.listExports, async ({ caller }) => {
    const nowMs = Date.now();
    return (await explore.listExports(state, ownerOf(caller))).map((job) => toDataExport(job, nowMs));
  });

  implement(api, contract.getExport, async ({ caller, params, query, reply }) => {
    const job = await jobOf(caller, params.export);
    const shown = toDataExport(job, Date.now());
    if (query.download !== 'true' && query.download !== '1') {
      await reply.type('application/json').send(shown);
      return;
    }
    const file = shown.status === 'done' ? await blobs.stream(explore.exportKey(job)) : undefined;
    if (!file) throw new CodedError('NOT_FOUND', [`the file of export ${params.export}, which is ${shown.status}`]);
    await reply
      .type(contentTypes[job.format])
      .header('content-length', String(job.bytes))
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', `attachment; filename="${fileNameOf(job)}"`)
      .send(file);
  });

  implement(api, contract.cancelExport, async ({ caller, params }) => {
    await exporter.cancel(await jobOf(caller, params.export));
  });
}
