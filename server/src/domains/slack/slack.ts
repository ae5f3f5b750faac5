/** The Slack app while the program runs: presses that come, answered at once and worked on after it. */
import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '../../base/errors.ts';
import type { Failures } from '../../base/self/index.ts';
import { slack as texts } from '../../base/texts/slack.ts';
import type { Source } from '../audit/index.ts';
import { escapeSlack, type SlackAccess } from '../notify/index.ts';
import { act, type ActDeps, type Outcome } from './act.ts';
import { answerPress, isOfSlack } from './api.ts';
import {
  connectSlack,
  notePress,
  openSlackApp,
  type OpenedApp,
  type SlackFields,
  type SlackStores,
  type TestedApp,
} from './app.ts';
import { type Conversations, listConversations } from './conversations.ts';
import { type Press, readPress } from './press.ts';
import { takeRequest } from './requests.ts';
import { judgeSignature, type SignedRequest } from './signature.ts';

export interface SlackOptions extends ActDeps, SlackStores {
  readonly failures: Failures;
}

export interface Slack extends AsyncDisposable {
  /** For deliveries: undefined where none is connected. */
  accessOf(organizationId: string): Promise<SlackAccess | undefined>;
  /** Asks Slack whose token it is; what is returned is to be stored. */
  connect(organizationId: string, fields: SlackFields): Promise<TestedApp>;
  /** Throws `SLACK_NOT_CONNECTED`. */
  conversations(organizationId: string, cursor: string): Promise<Conversations>;
  /**
   * Takes what came for an organisation, as Slack signed it. What it asks for is done afterwards. Throws `SLACK_SIGNATURE`
   * for what Slack did not send, or sent before, and `SLACK_LIMITED` where too much is under way.
   */
  take(organizationId: string, request: SignedRequest, source: Source): Promise<void>;
}

const maxAtOnce = 50;
const attempts = 3;
/** An answer's address is good for half an hour, but nobody waits so long. */
const longestWaitMs = 10_000;
/** When the server stops. */
const longestStopMs = 3_000;

export function createSlack(options: SlackOptions): Slack {
  const { state, box, failures } = options;
  const stores = { state, box };
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  const tools = { ...options.tools, signal: closing.signal };

  const opened = async (organizationId: string): Promise<OpenedApp> => {
    const app = await openSlackApp(stores, organizationId);
    if (!app) throw new CodedError('SLACK_NOT_CONNECTED');
    return app;
  };

  async function work(app: OpenedApp, press: Press, source: Source): Promise<void> {
    const outcome = await act({ ...options, tools }, app, press, source).catch((error: unknown): Outcome => {
      if (error instanceof CodedError) return { said: texts.failed(error.message) };
      return { said: texts.failed(texts.digest(failures.note(error).digest)) };
    });
    try {
      await answer(press.responseUrl, outcome);
    } catch (error) {
      failures.note(error, { message: 'could not answer a press in Slack', atMostEveryMs: 60_000 });
    }
  }

  async function answer(responseUrl: string, outcome: Outcome): Promise<void> {
    const body =
      'message' in outcome
        ? { replace_original: true, ...outcome.message }
        : { response_type: 'ephemeral', replace_original: false, text: escapeSlack(outcome.said) };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await answerPress(responseUrl, body, tools);
      } catch (error) {
        const mayPass = error instanceof CodedError && error.code !== 'SLACK_REFUSED';
        const waitMs = error instanceof CodedError ? (error.retryAfter ?? attempt) * 1000 : 0;
        if (!mayPass || attempt === attempts || waitMs > longestWaitMs || closing.signal.aborted) throw error;
        await delay(waitMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  }

  return {
    async accessOf(organizationId) {
      const app = await openSlackApp(stores, organizationId);
      return app && { token: app.token, apiUrl: app.apiUrl };
    },
    connect: (organizationId, fields) => connectSlack(stores, organizationId, fields, tools),
    conversations: async (organizationId, cursor) => listConversations(await opened(organizationId), cursor, tools),
    async take(organizationId, request, source) {
      const app = await openSlackApp(stores, organizationId);
      // The same for an organisation that is not there: a stranger learns nothing of who has an app.
      if (!app) throw refused('wrongSignature');
      const nowMs = Date.now();
      const verdict = judgeSignature(app.signingSecret, request, nowMs);
      if (verdict !== 'good') throw refused(verdict === 'wrong' ? 'wrongSignature' : verdict);
      if (running.size >= maxAtOnce) throw new CodedError('SLACK_LIMITED', [1], { retryAfter: 1 });
      const { signature = '', body } = request;
      if (!(await takeRequest(state, { organizationId, signature }, nowMs))) throw refused('replayed');
      const press = readPress(body);
      if (press === undefined) throw refused('malformed');
      if (press === 'ignored') return;
      if (!isOfWorkspace(app, press) || !isOfSlack(press.responseUrl, app.apiUrl)) throw refused('otherWorkspace');
      await notePress(state, organizationId, nowMs);
      const done: Promise<void> = work(app, press, source).finally(() => running.delete(done));
      running.add(done);
    },
    async [Symbol.asyncDispose]() {
      // Slack that does not answer holds up no stop.
      const last = setTimeout(() => closing.abort(), longestStopMs);
      await Promise.all(running);
      clearTimeout(last);
    },
  };
}

const refused = (why: 'unsigned' | 'wrongSignature' | 'stale' | 'replayed' | 'malformed' | 'otherWorkspace') =>
  new CodedError('SLACK_SIGNATURE', [texts[why]]);

/** The workspace where it was pressed; in a shared channel that may be another one than the person's own. */
const isOfWorkspace = ({ teamId, enterpriseId }: OpenedApp, press: Press): boolean =>
  press.teamId === teamId || (enterpriseId !== null && press.enterpriseId === enterpriseId);
