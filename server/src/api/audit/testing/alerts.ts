/** What is done with alert rules, channels and tokens. For the test of the audit log. */
import { org } from '../../teams/testing.ts';
import type { Deeds, Made } from './deeds.ts';

export async function alertsAndTokens(deeds: Deeds): Promise<void> {
  const { does } = deeds;
  const rule = await does<Made>('createAlertRule', 'POST', `${org}/alert-rules/`, {
    kind: 'issue',
    name: 'Often',
    conditions: [{ type: 'new_issue' }],
  });
  await does('updateAlertRule', 'PUT', `${org}/alert-rules/${rule.id}/`, { name: 'Seldom' });
  await does('muteAlertRule', 'POST', `${org}/alert-rules/${rule.id}/mute/`, { minutes: 60, for: 'everyone' });
  await does('deleteAlertRule', 'DELETE', `${org}/alert-rules/${rule.id}/`);
  await rulesOfClients(deeds);
  await tokensOfClients(deeds);
  const url = 'https://hooks.slack.com/services/T0/B0/abcdefgh';
  const channel = await does<Made>('createChannel', 'POST', `${org}/channels/`, {
    type: 'slack',
    name: 'Ops',
    config: { url },
  });
  await does('updateChannel', 'PUT', `${org}/channels/${channel.id}/`, {
    name: 'Ops 2',
    config: { url: `${url}ij` },
  });
  await does('deleteChannel', 'DELETE', `${org}/channels/${channel.id}/`);
  const token = await does<Made & { token: string }>('createToken', 'POST', `${org}/api-tokens/`, {
    name: 'for a test',
    scopes: ['event:read'],
  });
  await does('deleteToken', 'DELETE', `${org}/api-tokens/${token.id}/`);
}

/** Of clients of Sentry, by its words. */
async function rulesOfClients({ does }: Deeds): Promise<void> {
  const [workflows, detectors] = [`${org}/workflows/`, `${org}/detectors/`];
  const triggers = { logicType: 'any-short', conditions: [{ type: 'first_seen_event', comparison: true }] };
  const workflow = await does<Made>('createWorkflow', 'POST', workflows, { name: 'Told', triggers });
  await does('updateWorkflow', 'PUT', `${workflows}${workflow.id}/`, { name: 'Told again' });
  await does('updateWorkflows', 'PUT', `${workflows}?id=${workflow.id}`, { enabled: false });
  await does('deleteWorkflow', 'DELETE', `${workflows}${workflow.id}/`);
  await does<Made>('createWorkflow', 'POST', workflows, { name: 'Told once', triggers });
  await does('deleteWorkflows', 'DELETE', `${workflows}?query=once`);
  const conditions = [{ type: 'gt', comparison: 10, conditionResult: 75 }];
  const metric = {
    name: 'Many',
    dataSources: [{ dataset: 'errors', aggregate: 'count()', timeWindow: 3600 }],
    conditionGroup: { logicType: 'any', conditions },
  };
  const makes = `${org}/projects/web/detectors/`;
  const detector = await does<Made>('createDetector', 'POST', makes, metric);
  await does('updateDetector', 'PUT', `${detectors}${detector.id}/`, { name: 'Too many' });
  await does('updateDetectors', 'PUT', `${detectors}?id=${detector.id}`, { enabled: false });
  await does('deleteDetector', 'DELETE', `${detectors}${detector.id}/`);
  await does<Made>('createDetector', 'POST', makes, { ...metric, name: 'Many at once' });
  await does('deleteDetectors', 'DELETE', `${detectors}?query=once`);
}

async function tokensOfClients({ api, does }: Deeds): Promise<void> {
  const url = `${org}/org-auth-tokens/`;
  const made = await does<Made>('createOrganizationToken', 'POST', url, { name: 'ci' }, api.admin);
  await does('deleteOrganizationToken', 'DELETE', `${url}${made.id}/`, undefined, api.admin);
}
