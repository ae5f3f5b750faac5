/** What people change, and then delete: what was made and read before. */
import { setTimeout as delay } from 'node:timers/promises';
import { channelSecret } from '../data-dir/work.ts';
import { createAuthenticator } from '../../server/src/domains/accounts/testing/authenticator.ts';
import { timeCode } from './time-code.ts';
import { idOf } from '../data-dir/traffic.ts';
import { owner } from '../../server/test/harness.ts';
import type { Made } from './makes.ts';
import type { Call, Recorder } from './recorder.ts';

export async function changeAndDelete(recorder: Recorder, made: Made): Promise<void> {
  const call = <T = Record<string, string>>(id: string, given?: Call): Promise<T> => recorder.call<T>(id, given);
  const of = (name: string): string => made[name] ?? '';
  const { issue = '' } = made;

  for (const [id, given] of changes(of)) await call(id, given);

  const live = call('getLive');
  await call('updateIssue', {
    params: { issue: of('ImageError') },
    body: { priority: 'low', eventLimit: { events: 100, per: 'hour' } },
  });
  await call('updateIssue', { params: { issue: of('ImageError') }, body: { status: 'resolved' } });
  await live;

  // Issues: moved together, apart again, and changed many at once.
  const inIssue = { params: { issue } };
  await call('updateOrganizationIssues', { query: { id: [issue, of('SearchError')] }, body: { merge: true } });
  await call('updateProjectIssues', { query: { id: of('UploadError') }, body: { priority: 'high' } });
  await call('listIssueMerges', inIssue);
  await call('takeBackMerge', { params: { issue, child: of('SearchError') } });
  for (const [id, child] of [
    ['takeBackOrganizationMerge', 'SearchError'],
    ['takeBackMerges', 'ImageError'],
    ['takeBackOrganizationMerges', 'ImageError'],
  ] as const) {
    await call('updateOrganizationIssues', { query: { id: [issue, of(child)] }, body: { merge: true } });
    await call(id, { params: { issue, child: of(child) }, query: id.endsWith('s') ? { id: of(child) } : {} });
  }
  for (const id of ['moveOutHashes', 'moveOutOrganizationHashes']) {
    const child = of(id === 'moveOutHashes' ? 'ImageError' : 'UploadError');
    await call('updateOrganizationIssues', { query: { id: [issue, child] }, body: { merge: true } });
    const hashes = await call<{ id: string }[]>('listIssueHashes', inIssue);
    await call(id, { ...inIssue, query: { id: hashes.at(-1)?.id } });
  }
  for (const id of ['dismissSimilarIssue', 'restoreSimilarIssue', 'dismissOrganizationSimilarIssue'])
    await call(id, { params: { issue, other: of('StockError') } });
  await call('restoreOrganizationSimilarIssue', { params: { issue, other: of('StockError') } });
  const bulk = await call('startBulk', { body: { ids: [of('StockError')], change: { status: 'resolved' } } });
  await call('undoBulk', { params: { bulk: bulk.id } });

  await deleteAll(recorder, of);
  await changeAccount(recorder, recorder.url);
}

