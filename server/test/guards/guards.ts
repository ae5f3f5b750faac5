/** Guards of access, each with how it is taken out and the test that must notice. */

export interface Guard {
  readonly what: string;
  /** From the root. */
  readonly file: string;
  /** Stands there once. */
  readonly find: string;
  readonly replace: string;
  /** From the root. */
  readonly test: string;
  /** A part of the names of the tests that are run. */
  readonly named: string;
}

const roles = 'server/src/api/access-roles.test.ts';
const byTeam = 'server/src/api/access-by-team.test.ts';
const live = 'server/src/api/access-live.test.ts';
const organizations = 'server/src/api/organizations/organizations.test.ts';
const scim = 'server/src/web/scim/attacks.test.ts';
const security = 'server/src/api/security/security.test.ts';
const providers = 'server/src/domains/providers/';
const providersOf = `${providers}databases.test.ts`;
const openid = `${providers}openid.test.ts`;
const saml = `${providers}saml/`;
const samlResponse = `${saml}response.test.ts`;
const accounts = 'server/src/domains/accounts/';
const api = 'server/src/api/';
const slack = 'server/src/domains/slack/';
const presses = 'server/src/web/slack/presses.test.ts';
const twoFactor = `${api}account/factors.test.ts`;

const guard = (
  what: string,
  file: string,
  [find, replace]: readonly [string, string],
  [test, named]: readonly [string, string],
): Guard => ({ what, file, find, replace, test, named });

