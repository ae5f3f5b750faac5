/** What a rule that is not kept yet would have told, and rules that may be wanted. */
import * as alerts from '../../domains/alerts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { type Api, implement } from '../shared/implement.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { createRuleAccess, projectNamed } from './rule-access.ts';
import { sentenceFor, toAlertPreview, toDefinition, toRequest } from './shapes.ts';

/** Who asks for a preview waits so long before it goes on by itself. */
const previewWaitMs = 900;

export function alertPreviewRoutes(api: Api): void {
  const previews = api.deps.alertPreviews;
  const { placeOf, narrowed, check } = createRuleAccess(api.deps);

  implement(api, contract.previewAlertRule, async ({ caller, body }) => {
    const rule = await narrowed(caller, toDefinition(body));
    await check(caller, rule);
    const preview = await previews.start(caller.membership.organizationId, rule, previewWaitMs);
    return toAlertPreview(preview, await placeOf(caller.membership));
  });

  implement(api, contract.getAlertPreview, async ({ caller: { membership }, params }) => {
    const preview = await previews.find(membership.organizationId, params.preview);
    if (!preview) throw new CodedError('NOT_FOUND', [things.preview(params.preview)]);
    return toAlertPreview(preview, await placeOf(membership));
  });

  implement(api, contract.cancelAlertPreview, async ({ caller: { membership }, params }) => {
    if (!(await previews.cancel(membership.organizationId, params.preview))) {
      throw new CodedError('NOT_FOUND', [things.preview(params.preview)]);
    }
  });

  implement(api, contract.suggestAlertRules, async ({ caller: { membership }, query }) => {
    const place = await placeOf(membership);
    const channel = place.channels.find((one) => one.enabled);
    const project = query.project ? projectNamed(place.projects, query.project) : undefined;
    return alerts
      .suggestionsFor(project, channel ? [channel.id] : [])
      .map(({ rule, ...one }) => ({ ...one, sentence: sentenceFor(rule, place), rule: toRequest(rule) }));
  });
}