const changes = (of: (name: string) => string): readonly (readonly [id: string, given: Call])[] => [
  ['updateOrganization', { body: { name: 'Acme' } }],
  ['updateProject', { body: { name: 'Web', settings: { sensitiveFields: ['iban'] } } }],
  ['updateKey', { params: { id: of('key') }, body: { name: 'Staging', isActive: false } }],
  ['updateTeam', { params: { team: 'checkout' }, body: { name: 'Checkout and basket' } }],
  ['updateMember', { params: { id: of('mary') }, body: { role: 'manager' } }],
  ['renewInvitation', { params: { id: of('invited') } }],
  ['addProjectTeam', { params: { team: 'checkout' } }],
  ['updateAlertRule', { params: { rule: of('rule') }, body: { name: 'New in the web shop' } }],
  ['muteAlertRule', { params: { rule: of('counted') }, body: { minutes: 480 } }],
  ['previewOwnership', { body: { raw: 'path:src/stock* #checkout\n', limit: 10 } }],
  ['testOwnership', { body: { issue: of('StockError') } }],
  ['updateCodeowners', { params: { id: of('codeowners') }, body: { raw: '/src/mail.js #checkout\n' } }],
  ['updateChannel', { params: { id: of('channel') }, body: { name: 'Web hook' } }],
  [
    'testUnsavedChannel',
    { body: { type: 'webhook', config: { url: 'http://127.0.0.1:9/hook', secret: channelSecret } } },
  ],
  ['testChannel', { params: { id: of('channel') } }],
  ['resendDelivery', { params: { id: of('delivery') } }],
  ['resubscribeToChannel', { params: { id: of('channel') } }],
  ['updateComment', { params: { issue: of('issue'), id: of('comment') }, body: { text: 'Who counts the items?' } }],
  ['updateNote', { params: { issue: of('issue'), id: of('note') }, body: { text: 'The timer emptied the basket.' } }],
  [
    'updateOrganizationNote',
    { params: { issue: of('issue'), id: of('otherNote') }, body: { text: 'Seen on Tuesday, too.' } },
  ],
  ['updateCodeMapping', { params: { id: of('mapping') }, body: { sourceRoot: 'web/' } }],
  ['updateRepository', { params: { id: of('repository') }, body: { defaultBranch: 'main' } }],
  [
    'setCodeMappings',
    {
      body: {
        project: 'web',
        repository: 'acme/shop',
        defaultBranch: 'main',
        mappings: [{ stackRoot: '/app/lib/', sourceRoot: 'lib/' }],
      },
    },
  ],
  ['updateRelease', { params: { version: 'shop@1.1.0' }, body: { ref: 'b'.repeat(40) } }],
  ['updateProjectRelease', { params: { version: 'shop@1.2.0-rc' }, body: { dateReleased: '2026-03-02T12:00:00Z' } }],
  ['updateSearch', { params: { id: of('search') }, body: { name: 'New in 1.1' } }],
  ['updateSavedQuestion', { params: { saved: of('saved') }, body: { name: 'Slow queries' } }],
  ['updateDigestWatch', { params: { id: of('watch') }, body: { seen: true } }],
  ['findPasted', { body: { q: `Error id: ${idOf('stock 0')}` } }],
  ['exploreCompare', { body: { dataset: 'errors', statsPeriod: '14d', selection: { query: 'region:eu' } } }],
  ['updateQuota', { params: { quota: of('quota') }, body: { amount: 2_000_000 } }],
  ['updateQuotaSettings', { body: { timeZone: 'Europe/Berlin' } }],
  ['updateNotificationSettings', { body: { comment: 'mine' } }],
  ['updateAuditLog', { body: { retentionDays: 365 } }],
  ['updateSecuritySettings', { body: { shareLinks: true } }],
  ['updateSessionPolicy', { body: { lifetimeHours: 168, idleHours: 24 } }],
  ['updateSignInPolicy', { body: { requireSecondFactor: false } }],
  ['updateSignInProvider', { params: { id: of('provider') }, body: { name: 'GitHub of Acme' } }],
  ['updateRequiredProvider', { body: { provider: null } }],
  ['updateOrganizationScrubbing', { body: { removeIpAddresses: true } }],
  ['updateProjectScrubbing', { body: { rules: '{"applications": {}}' } }],
  ['previewScrubbing', { body: { rules: '{"applications": {}}', limit: 5 } }],
  ['updateFilter', { params: { filter: 'legacy-browsers' }, body: { active: true } }],
  ['previewFilters', { body: { patterns: {}, days: 7, limit: 5 } }],
  ['checkGroupingRules', { body: { fingerprintingRules: 'error.type:StockError -> stock' } }],
  ['updatePerformanceConfiguration', { body: {} }],
  ['updateFeedback', { body: { ids: [], status: 'resolved' } }],
  ['symbolicateEvent', { params: { event: idOf('built') } }],
  ['associateMapping', { body: { release_name: 'shop@1.1.0', proguard_uuid: '5f0c2f6e-3c57-4a0e-9a3b-0d5a3c1b2e4f' } }],
  ['testMirror', {}],
  ['findWayIn', { body: { email: owner.email } }],
  ['requestPasswordReset', { body: { email: 'mary@example.com' } }],
  ['updateAccount', { body: { name: 'Olivia', timeZone: 'Europe/Berlin', theme: 'dark' } }],
  ['requestEmail', { body: { email: 'olivia@example.com', password: owner.password } }],
  [
    'authorizeOAuthClient',
    { body: { clientId: 'unknown', redirectUri: 'http://127.0.0.1/callback', scopes: ['event:read'] } },
  ],
  ['decideOAuthDevice', { body: { code: 'BCDF-GHJK', accept: true, scopes: ['event:read'] } }],
  ['readSamlMetadata', { body: { xml: '<EntityDescriptor/>' } }],
  [
    'testSignInProvider',
    { body: { kind: 'github', settings: { clientId: 'Iv1.acme', clientSecret: 'not-a-real-one' } } },
  ],
  ['verifySignInDomains', { params: { id: of('provider') } }],
  [
    'compareMirror',
    { body: { token: 'not-a-real-token', url: 'http://127.0.0.1:9', organization: 'acme', project: 'web' } },
  ],
  ['deleteAccount', { body: { password: 'not the password' } }],
];

