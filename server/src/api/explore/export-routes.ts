/** Results of Explore as files, made in the background. */
import type { z } from 'zod';
import type { Identity, Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { exactTimeRange } from '../../base/time-range.ts';
import { chooseProjects } from '../../domains/named-search/index.ts';
import { sees } from '../../domains/projects/index.ts';
import * as explore from '../../domains/explore/index.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './export-contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { fileNameOf, toDataExport } from './export-shapes.ts';
import { readScope } from './routes.ts';
import { isId } from './saved-routes.ts';

interface Caller {
  readonly membership: Membership;
  readonly identity: Identity;
}

/** What was written is of all these, whatever its owner sees by now. */
const isSeen = ({ projectIds }: explore.ExportJob, { membership }: Caller): boolean =>
  projectIds.every((id) => sees(membership, id));

const contentTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const;

export function exportRoutes(api: Api): void {
  const { state, blobs, exporter } = api.deps;
  if (!blobs || !exporter) return;

  const ownerOf = ({ membership, identity }: Caller): explore.ExportOwner => ({
    organizationId: membership.organizationId,
    userId: identity.userId,
  });
  const jobOf = async (caller: Caller, id: string): Promise<explore.ExportJob> => {
    const job = isId(id) ? await explore.findExport(state, ownerOf(caller), Number(id)) : undefined;
    if (!job || !isSeen(job, caller)) throw new CodedError('NOT_FOUND', [things.export(id)]);
    return job;
  };

  const checkQuestion = async (caller: Caller, { dataset, ...question }: z.output<typeof contract.ExportQuestion>) => {
    if (explore.isRowExport(dataset)) {
      explore.checkRows({ ...question, dataset });
      exactTimeRange(question, Date.now());
      return { projects: await chooseProjects(state, caller.membership, question.project), isGrouped: false };
    }
    const { scope, projects } = await readScope(api, caller.membership, { ...question, dataset });
    const { isGrouped } = explore.readTable(scope, question);
    return { projects, isGrouped };
  };

  implement(api, contract.startExport, async ({ caller, body: { format, question }, recorded }) => {
    const { projects, isGrouped } = await checkQuestion(caller, question);
    const projectIds = projects.map((one) => one.id);
    const what = { format, question, projectIds, limit: explore.exportLimitOf(isGrouped) };
    const id = await recorded(async (inside, note) => {
      const made = await explore.addExport(inside, ownerOf(caller), what, Date.now());
      const { dataset, query } = question;
      const details = { dataset, format, query, projects: projects.map(({ slug }) => slug) };
      note({ id: made, name: dataset }, { details });
      return made;
    });
    exporter.wake();
    return toDataExport(await jobOf(caller, String(id)), Date.now());
  });

  implement(api, contract.listExports, async ({ caller }) => {
    const nowMs = Date.now();
    const jobs = await explore.listExports(state, ownerOf(caller));
    return jobs.filter((job) => isSeen(job, caller)).map((job) => toDataExport(job, nowMs));
  });

  implement(api, contract.getExport, async ({ caller, params, query, reply, recorded }) => {
    const job = await jobOf(caller, params.export);
    const shown = toDataExport(job, Date.now());
    if (query.download !== 'true' && query.download !== '1') {
      await reply.type('application/json').send(shown);
      return;
    }
    const file = shown.status === 'done' ? await blobs.stream(explore.exportKey(job)) : undefined;
    if (!file) throw new CodedError('NOT_FOUND', [things.fileOfExport(params.export, shown.status)]);
    await recorded(async (_inside, note) =>
      note({ id: job.id, name: fileNameOf(job) }, { action: 'export.download', details: { format: job.format } }),
    );
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
