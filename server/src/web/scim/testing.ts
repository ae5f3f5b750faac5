/** A directory that provisions the organisation of a test. */
import type { InjectOptions } from 'fastify';
import { createFailures } from '../../base/self/index.ts';
import { createScimToken } from '../../domains/provisioning/index.ts';
import { openTestApi, type TestApi } from '../../api/testing.ts';
import { openOwnVisitors } from '../../ingest/index.ts';
import { registerScim, scimPrefix } from './register.ts';

export interface ScimAnswer {
  readonly status: number;
  readonly body: ScimBody;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** As far as tests look at it. */
export interface ScimBody extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly scimType?: string;
  readonly detail: string;
  readonly active: boolean;
  readonly totalResults: number;
  readonly Resources: readonly ScimBody[];
  readonly members: readonly { readonly value: string }[];
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Call = (
  method: Method,
  path: string,
  payload?: object | string,
  more?: { readonly headers?: Readonly<Record<string, string>>; readonly from?: string },
) => Promise<ScimAnswer>;

export interface ScimApi extends TestApi {
  /** By the token of the organisation. */
  readonly scim: Call;
  /** By another one. */
  as(token: string): Call;
  newToken(organizationId?: string, expiresAt?: number | null): Promise<string>;
}

export async function openScimApi(): Promise<ScimApi> {
  const api = await openTestApi();
  const { state, audit, live, organizationId: own, userId } = api;
  const failures = createFailures({
    logger: { error: (fields, message) => api.errors.push({ message, fields: { ...fields } }) },
  });
  const getUrl = (): string => 'http://culprit.test';
  const options = { state, audit, live, failures, getUrl, openVisitors: openOwnVisitors };
  await api.app.register(async (scope) => registerScim(scope, options), { prefix: scimPrefix });
  const newToken: ScimApi['newToken'] = async (organizationId = own, expiresAt = null) =>
    (await createScimToken(state, { organizationId, name: 'a directory', makerId: userId, expiresAt }, Date.now()))
      .token;
  const as =
    (token: string): Call =>
    async (method, path, payload, { headers = {}, from } = {}) => {
      const request: InjectOptions = {
        method,
        url: scimPrefix + path,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(payload !== undefined && { 'content-type': 'application/scim+json' }),
          ...headers,
        },
        ...(payload !== undefined && { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
        ...(from && { remoteAddress: from }),
      };
      const answer = await api.app.inject(request);
      const body = (answer.body ? answer.json() : {}) as ScimBody;
      return { status: answer.statusCode, body, headers: answer.headers };
    };
  return { ...api, scim: as(await newToken()), as, newToken };
}
