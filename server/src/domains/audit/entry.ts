/** An entry of the audit log: what is handed in, and the text that it becomes, over which it is hashed. */
import { type Action, actions, type ActionFacts, type TargetType } from './actions.ts';
import { cleanText } from './text.ts';

/** `host`: a command on the machine; `visitor`: nobody that we know; `system`: Culprit itself. */
export type ActorType = 'user' | 'token' | 'host' | 'visitor' | 'system';

export interface Actor {
  readonly type: ActorType;
  /** Of the user, also where a token of theirs acts. */
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly session?: string | undefined;
  readonly token?: { readonly id: number; readonly name: string } | undefined;
}

/** From where. */
export interface Source {
  readonly address?: string | undefined;
  readonly agent?: string | undefined;
}

export interface Target {
  readonly id: string | number;
  readonly name: string;
  /** Slug of the project that it is in. */
  readonly project?: string | undefined;
}

type Value = string | number | boolean | null;
/** Objects are written as JSON. */
type Given = unknown;

export interface Told {
  readonly before?: Readonly<Record<string, Given>>;
  readonly after?: Readonly<Record<string, Given>>;
  readonly details?: Readonly<Record<string, Given>>;
}

export interface Draft extends Told {
  readonly organizationId: string;
  readonly action: Action;
  readonly actor: Actor;
  readonly source: Source;
  readonly target: Target;
}

export interface Change {
  readonly field: string;
  /** Not there where the value is not for a log. */
  readonly before?: Value | readonly Value[];
  readonly after?: Value | readonly Value[];
}

/** As it stands in the store, in this order of its keys; see docs/audit-log.md. */
export interface Content {
  readonly organization: string;
  /** From 1, without holes. */
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
  readonly action: Action;
  readonly actor: {
    readonly type: ActorType;
    readonly id?: string;
    readonly name?: string;
    readonly email?: string;
    readonly session?: string;
    readonly token?: { readonly id: number; readonly name: string };
  };
  readonly target: {
    readonly type: TargetType;
    readonly id?: string;
    readonly name?: string;
    readonly project?: string;
  };
  readonly source: { readonly address?: string; readonly agent?: string };
  readonly changes?: readonly Change[];
  readonly details?: Readonly<Record<string, Value | readonly Value[]>>;
}

const maxNames = 20;
const maxValue = 200;

function valueOf(given: Given): Value | readonly Value[] {
  if (given === null || given === undefined) return null;
  if (typeof given === 'boolean' || (typeof given === 'number' && Number.isFinite(given))) return given;
  if (Array.isArray(given)) {
    const shown = given.slice(0, maxNames).map((one) => [valueOf(one)].flat().join(', '));
    return given.length > maxNames ? [...shown, `+${given.length - maxNames}`] : shown;
  }
  return cleanText(typeof given === 'string' ? given : JSON.stringify(given), maxValue);
}

const same = (a: Given, b: Given): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Of the settings that the action names, those that are others afterwards. */
export function changesOf(action: Action, { before, after }: Told): Change[] {
  if (!after) return [];
  return Object.entries((actions[action] as ActionFacts).changes ?? {}).flatMap(([field, kind]) => {
    if (!(field in after) || same(before?.[field], after[field])) return [];
    if (kind !== 'shown') return [{ field }];
    return [{ field, before: valueOf(before?.[field]), after: valueOf(after[field]) }];
  });
}

const said = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')) as T;

const optional = (text: string | undefined): string | undefined => (text === undefined ? undefined : cleanText(text));

export function contentOf(draft: Draft, seq: number, nowMs: number): Content {
  const { organizationId, action, actor, source, target } = draft;
  const facts: ActionFacts = actions[action];
  const changes = changesOf(action, draft);
  const details = (facts.details ?? []).flatMap((name) => {
    const given = draft.details?.[name];
    return given === undefined || given === '' ? [] : [[name, valueOf(given)] as const];
  });
  return {
    organization: organizationId,
    seq,
    at: new Date(nowMs).toISOString(),
    action,
    actor: said({
      type: actor.type,
      id: optional(actor.id),
      name: optional(actor.name),
      email: optional(actor.email),
      session: optional(actor.session),
      token: actor.token && { id: actor.token.id, name: cleanText(actor.token.name) },
    }) as Content['actor'],
    target: said({
      type: facts.target,
      id: cleanText(String(target.id)),
      name: cleanText(target.name),
      project: optional(target.project),
    }) as Content['target'],
    source: said({ address: optional(source.address), agent: optional(source.agent) }) as Content['source'],
    ...(changes.length > 0 && { changes }),
    ...(details.length > 0 && { details: Object.fromEntries(details) }),
  };
}
