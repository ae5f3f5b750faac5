/** What people make: everything that others can then be asked about. */
import { createHash } from 'node:crypto';
import { makeBundle, sha1 } from '../../server/src/domains/artifacts/testing/bundle.ts';
import { channelSecret } from '../data-dir/work.ts';
import { idOf } from '../data-dir/traffic.ts';
import type { Recorder } from './recorder.ts';

interface Named {
  readonly id: string;
}
export interface Around {
  readonly receiver: string;
  readonly dsn: string;
  readonly until: (what: string, test: () => Promise<boolean>) => Promise<unknown>;
}
export type Made = Readonly<Record<string, string>>;

const question = {
  dataset: 'spans',
  query: 'span.op:db',
  groupBy: ['span.description'],
  yAxis: ['count()'],
  statsPeriod: '14d',
};
const commit = {
  id: 'a'.repeat(40),
  repository: 'acme/shop',
  message: 'Count the items first',
  author_name: 'Mary',
  author_email: 'mary@example.com',
  patch_set: [{ path: 'src/checkout.js', type: 'M' }],
};

export async function makeAll(recorder: Recorder, { receiver, dsn, until }: Around): Promise<Made> {
  const call: Recorder['call'] = (id, given) => recorder.call(id, given);
  const project = await call<Named & { platform: string }>('getProject');
  const issues = await call<(Named & { title: string; shortId: string })[]>('listProjectIssues', {
    query: { query: '', statsPeriod: '30d', limit: '100' },
  });
  const issueOf = (word: string): string => issues.find(({ title }) => title.startsWith(word))?.id ?? '';
  const issue = issueOf('CheckoutError');

  await call('createTeam', { body: { name: 'Checkout', slug: 'checkout', projects: ['web'], members: [] } });
  const { inviteLink } = await call<{ inviteLink: string }>('inviteMember', {
    body: { email: 'mary@example.com', role: 'member' },
  });
  const invitation = inviteLink.replace(/\/$/, '').split('/').at(-1) ?? '';
  await call('getInvitation', { params: { token: invitation } });
  await call('acceptInvitation', {
    anonymous: true,
    params: { token: invitation },
    body: { name: 'Mary', password: 'another good phrase' },
  });
  const invited = await call<Named>('inviteMember', { body: { email: 'nina@example.com', role: 'member' } });
  const members = await call<(Named & { email: string })[]>('listMembers');
  const mary = members.find(({ email }) => email === 'mary@example.com')?.id ?? '';
  await call('joinTeam', { params: { id: mary, team: 'checkout' } });

  const channel = await call<Named>('createChannel', {
    body: { type: 'webhook', name: 'Hook', config: { url: `${receiver}/hook`, secret: channelSecret } },
  });
  const rule = await call<Named>('createAlertRule', {
    body: {
      kind: 'issue',
      name: 'New in the shop',
      projectIds: [project.id],
      channelIds: [channel.id],
      digestMinutes: 0,
      conditions: [{ type: 'new_issue' }],
    },
  });
  const metric = {
    kind: 'metric',
    name: 'Many errors',
    projectIds: [project.id],
    channelIds: [channel.id],
    metric: {
      dataset: 'errors',
      aggregate: 'count()',
      minutes: 60,
      comparison: { type: 'static' },
      direction: 'above',
      warning: null,
      critical: 1,
      resolve: null,
      noData: 'ok',
    },
  } as const;
  const counted = await call<Named>('createAlertRule', { body: metric });
  const preview = await call<{ id: string; preview?: string }>('previewAlertRule', { body: metric });

  const repository = await call<Named>('createRepository', {
    body: { provider: 'github', url: 'https://github.com/acme/shop' },
  });
  const mapping = await call<Named>('createCodeMapping', {
    body: { project: 'web', repoId: repository.id, stackRoot: '/app/', sourceRoot: '', defaultBranch: 'main' },
  });
  for (const version of ['shop@1.0.0', 'shop@1.1.0']) {
    await call('createRelease', {
      body: {
        version,
        projects: ['web'],
        commits: [{ ...commit, id: (version === 'shop@1.0.0' ? 'a' : 'b').repeat(40) }],
      },
    });
    await call('createDeploy', { params: { version }, body: { environment: 'production', name: version } });
  }
  await call('createProjectRelease', { body: { version: 'shop@1.2.0-rc', ref: 'c'.repeat(40) } });
  await call('updateOwnership', { body: { raw: 'path:src/stock* #checkout\n' } });
  const codeowners = await call<Named>('createCodeowners', {
    body: { raw: '/src/mail.js mary@example.com\n', repositoryId: repository.id },
  });

  const search = await call<Named>('createSearch', {
    body: { name: 'New ones', query: 'is:unresolved release:shop@1.1.0', visibility: 'organization', isPinned: true },
  });
  await call('noteRecentSearch', { body: { query: 'stock' } });
  const saved = await call<Named>('saveQuestion', { body: { name: 'Queries', question } });
  const watch = await call<Named>('createDigestWatch', { body: { digest: '42424242' } });
  const exported = await call<Named>('startExport', {
    body: { format: 'csv', question: { dataset: 'errors', field: ['id', 'title'], statsPeriod: '14d' } },
  });

  const comment = await call<Named>('addComment', { params: { issue }, body: { text: 'Who counts the **items**?' } });
  const note = await call<Named>('addNote', {
    params: { issue },
    body: { text: 'The basket was emptied by the timer.' },
  });
  const other = await call<Named>('addOrganizationNote', { params: { issue }, body: { text: 'Seen on Monday, too.' } });
  const { shareId } = await call<{ shareId: string }>('updateIssue', {
    params: { issue: issueOf('RenderError') },
    body: { isPublic: true, assignedTo: 'team:checkout' },
  });
  await call('updateOrganizationIssue', {
    params: { issue: issueOf('MailError') },
    body: { status: 'resolved', statusDetails: { inRelease: 'shop@1.1.0' } },
  });
  await call('updateOrganizationIssue', { params: { issue: issueOf('NoiseError') }, body: { discard: true } });
  const { shortId = '' } = issues.find(({ id }) => id === issue) ?? {};

  const told = await call<Named>('createWorkflow', {
    body: {
      name: 'Often',
      detectorIds: [project.id],
      config: { frequency: 30 },
      triggers: {
        logicType: 'any-short',
        conditions: [{ type: 'event_frequency_count', comparison: { value: 100, interval: '1hr' } }],
      },
      actionFilters: [
        {
          logicType: 'all',
          conditions: [{ type: 'level', comparison: { level: 40, match: 'gte' } }],
          actions: [{ type: 'webhook', config: { targetIdentifier: channel.id } }],
        },
      ],
    },
  });
  const measured = await call<Named>('createDetector', {
    body: {
      name: 'Many errors',
      type: 'metric_issue',
      dataSources: [{ dataset: 'errors', aggregate: 'count()', query: 'level:error', timeWindow: 3600 }],
      config: { detectionType: 'static' },
      conditionGroup: { logicType: 'any', conditions: [{ type: 'gt', comparison: 1000, conditionResult: 75 }] },
    },
  });
  const build = await call<Named>('createOrganizationToken', { body: { name: 'builds' } });
  const token = await call<Named>('createToken', { body: { name: 'CI', kind: 'organization' } });
  const key = await call<Named>('createKey', { body: { name: 'Staging', rateLimit: { window: 60, count: 1000 } } });
  await call('addProjectAlias', { body: { alias: '4711' } });
  await call('createProject', { body: { name: 'API', platform: 'node' } });
  await call('createTeamProject', { params: { team: 'checkout' }, body: { name: 'Mail', platform: 'python' } });
  const quota = await call<Named>('createQuota', { body: { category: 'error', period: 'month', amount: 1_000_000 } });
  const scim = await call<Named>('createScimToken', { body: { name: 'Directory' } });
  const provider = await call<Named>('createSignInProvider', {
    body: {
      kind: 'github',
      name: 'GitHub',
      settings: { clientId: 'Iv1.acme', clientSecret: 'not-a-real-one', organization: 'acme' },
    },
  });
  const { pathname } = new URL(dsn);
  const target = `http://${'0'.repeat(32)}@${new URL(receiver).host}${pathname}`;
  await call('setMirror', { body: { dsn: target, enabled: false } });
  const grouping = await call<{ id: string }>('startGroupingPreview', {
    body: { fingerprintingRules: 'error.type:StockError -> stock', statsPeriod: '14d' },
  });
  await call('createOrganization', { body: { name: 'Acme Labs' } });

  const bundle = makeBundle([{ name: 'shop.js', debugId: '5f0c2f6e-3c57-4a0e-9a3b-0d5a3c1b2e4f' }]);
  const checksum = sha1(bundle);
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(bundle)]), checksum);
  await call('postChunks', { form });
  const assembled = { checksum, chunks: [checksum], projects: ['web'], version: 'shop@1.1.0' };
  await until('the bundle to be indexed', async () => {
    const { state } = await call<{ state: string }>('assembleBundle', { body: assembled });
    return state === 'ok';
  });
  await call('assembleDebugFiles', {
    body: {
      [createHash('sha1').update('none').digest('hex')]: {
        name: 'libshop.so',
        debug_id: '5f0c2f6e-3c57-4a0e-9a3b-0d5a3c1b2e4f',
        chunks: [checksum],
      },
    },
  });
  await until('the export', async () => {
    const { status } = await call<{ status: string }>('getExport', { params: { export: exported.id } });
    return status === 'done';
  });
  await until('the alert', async () => {
    const { length } = await call<unknown[]>('listAlertFirings');
    return length > 0;
  });
  const deliveries = await call<readonly Named[] | { readonly deliveries: readonly Named[] }>('listDeliveries');
  const delivery = ('deliveries' in deliveries ? deliveries.deliveries : deliveries)[0]?.id ?? '';
  return {
    delivery,
    projectId: project.id,
    issue,
    shortId,
    shareId,
    mary,
    invited: invited.id,
    channel: channel.id,
    rule: rule.id,
    counted: counted.id,
    alertPreview: preview.preview ?? preview.id,
    groupingPreview: grouping.id,
    repository: repository.id,
    mapping: mapping.id,
    codeowners: codeowners.id,
    search: search.id,
    saved: saved.id,
    watch: watch.id,
    export: exported.id,
    comment: comment.id,
    note: note.id,
    otherNote: other.id,
    token: token.id,
    told: told.id,
    measured: measured.id,
    build: build.id,
    key: key.id,
    quota: quota.id,
    scim: scim.id,
    provider: provider.id,
    checksum,
    withFiles: idOf('with files'),
    ...Object.fromEntries(
      ['StockError', 'ImageError', 'SearchError', 'MailError', 'UploadError'].map((word) => [word, issueOf(word)]),
    ),
  };
}
