/** Calls of Slack's Web API, and answers to a message's own address. */
import { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import {
  type AllowList,
  callOutside,
  type Lookup,
  type OutboundAnswer,
  OutboundError,
} from '../../base/outbound/index.ts';
import { slack as texts } from '../../base/texts/slack.ts';
import { retryAfterMs, type SlackAccess, slackErrorIn } from '../notify/index.ts';

export interface SlackTools {
  readonly allow: AllowList;
  readonly lookup?: Lookup | undefined;
  /** PEM of further authorities, for tests. */
  readonly authority?: string | undefined;
  /** Ends what is under way. */
  readonly signal?: AbortSignal | undefined;
}

/** A page of conversations is far less. */
const maxAnswerBytes = 4 * 1024 * 1024;
/** Asked for patience without saying how long. */
const usualWaitMs = 30_000;

const Needed = z.object({ needed: z.string().max(200).catch(''), error: z.string() });

/**
 * Throws `SLACK_REFUSED` with what Slack says, `SLACK_LIMITED` where it asks for patience, and `SLACK_UNREACHABLE`.
 * `scopes` are those of the token; undefined where Slack does not say.
 */
export async function callSlack<Data>(
  { token, apiUrl }: SlackAccess,
  method: string,
  form: Readonly<Record<string, string>>,
  shape: z.ZodType<Data>,
  tools: SlackTools,
): Promise<{ readonly data: Data; readonly scopes: readonly string[] | undefined }> {
  const answer = await outside(
    {
      url: `${apiUrl}/${method}`,
      // Methods that read do not take JSON.
      type: 'application/x-www-form-urlencoded; charset=utf-8',
      body: new URLSearchParams(form).toString(),
      headers: { authorization: `Bearer ${token}` },
    },
    tools,
  );
  const body = jsonOf(answer);
  const error = slackErrorIn(answer);
  if (error === 'missing_scope') {
    const { data } = Needed.safeParse(body);
    throw new CodedError('SLACK_REFUSED', [texts.missingScope(data?.needed ?? '')]);
  }
  if (error !== undefined) throw new CodedError('SLACK_REFUSED', [texts.refused(error)]);
  const read = shape.safeParse(body);
  if (!read.success) throw new CodedError('SLACK_UNREACHABLE', [texts.unreadable]);
  return { data: read.data, scopes: scopesOf(answer) };
}

/** To the address that came with a press. As `callSlack` throws. */
export async function answerPress(responseUrl: string, message: object, tools: SlackTools): Promise<void> {
  const body = JSON.stringify(message);
  const answer = await outside({ url: responseUrl, type: 'application/json; charset=utf-8', body, headers: {} }, tools);
  const error = slackErrorIn(answer);
  if (error !== undefined) throw new CodedError('SLACK_REFUSED', [texts.refused(error)]);
}

/** Whether an answer may go there: to the host of the API, or to one below it such as `hooks.slack.com`. */
export function isOfSlack(responseUrl: string, apiUrl: string): boolean {
  if (!URL.canParse(responseUrl)) return false;
  const [to, api] = [new URL(responseUrl), new URL(apiUrl)];
  if (to.protocol !== api.protocol || to.username !== '' || to.password !== '') return false;
  return to.host === api.host || (api.port === '' && to.port === '' && to.hostname.endsWith(`.${api.hostname}`));
}

interface Sent {
  readonly url: string;
  readonly type: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function outside({ url, type, body, headers }: Sent, tools: SlackTools): Promise<OutboundAnswer> {
  const call = { method: 'POST', url, headers: { ...headers, 'content-type': type }, body, confined: true } as const;
  let answer: OutboundAnswer;
  try {
    answer = await callOutside(call, { ...tools, maxAnswerBytes });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new CodedError('SLACK_UNREACHABLE', [error.message], { cause: error });
  }
  const error = slackErrorIn(answer);
  if (answer.status === 429 || error === 'ratelimited' || error === 'rate_limited') {
    const seconds = Math.ceil((retryAfterMs(answer.retryAfter) ?? usualWaitMs) / 1000);
    throw new CodedError('SLACK_LIMITED', [seconds], { retryAfter: seconds });
  }
  if (error === undefined && (answer.status < 200 || answer.status >= 300))
    throw new CodedError('SLACK_UNREACHABLE', [texts.status(answer.status)]);
  return answer;
}

function jsonOf({ body }: OutboundAnswer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new CodedError('SLACK_UNREACHABLE', [texts.unreadable]);
  }
}

function scopesOf({ headers }: OutboundAnswer): string[] | undefined {
  const said = headers?.['x-oauth-scopes'];
  return typeof said === 'string' ? said.split(',').map((scope) => scope.trim()) : undefined;
}