async function deleteAll(recorder: Recorder, of: (name: string) => string): Promise<void> {
  const call = recorder.call.bind(recorder);
  const note = { params: { issue: of('issue'), id: of('note') } };
  await call('deleteNote', note);
  await call('deleteOrganizationNote', { params: { ...note.params, id: of('otherNote') } });
  const comment = { params: { issue: of('issue'), id: of('comment') } };
  await call('deleteComment', comment);
  await call('restoreComment', comment);
  await call('cancelAlertPreview', { params: { preview: of('alertPreview') } });
  await call('cancelGroupingPreview', { params: { preview: of('groupingPreview') } });
  await call('updateWorkflow', { params: { rule: of('told') }, body: { name: 'Too often' } });
  await call('updateWorkflows', { query: { id: of('told') }, body: { enabled: false } });
  await call('deleteWorkflow', { params: { rule: of('told') } });
  await call('deleteWorkflows', { query: { query: 'Often' } });
  await call('updateDetector', { params: { rule: of('measured') }, body: { name: 'Too many errors' } });
  await call('updateDetectors', { query: { id: of('measured') }, body: { enabled: false } });
  await call('deleteDetector', { params: { rule: of('measured') } });
  await call('deleteDetectors', { query: { query: 'Many' } });
  await call('deleteOrganizationToken', { params: { id: of('build') } });
  await call('deleteAlertRule', { params: { rule: of('counted') } });
  await call('deleteSearch', { params: { id: of('search') } });
  await call('deleteSavedQuestion', { params: { saved: of('saved') } });
  await call('deleteDigestWatch', { params: { id: of('watch') } });
  await call('cancelExport', { params: { export: of('export') } });
  await call('deleteMirror');
  await call('deleteQuota', { params: { quota: of('quota') } });
  await call('deleteScimToken', { params: { id: of('scim') } });
  await call('deleteSignInProvider', { params: { id: of('provider') } });
  await call('deleteCodeowners', { params: { id: of('codeowners') } });
  await call('deleteCodeMapping', { params: { id: of('mapping') } });
  await call('deleteRepository', { params: { id: of('repository') } });
  const bundles = await call<readonly { readonly bundleId: string }[]>('listArtifactBundles');
  await call('deleteArtifactBundle', { query: { bundleId: bundles[0]?.bundleId } });
  const attachments = await call<readonly { readonly id: string }[]>('listAttachments', {
    params: { event: of('withFiles') },
  });
  await call('deleteAttachment', { params: { event: of('withFiles'), attachment: attachments[0]?.id } });
  const feedback = await call<{ readonly feedback: readonly { readonly id: string }[] }>('listFeedback', {
    query: { statsPeriod: '30d' },
  });
  const [first] = feedback.feedback;
  if (first) await call('updateFeedback', { body: { ids: [first.id], status: 'resolved' } });
  await call('deleteFeedback', { params: { feedback: first?.id } });
  await call('deleteProjectRelease', { params: { version: 'shop@1.2.0-rc' } });
  await call('createRelease', { body: { version: 'shop@1.3.0', projects: ['web'] } });
  await call('deleteRelease', { params: { version: 'shop@1.3.0' } });
  await call('deleteChannel', { params: { id: of('channel') } });
  await call('deleteToken', { params: { id: of('token') } });
  await call('deleteKey', { params: { id: of('key') } });
  await call('deleteProjectAlias', { params: { alias: '4711' } });
  await call('leaveTeam', { params: { id: of('mary'), team: 'checkout' } });
  await call('removeProjectTeam', { params: { team: 'checkout' } });
  await call('deleteTeam', { params: { team: 'checkout' } });
  await call('removeMember', { params: { id: of('mary') } });
  await call('deleteOrganizationIssue', { params: { issue: of('MailError') } });
  await call('deleteOrganizationIssues', { query: { id: of('SearchError') } });
  await call('deleteProjectIssues', { query: { id: of('StockError') } });
  // Discarding goes on behind the answer.
  let discarded: readonly { readonly id: string }[] = [];
  for (let tries = 0; discarded.length === 0 && tries < 50; tries++) {
    if (tries > 0) await delay(200);
    discarded = await call<typeof discarded>('listTombstones');
  }
  await call('deleteTombstone', { params: { id: discarded[0]?.id, tombstone: discarded[0]?.id } });
  const files = await call<readonly { readonly id: string }[]>('listDebugFiles');
  await call('deleteDebugFile', { query: { id: files[0]?.id ?? '1' } });
  await call('deleteProject', { params: { project: 'api' } });
}

