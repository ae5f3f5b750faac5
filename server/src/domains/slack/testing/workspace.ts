/**
 * A workspace of Slack for tests: not Slack itself, but a receiver that answers as its documents say
 * (https://docs.slack.dev/reference/methods, …/block-kit, …/interaction-payloads/block_actions-payload), holds messages
 * against Block Kit's limits, and signs presses.
 */
import { type HttpAnswer, openHttpReceiver, type ReceivedCall } from '../../notify/testing/receiver.ts';
import { slackSignature } from '../signature.ts';
import { blockFault } from './block-kit.ts';

export const botToken = 'xoxb-1234567890-abcdefghij';
export const signingSecret = '8f742231b10e8888abcd99yyyzzz85a5';
export const allScopes = 'chat:write,chat:write.public,channels:read,groups:read,users:read,users:read.email';
export const teamId = 'T0001';

export interface SlackPerson {
  readonly email?: string;
  readonly team?: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface Element {
  readonly type: string;
  readonly action_id: string;
}

export interface Block {
  readonly type: string;
  readonly block_id?: string;
  readonly elements?: readonly (Element & { readonly text?: string })[];
}

export interface Posted {
  readonly ts: string;
  channel: string;
  text: string;
  blocks: readonly Block[];
}

export interface Request {
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface PressOptions {
  readonly selected?: string;
  readonly team?: string;
  readonly responseUrl?: string;
  /** Seconds from now. */
  readonly age?: number;
  readonly secret?: string;
}

export interface Workspace extends AsyncDisposable {
  /** Of the API. */
  readonly apiUrl: string;
  readonly people: Map<string, SlackPerson>;
  readonly channels: { readonly id: string; readonly name: string; readonly is_private?: boolean }[];
  readonly posted: Posted[];
  /** Only the presser sees these. */
  readonly whispered: string[];
  readonly calls: readonly ReceivedCall[];
  scopes: string;
  /** Instead of what it would answer; undefined: as usual. */
  instead: (method: string) => HttpAnswer | undefined | Promise<HttpAnswer | undefined>;
  /** What Slack sends when somebody presses, or chooses, in a message. */
  press(message: Posted, action: string, by: string, options?: PressOptions): Request;
  /** Signs any form. */
  signed(body: string, options?: PressOptions): Request;
}

const json = (body: object, headers: Record<string, string> = {}): HttpAnswer => ({
  status: 200,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
});
const fault = (error: string, more: object = {}): HttpAnswer => json({ ok: false, error, ...more });

export async function openWorkspace(): Promise<Workspace> {
  const receiver = await openHttpReceiver();
  const people: Workspace['people'] = new Map();
  const channels: Workspace['channels'] = [];
  const posted: Posted[] = [];
  const whispered: string[] = [];

  const methods: Readonly<Record<string, (form: URLSearchParams, body: string) => HttpAnswer>> = {
    'auth.test': () =>
      json(
        {
          ok: true,
          url: 'https://acme.slack.com/',
          team: 'Acme HQ',
          user: 'culprit',
          team_id: teamId,
          user_id: 'U0BOT',
          bot_id: 'B0BOT',
          is_enterprise_install: false,
        },
        { 'x-oauth-scopes': workspace.scopes },
      ),
    'conversations.list'(form) {
      const from = Number(form.get('cursor') || 0);
      const to = from + Number(form.get('limit') ?? 100);
      const page = channels.slice(from, to).map((one) => ({ is_private: false, is_member: false, ...one }));
      return json({
        ok: true,
        channels: page,
        response_metadata: { next_cursor: to < channels.length ? String(to) : '' },
      });
    },
    'users.info'(form) {
      const id = form.get('user') ?? '';
      const person = people.get(id);
      if (!person) return fault('user_not_found');
      const { email, team = teamId, more } = person;
      const user = { id, team_id: team, deleted: false, is_bot: false, is_email_confirmed: true, profile: { email } };
      return json({ ok: true, user: { ...user, ...more } });
    },
    'chat.postMessage'(_form, body) {
      const message = JSON.parse(body) as { channel: string; text?: string; blocks?: Block[] };
      if (!channels.some(({ id, name }) => [id, name, `#${name}`].includes(message.channel)))
        return fault('channel_not_found');
      const wrong = blockFault(message);
      if (wrong !== undefined) return fault('invalid_blocks', { response_metadata: { messages: [wrong] } });
      const { channel, text = '', blocks = [] } = message;
      const ts = `1700000000.${String(posted.length + 1).padStart(6, '0')}`;
      posted.push({ ts, channel, text, blocks });
      return json({ ok: true, channel, ts, message: { type: 'message', text, blocks } });
    },
  };

  /** `response_url`: it answers `ok`, and JSON where it refuses. */
  const respond = (ts: string, body: string): HttpAnswer => {
    const said = JSON.parse(body) as { text?: string; blocks?: Block[]; replace_original?: boolean };
    const wrong = blockFault(said);
    if (wrong !== undefined) return fault('invalid_blocks');
    const message = posted.find((one) => one.ts === ts);
    if (!message) return { status: 404, body: 'used_url' };
    if (said.replace_original) Object.assign(message, { text: said.text ?? '', blocks: said.blocks ?? [] });
    else whispered.push(said.text ?? '');
    return { status: 200, body: 'ok' };
  };

  receiver.answer = async ({ path, headers, body }) => {
    const [, kind = '', name = ''] = path.split('/');
    const other = await workspace.instead(kind === 'api' ? name : kind);
    if (other) return other;
    if (kind === 'respond') return respond(name, body);
    const method = methods[name];
    if (kind !== 'api' || !method) return fault('unknown_method');
    if (headers.authorization === undefined) return fault('not_authed');
    if (headers.authorization !== `Bearer ${botToken}`) return fault('invalid_auth');
    return method(new URLSearchParams(body), body);
  };

  const signed: Workspace['signed'] = (body, { age = 0, secret = signingSecret } = {}) => {
    const timestamp = String(Math.floor(Date.now() / 1000) - age);
    return {
      body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': slackSignature(secret, timestamp, Buffer.from(body)),
      },
    };
  };

