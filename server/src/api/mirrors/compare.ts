/** How another server groups the events that both have. */
import { CodedError } from '../../base/errors.ts';
import { parseAllowList } from '../../base/outbound/index.ts';
import { comparison as texts } from '../../base/texts/mirror.ts';
import { requests } from '../../base/texts/requests.ts';
import { apiUrl, compare, openTheirs, readOurs, usualSpan } from '../../domains/comparison/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { leavingOf } from '../shared/leaving.ts';
import { iso } from '../shared/read.ts';
import * as contract from './contract.ts';

export function compareRoute(api: Api): void {
  const { state, events, mirrors, config, getUrl } = api.deps;

  implement(api, contract.compareMirror, async ({ caller: { project }, body, reply }) => {
    const mirror = await mirrors.find(project.id);
    const url = apiUrl(body.url ?? mirror?.target?.base ?? '');
    const asked = body.project ?? mirror?.target?.projectId;
    if (url === undefined) throw new CodedError('INPUT_INVALID', [requests.field('url', texts.needed)]);
    if (asked === undefined) throw new CodedError('INPUT_INVALID', [requests.field('project', texts.needed)]);
    const span = usualSpan(
      body.since === undefined ? undefined : Date.parse(body.since),
      mirror?.createdAt,
      Date.now(),
    );
    const place = { url, token: body.token, allow: parseAllowList(config.outboundAllow), signal: leavingOf(reply) };
    const theirs = await openTheirs(place, { project: asked, organization: body.organization });
    const sides = { ours: readOurs({ state, events }, project, getUrl()), theirs };
    const { events: eventsPerIssue, issues, lookups } = body;
    const found = await compare(sides, span, { eventsPerIssue, issues, lookups });
    return {
      since: iso(span.sinceMs),
      until: iso(span.untilMs),
      ...found,
      groups: found.groups.map((group) => ({ ...group, ours: [...group.ours], theirs: [...group.theirs] })),
      missingHere: [...found.missingHere],
      missingThere: [...found.missingThere],
    };
  });
}