export const guards: readonly Guard[] = [
  guard(
    'the scope of a call',
    `${api}shared/access.ts`,
    ['if (wanted.some((scope) => scopes.includes(scope))) return;', 'if (wanted.length) return;'],
    [roles, 'the role viewer'],
  ),
  guard(
    'the scope of a call that names an issue',
    `${api}shared/access.ts`,
    [
      '  checkScope(endpoint, identity, membership);\n  return { identity, membership, project: owner, issue };',
      '  return { identity, membership, project: owner, issue };',
    ],
    [roles, 'the role viewer'],
  ),
  guard(
    'what a token needs instead',
    `${api}shared/access.ts`,
    ["(identity.kind === 'token' && endpoint.tokenAccess) || endpoint.access", 'endpoint.access'],
    [roles, 'service account'],
  ),
  guard(
    'that somebody must be there',
    `${api}shared/access.ts`,
    ["if (!identity) throw new CodedError('AUTH_REQUIRED');", 'if (!identity) return nobody;'],
    [roles, 'nobody'],
  ),
  guard(
    'that the organisation is theirs',
    `${api}shared/access.ts`,
    [
      "if (!membership) throw new CodedError('NOT_FOUND', [things.organization(org)]);",
      'membership ??= identity.memberships[0];',
    ],
    [roles, 'another organisation'],
  ),
  guard(
    'the scopes of a token',
    `${accounts}identity.ts`,
    ['.filter((scope) => allowed?.has(scope) ?? true)', ''],
    [roles, 'very scope'],
  ),
  guard(
    'the role of a service account',
    `${accounts}identity.ts`,
    ['  const scopes = scopesOfRole(role);\n', "  const scopes = scopesOfRole(role && 'owner');\n"],
    [roles, 'service account'],
  ),
  guard(
    'who sees all',
    `${accounts}reach.ts`,
    ['if (!rows[0]?.narrowed) return undefined;', 'if (rows.length) return undefined;'],
    [roles, 'access by team'],
  ),
  guard(
    'the project in the path',
    'server/src/domains/projects/seen.ts',
    ['return project && sees(viewer, project.id) ? project : undefined;', 'return project;'],
    [roles, 'access by team'],
  ),
  guard(
    'the projects of lists and searches',
    'server/src/domains/projects/seen.ts',
    ['return viewer.within ? all.filter(({ id }) => sees(viewer, id)) : all;', 'return all;'],
    [byTeam, 'nothing is told'],
  ),
  guard(
    'alert rules of others',
    `${api}alerts/rule-access.ts`,
    ['alerts.isSeen(projectIds, within?.projectIds);', 'projectIds.length >= 0 || within === undefined;'],
    [byTeam, 'of a project of others'],
  ),
  guard(
    'rules about all projects',
    'server/src/domains/alerts/scope.ts',
    ['(projectIds.length > 0 && projectIds', '(projectIds'],
    [byTeam, 'of a project of others'],
  ),
  guard(
    'a new rule about all projects',
    `${api}alerts/rule-access.ts`,
    ['if (!membership.within || rule.projectIds.length) return rule;', 'if (rule) return rule;'],
    [byTeam, 'an alert rule of all projects'],
  ),
  guard(
    'saved searches about others',
    'server/src/domains/named-search/projects.ts',
    ['if (!viewer.within) return () => true;', 'if (viewer) return () => true;'],
    [byTeam, 'nothing is told'],
  ),
  guard(
    'the log of deliveries',
    `${api}channels/routes.ts`,
    ['viewer.within === undefined || (notification', 'viewer !== undefined || (notification'],
    [byTeam, 'nothing is told'],
  ),
  guard(
    'releases of others',
    `${api}shared/release-place.ts`,
    ['!own.length || own.some((id) => sees(membership, id))', 'true'],
    [byTeam, 'of a project of others'],
  ),
  guard(
    'a release of several projects',
    `${api}shared/release-place.ts`,
    ["if (!own.every((id) => sees(membership, id))) throw new CodedError('PERMISSION_DENIED');", ''],
    [byTeam, 'of a project of others'],
  ),
  guard(
    'repositories',
    `${api}repositories/routes.ts`,
    ["if (within) throw new CodedError('PERMISSION_DENIED');", 'if (within === undefined) return;'],
    [byTeam, 'repos/1/'],
  ),
  guard(
    'code mappings of others',
    `${api}repositories/routes.ts`,
    [
      'await seenProject(state, membership, body.project)',
      'await seenProject(state, { ...membership, within: undefined }, body.project)',
    ],
    [byTeam, 'of a project of others'],
  ),
  guard(
    'uploads for others',
    'server/src/domains/artifacts/assemble.ts',
    [
      'await seenProject(state, { organizationId, within }, name)',
      'await seenProject(state, { organizationId, within: within && undefined }, name)',
    ],
    [byTeam, 'artifactbundle'],
  ),
  guard(
    'teams of others',
    `${api}teams/own-teams.ts`,
    ["if (within && !teamIds.every((id) => within.teamIds.has(id))) throw new CodedError('TEAM_NOT_YOURS');", ''],
    [byTeam, 'of a project of others'],
  ),
  guard(
    'people in no team',
    `${api}teams/own-teams.ts`,
    ["if (within && !teamIds.length) throw new CodedError('TEAM_NOT_YOURS');", ''],
    [byTeam, 'members'],
  ),
  guard(
    'projects in teams of others',
    `${api}projects/routes.ts`,
    ['if (caller.membership.within && !caller.membership.within.teamIds.has(team.id))', 'if (team.id < 0)'],
    [byTeam, 'of a project of others'],
  ),
  guard(
    'a role above the own',
    `${api}teams/members-routes.ts`,
    ['    teams.checkGiving(askerOf(caller), role, people.members);\n    const email', '    const email'],
    [byTeam, 'a manager makes'],
  ),
  guard(
    'issues given to who cannot see them',
    `${api}issues/change-routes.ts`,
    ['await checkAssignee(issueIds, wanted, caller);', ''],
    [byTeam, 'nobody gets an issue'],
  ),
  guard(
    'live messages of others',
    `${api}intake/live-stream.ts`,
    [' || !sees(stream, message.projectId)', ''],
    [live, 'a stream'],
  ),
  guard(
    'that a stream narrows',
    `${api}intake/live-stream.ts`,
    ['if (membership) stream.within = membership.within;', 'if (membership) continue;'],
    [live, 'a stream'],
  ),
  guard(
    'mail about others',
    'server/src/domains/notify/outbox.ts',
    ['if (!isSeen(notification)) return', 'if (!notification) return'],
    [live, 'what waits'],
  ),
  guard(
    'who makes organisations',
    `${api}organizations/routes.ts`,
    ["if (!(await isInstallationOwner(state, identity.userId))) throw new CodedError('PERMISSION_DENIED');", ''],
    [organizations, 'organisations'],
  ),
  guard(
    'who changes an organisation',
    `${api}organizations/contract.ts`,
    [
      "  access: 'org:write',\n  params: orgParams,\n  body: z\n    .object({\n      name: z",
      "  access: 'org:read',\n  params: orgParams,\n  body: z\n    .object({\n      name: z",
    ],
    [organizations, 'changed by admins'],
  ),
  guard(
    'who makes service accounts',
    `${api}organizations/routes.ts`,
    ["if (!scopes.includes('org:write')) throw refused(caller, 'org:write');", ''],
    [organizations, 'give its role'],
  ),
  guard(
    'the role that they give',
    `${api}organizations/routes.ts`,
    [
      '    checkGiving({ kind: identity.kind, role: membership.role, scopes }, role, members);\n',
      '    if (!members) return;\n',
    ],
    [organizations, 'give its role'],
  ),
  guard(
    'the addresses that an organisation allows',
    `${accounts}allowed-addresses.ts`,
    ['return plain !== undefined && listOf(allowed)', 'return plain === undefined || listOf([address])'],
    [security, 'hold for sessions'],
  ),
  guard(
    'the own address in a list of allowed ones',
    `${api}security/routes.ts`,
    ['if (allowedAddresses && !allowsAddress(allowedAddresses, request.ip)) {', 'if (allowedAddresses === null) {'],
    [security, 'ADDRESS_LOCKS_OUT'],
  ),
  guard(
    'share links that are off',
    `${api}shared-issue/routes.ts`,
    ["if (!shareLinks) throw new CodedError('SHARE_LINK_PAUSED');", ''],
    [security, 'that are off do not open'],
  ),
  guard(
    'invitations of others',
    `${api}teams/members-routes.ts`,
    ['if (mayManage(caller) || inviterId === caller.identity.userId) return;', 'return;'],
    [security, 'are seen, renewed'],
  ),
  guard(
    'the browser that began a sign-in',
    `${providers}flows.ts`,
    ['answer.browser !== undefined && sameText(hashOf(answer.browser), browserHash)', "browserHash !== ''"],
    [providersOf, 'is answered once'],
  ),
  guard(
    'the provider that a sign-in was begun at',
    `${providers}flows.ts`,
    ['isOwn && flow.providerId === answer.providerId', 'isOwn'],
    [providersOf, 'is answered once'],
  ),
  guard(
    'that the provider has verified the address',
    `${providers}admit.ts`,
    ["if (!emailVerified) throw new SignInRefused('address_unverified');", ''],
    [providersOf, 'is refused with'],
  ),
  guard(
    'that the organisation has the domain',
    `${providers}admit.ts`,
    ['verifiedAt !== null && domain === domainOf(email)', 'domain === domainOf(email)'],
    [providersOf, 'that nobody vouches for'],
  ),
  guard(
    'accounts of other organisations',
    `${providers}admit.ts`,
    ["if (!isMember || !emailVerified) throw new SignInRefused('account_elsewhere');", ''],
    [providersOf, 'of another organisation is refused'],
  ),
  guard(
    'that people become members only where that is switched on',
    `${providers}admit.ts`,
    ["if (!provider.joins && !invitation) throw new SignInRefused('not_member');", ''],
    [providersOf, 'is refused with'],
  ),
  guard(
    'the last owner whose groups say less',
    'server/src/domains/teams/placed.ts',
    ['role === undefined || isLastOwner ? person.role : role', 'role ?? person.role'],
    [providersOf, 'do not take the role'],
  ),
  guard(
    'secrets that would go to another place',
    `${providers}kinds.ts`,
    ["if (missing) throw new CodedError('INPUT_INVALID'", "if (missing === '') throw new CodedError('INPUT_INVALID'"],
    [providersOf, 'are stored with their secrets sealed'],
  ),
  guard(
    'keys of ID tokens',
    `${providers}openid.ts`,
    ['  client.enableNonRepudiationChecks(made);\n', ''],
    [openid, 'the key of somebody else'],
  ),
  guard(
    'the way in of who requires a provider',
    `${api}sign-in/provider-routes.ts`,
    ['provider.enabled && identity.shown?.way === `provider:${provider.id}`', "identity.kind !== 'token'"],
    [`${api}sign-in/sign-in.test.ts`, 'requires its provider'],
  ),
  guard(
    'assertions in second places',
    `${saml}structure.ts`,
    ['own > 1 || anywhere.length !== own || responses.length > 1', 'own > 1'],
    [samlResponse, 'an assertion in another namespace'],
  ),
  guard(
    'what a signature refers to',
    `${saml}structure.ts`,
    ["if (!id || attributeOf(reference, 'URI') !== `#${id}`) refuse('structure', found.otherReference);", ''],
    [samlResponse, 'refers to the whole document'],
  ),
  guard(
    'markup that two readers read differently',
    `${saml}xml.ts`,
    ['  refuseMarkup(text);\n', ''],
    [samlResponse, 'a comment in the NameID'],
  ),
  guard(
    'that anything is signed',
    `${saml}response.ts`,
    ["if (!isEnough) refuse('unsigned', 'Assertion');", ''],
    [samlResponse, 'none'],
  ),
  guard(
    'weak signatures',
    `${saml}structure.ts`,
    [
      "  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',\n",
      "  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',\n  'http://www.w3.org/2000/09/xmldsig#rsa-sha1',\n",
    ],
    [samlResponse, 'SHA-1, of the signature'],
  ),
  guard(
    'the audience of an assertion',
    `${saml}assertion.ts`,
    ['if (!isMeant) refuse(', 'if (!isMeant && expected.now < 0) refuse('],
    [samlResponse, 'audience'],
  ),
  guard(
    'the recipient of an assertion',
    `${saml}assertion.ts`,
    ['if (recipient !== expected.acs) refuse(', "if (recipient === 'nowhere') refuse("],
    [samlResponse, 'recipient'],
  ),
  guard(
    'the destination of a response',
    `${saml}response.ts`,
    ['(destination || isSigned) && destination !== acs', "destination === 'nowhere'"],
    [samlResponse, 'destination'],
  ),
  guard(
    'the request that an assertion answers',
    `${saml}assertion.ts`,
    ["if (inResponseTo !== (expected.inResponseTo ?? '')) refuse(", "if (inResponseTo === 'another') refuse("],
    [samlResponse, 'unknown_request'],
  ),
  guard(
    'the end of an assertion',
    `${saml}assertion.ts`,
    ['now - skewMs >= notOnOrAfter', 'now < 0'],
    [samlResponse, 'expired'],
  ),
  guard(
    'assertions that were used',
    `${saml}answers.ts`,
    ["if (!kept) refuse('replayed');", ''],
    [`${saml}answers.test.ts`, 'one of several at once'],
  ),
  guard(
    'the sign-in that a ticket belongs to',
    `${saml}answers.ts`,
    ['own === asked.state && ', ''],
    [`${saml}answers.test.ts`, 'a ticket belongs to'],
  ),
  guard(
    'the provider whose request it was',
    `${saml}saml.ts`,
    ["if (flow.providerId !== provider.id) refuse('other_provider');", ''],
    [`${api}sign-in/saml.test.ts`, 'a response of one provider at another'],
  ),
  guard(
    'responses that nobody asked for',
    `${saml}saml.ts`,
    ["if (claimed === undefined && !settings.idpInitiated) refuse('unsolicited');", ''],
    [`${api}sign-in/saml.test.ts`, 'unsolicited'],
  ),
  guard(
    'the organisation of a user of a directory',
    'server/src/domains/provisioning/users.ts',
    [".where('scim_user.organization_id', '=', organizationId);", ';'],
    [scim, 'has other users and groups'],
  ),
  guard(
    'accounts that are not for a directory to take',
    'server/src/domains/provisioning/users.ts',
    ['if (!isFree && !(await isOfThisAlone(db, organizationId, account.id))) {', 'if (organizationId === undefined) {'],
    [scim, 'keeps its people'],
  ),
  guard(
    'the last owner, before a directory',
    'server/src/domains/provisioning/users.ts',
    [
      "if (member.role === 'owner' && (await countOwners(db, organizationId)) <= 1) {",
      "if (member.role === 'nobody') {",
    ],
    [scim, 'of the last owner'],
  ),
  guard(
    'that a directory makes no owners',
    'server/src/domains/provisioning/placement.ts',
    ["(role === 'owner' ? 'admin' : role)", 'role'],
    [scim, 'comes from the groups'],
  ),
  guard(
    'that a code works once',
    `${accounts}factors/two-factor.ts`,
    [".where((eb) => eb.or([eb('lastStep', 'is', null), eb('lastStep', '<', step)]))", ''],
    [twoFactor, 'take each code once'],
  ),
  guard(
    'what an organisation demands of a session',
    `${accounts}own/demands.ts`,
    ["return demand.secondFactor && !secondFactor ? { kind: 'second_factor' } : undefined;", 'return undefined;'],
    [`${api}access-demands.test.ts`, 'every call into it'],
  ),
  guard(
    'that an owner shows what they require',
    `${api}account/routes.ts`,
    ['if (requireSecondFactor && !identity.shown?.secondFactor) {', 'if (requireSecondFactor && !identity.shown) {'],
    [twoFactor, 'is required by who has shown'],
  ),
  guard(
    'that the person with a passkey is verified',
    `${accounts}factors/passkey-plugin.ts`,
    ["if (!isVerified) throw new APIError('UNAUTHORIZED', { code: 'NOT_VERIFIED' });", ''],
    [twoFactor, 'without a verified person'],
  ),
  guard(
    'the owner of a passkey',
    `${accounts}factors/passkeys.ts`,
    [
      ".deleteFrom('passkey')\n    .where('id', '=', id)\n    .where('userId', '=', userId)",
      ".deleteFrom('passkey')\n    .where('id', '=', id)",
    ],
    [twoFactor, 'are deleted by their owner alone'],
  ),
  guard(
    'the last way in',
    `${accounts}factors/passkeys.ts`,
    ["  throw new CodedError('LAST_WAY_IN');\n", ''],
    [twoFactor, 'the last way in stays'],
  ),
  guard(
    'the signature of Slack',
    `${slack}slack.ts`,
    ["if (verdict !== 'good') throw refused(verdict === 'wrong' ? 'wrongSignature' : verdict);", ''],
    [presses, 'that Slack did not sign'],
  ),
  guard(
    'that a request of Slack is taken once',
    `${slack}slack.ts`,
    ["if (!(await takeRequest(state, { organizationId, signature }, nowMs))) throw refused('replayed');", ''],
    [presses, 'is taken once'],
  ),
  guard(
    'where answers to Slack go',
    `${slack}slack.ts`,
    [' || !isOfSlack(press.responseUrl, app.apiUrl)', ''],
    [presses, 'that Slack did not sign'],
  ),
  guard(
    'the workspace of a person in Slack',
    `${slack}people.ts`,
    ['if (!isOurs || is_stranger) return { why: texts.stranger };', ''],
    [presses, 'somebody of another workspace'],
  ),
  guard(
    'that Slack has confirmed an address',
    `${slack}people.ts`,
    [
      'return user.is_email_confirmed ? { email: profile.email } : { why: texts.unconfirmed };',
      'return { email: profile.email };',
    ],
    [presses, 'whose address nobody confirmed'],
  ),
  guard(
    'what a member may do from Slack',
    `${slack}act.ts`,
    ["if (!membership.scopes.includes('event:write')) return { said: texts.viewer };", ''],
    [presses, 'a viewer'],
  ),
  guard(
    'the networks of an organisation, for Slack',
    `${slack}act.ts`,
    ['if (membership.unmet) return { said: texts.closed(membership.name) };', ''],
    [presses, 'from networks that the organisation does not allow'],
  ),
];
