/** The brief of an issue. */
import { makeBrief, writeBrief } from '../../domains/brief/index.ts';
import * as contract from './contract.ts';
import { type Api, type Call, implement } from '../shared/implement.ts';
import { briefFacts } from './gather.ts';

type BriefCall = Pick<Call<typeof contract.getIssueBrief>, 'caller' | 'query' | 'reply'>;

export function briefRoutes(api: Api): void {
  const answer = async ({ caller: { issue, project, membership }, query, reply }: BriefCall) => {
    const { event: which, environment: environments, format } = query;
    const brief = makeBrief(await briefFacts(api.deps, { issue, project, membership, which, environments }));
    if (format === 'json') return brief;
    void reply.type('text/markdown; charset=utf-8');
    return writeBrief(brief);
  };
  implement(api, contract.getIssueBrief, async (call) => answer(call));
  implement(api, contract.getOrganizationIssueBrief, async (call) => answer(call));
}