  const press: Workspace['press'] = (message, action, by, options = {}) => {
    const { selected, team = teamId, responseUrl = `${receiver.url}/respond/${message.ts}` } = options;
    const block = message.blocks.find(({ elements }) => elements?.some(({ action_id }) => action_id === action));
    const element = block?.elements?.find(({ action_id }) => action_id === action);
    if (!block || !element) throw new Error(`the message has no ${action}: ${JSON.stringify(message.blocks.at(-1))}`);
    const { type } = element;
    const payload = {
      type: 'block_actions',
      user: { id: by, username: 'somebody', name: 'somebody', team_id: team },
      api_app_id: 'A0001',
      token: 'deprecated',
      container: { type: 'message', message_ts: message.ts, channel_id: message.channel, is_ephemeral: false },
      trigger_id: `${Date.now()}.1.${Math.random()}`,
      team: { id: team, domain: 'acme' },
      enterprise: null,
      is_enterprise_install: false,
      channel: { id: message.channel, name: 'alerts' },
      message: { type: 'message', ts: message.ts, text: message.text, blocks: message.blocks },
      state: { values: {} },
      response_url: responseUrl,
      actions: [
        {
          type,
          action_id: action,
          block_id: block.block_id,
          action_ts: String(Date.now() / 1000),
          ...(selected !== undefined && { selected_user: selected }),
        },
      ],
    };
    return signed(new URLSearchParams({ payload: JSON.stringify(payload) }).toString(), options);
  };

  const workspace: Workspace = {
    apiUrl: `${receiver.url}/api`,
    people,
    channels,
    posted,
    whispered,
    calls: receiver.calls,
    scopes: allScopes,
    instead: () => undefined,
    press,
    signed,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
  return workspace;
}

/** The names of what can be pressed. */
export const pressable = ({ blocks }: Pick<Posted, 'blocks'>): string[] =>
  blocks
    .filter(({ type }) => type === 'actions')
    .flatMap(({ elements }) => (elements ?? []).map(({ action_id }) => action_id));

/** What was done, as the message says it. */
export const said = ({ blocks }: Pick<Posted, 'blocks'>): string =>
  blocks
    .filter(({ type }) => type === 'context')
    .flatMap(({ elements }) => (elements ?? []).map(({ text }) => text ?? ''))
    .join(' ');