async function changeAccount(recorder: Recorder, origin: string): Promise<void> {
  const call = recorder.call.bind(recorder);
  const { password } = owner;
  await call('cancelEmail');
  const { challenge = '' } = await call('beginPasskey', { body: { password } });
  const key = createAuthenticator({ origin, rpId: 'localhost' });
  const { id } = await call('addPasskey', { body: { name: 'A key', response: key.create(challenge) as never } });
  await call('renamePasskey', { params: { id }, body: { name: 'My key' } });
  await call('removePasskey', { params: { id }, body: { password } });
  const sessions =
    await call<readonly { readonly id: string; readonly isCurrent?: boolean; readonly current?: boolean }[]>(
      'listAccountSessions',
    );
  await call('endAccountSession', { params: { id: sessions.find((one) => !(one.isCurrent ?? one.current))?.id } });
  const begun = await call('beginTwoFactor', { body: { password } });
  const { recoveryCodes = [] } = await call<{ readonly recoveryCodes?: readonly string[] }>('confirmTwoFactor', {
    body: { code: timeCode(begun.secret ?? '') },
  });
  await call('showFactor', { body: { code: recoveryCodes[0] ?? '' } });
  const renewed = await call<{ readonly recoveryCodes?: readonly string[] }>('renewRecoveryCodes', {
    body: { code: recoveryCodes[1] ?? '' },
  });
  await call('endTwoFactor', { body: { code: renewed.recoveryCodes?.[0] ?? '' } });
  for (const [id, body] of refused) await call(id, { anonymous: true, body });
  await call('changePassword', { body: { currentPassword: password, newPassword: 'another good phrase' } });
  await call('endOtherAccountSessions');
  const again = await call('beginPasskey', { body: { password: 'another good phrase' } });
  const other = createAuthenticator({ origin, rpId: 'localhost' });
  await call('addPasskey', { body: { name: 'Another', response: other.create(again.challenge ?? '') as never } });
  await call('removePassword', { body: { password: 'another good phrase' } });
}

/** What only a mail, a device or another server could make a success of. */
const unknown = 'not-a-token-that-was-sent';
const refused: readonly (readonly [id: string, body: NonNullable<Call['body']>])[] = [
  ['confirmEmail', { token: unknown }],
  ['resetPassword', { token: unknown, password: 'another good phrase' }],
  ['recoverAccount', { token: unknown, password: 'another good phrase' }],
  [
    'postSetup',
    {
      email: owner.email,
      password: owner.password,
      organization: 'Acme',
      project: 'Web',
      platform: 'javascript-nextjs',
    },
  ],
];
