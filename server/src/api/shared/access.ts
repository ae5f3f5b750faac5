/** Who may call what: the one place where identity, origin, membership and scopes are checked and the path is resolved. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { hasSessionCookie, type Identity, type Membership, seenFrom } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { type Feedback, feedbackNamed, findNamedFeedback } from '../../domains/feedback/index.ts';
import { findIssue, type IssueRow } from '../../domains/issues/index.ts';
import { type Project, seenProject, seenProjects } from '../../domains/projects/index.ts';
import { things } from '../../base/texts/things.ts';
import type { Endpoint } from './endpoint.ts';
import type { ApiDeps } from './deps.ts';
import { checkHost, type OwnHosts } from './hosts.ts';

/** What the path and the headers of a request come to; `implement` narrows it to what the endpoint has. */
export interface Caller {
  readonly identity: Identity | undefined;
  /** Of the organisation in the path, or of the one that the issue in the path belongs to. */
  readonly membership: Membership | undefined;
  readonly project: Project | undefined;
  readonly issue: IssueRow | undefined;
  /** Where the issue in the path is one. */
  readonly feedback?: Feedback | undefined;
}

export function toHeaders(incoming: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  return headers;
}

/** Of this installation. */
export const ownHosts = ({ getUrl, config }: ApiDeps): OwnHosts => ({ getUrl, allowed: config.allowedHosts });

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a browser says that the request comes from a page of ours; undefined when nothing is said. */
export function isSameOrigin(request: FastifyRequest, publicUrl: string): boolean | undefined {
  const site = request.headers['sec-fetch-site'];
  if (typeof site === 'string') return site === 'same-origin';
  const { origin } = request.headers;
  if (origin === undefined) return undefined;
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  // Behind a proxy only the host is what the browser sees; the scheme may be another, and with it the usual port.
  const own = `${protocol}//${request.host}`;
  return (
    (URL.canParse(own) && new URL(own).host === host) ||
    (URL.canParse(publicUrl) && new URL(publicUrl).origin === origin)
  );
}

export async function authorize(deps: ApiDeps, endpoint: Endpoint, request: FastifyRequest): Promise<Caller> {
  const headers = toHeaders(request.headers);
  const byBrowser = hasSessionCookie(headers) && !headers.has('authorization');
  if (byBrowser || endpoint.signsIn) checkHost(request, ownHosts(deps));
  const found = await deps.accounts.identify(headers);
  const identity = found && seenFrom(found, request.ip);
  if (!safeMethods.has(request.method)) {
    const same = isSameOrigin(request, deps.getUrl());
    const byCookie = identity?.kind === 'session';
    // A cookie is sent by the browser whoever asks it to, so the request must prove where it comes from.
    if (byCookie ? same !== true : identity === undefined && same === false) throw new CodedError('ORIGIN_MISMATCH');
  }
  const nobody = { identity, membership: undefined, project: undefined, issue: undefined };
  if (endpoint.access === 'public') return nobody;
  if (!identity) throw new CodedError('AUTH_REQUIRED');
  // A token is of one organisation and of nobody's account, whatever it asks for.
  if (identity.token) identity.memberships.forEach(checkDemands);

  const {
    org,
    project: projectName,
    issue: issueName,
  } = request.params as Readonly<Record<string, string | undefined>>;
  let membership: Membership | undefined;
  if (org !== undefined) {
    membership = identity.memberships.find((one) => one.slug === org || one.organizationId === org);
    if (!membership) throw new CodedError('NOT_FOUND', [things.organization(org)]);
    checkDemands(membership);
  }
  const project =
    membership && projectName !== undefined ? await seenProject(deps.state, membership, projectName) : undefined;
  if (projectName !== undefined && !project) throw new CodedError('NOT_FOUND', [things.project(projectName)]);
  if (issueName === undefined) {
    checkScope(endpoint, identity, membership);
    return { identity, membership, project, issue: undefined };
  }
  const reachable = membership ? [membership] : identity.memberships;
  const projects = (await Promise.all(reachable.map((one) => seenProjects(deps.state, one)))).flat();
  const named = endpoint.alsoFeedback ? feedbackNamed(issueName) : undefined;
  const feedback = named && (await findNamedFeedback(deps.state, projects, named));
  const issue = named ? undefined : await findIssue(deps.state, issueName, projects);
  const thing = feedback ?? issue;
  const owner = thing && projects.find((one) => one.id === thing.projectId);
  if (!owner) {
    // It may lie where the caller must show more first; whether it does is not told.
    for (const one of reachable) checkDemands(one);
    throw new CodedError('NOT_FOUND', [things.issue(issueName)]);
  }
  membership = reachable.find((one) => one.organizationId === owner.organizationId);
  checkScope(endpoint, identity, membership);
  return { identity, membership, project: owner, issue, feedback };
}

/** Throws where the session has not shown what the organisation demands, or comes from where it may not. */
export function checkDemands({ name, unmet }: Membership): void {
  if (unmet?.kind === 'address') throw new CodedError('ADDRESS_NOT_ALLOWED', [unmet.address]);
  if (unmet?.kind === 'second_factor') throw new CodedError('SECOND_FACTOR_REQUIRED', [name]);
  if (unmet) throw new CodedError('PROVIDER_REQUIRED', [name]);
}

function checkScope(endpoint: Endpoint, identity: Identity, membership: Membership | undefined): void {
  const access = (identity.kind === 'token' && endpoint.tokenAccess) || endpoint.access;
  if (access === 'public' || access === 'user') return;
  const wanted = typeof access === 'string' ? [access] : access;
  const { scopes } = membership ?? identity;
  if (wanted.some((scope) => scopes.includes(scope))) return;
  if (!membership) for (const one of identity.memberships) checkDemands(one);
  throw identity.kind === 'token'
    ? new CodedError('SCOPE_MISSING', [wanted.join(' or ')])
    : new CodedError('PERMISSION_DENIED');
}
