/** The audit log as whoever changes something is given it. */
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { within } from '../../ports/state/within.ts';
import type { Action } from './actions.ts';
import { append, type Seal } from './chain.ts';
import { type Actor, changesOf, type Draft, type Source, type Target, type Told } from './entry.ts';

/** Who acts, from where, and of which organisation the log is; what was done, unless `note` says another thing. */
export interface Deed {
  readonly organizationId: string;
  readonly actor: Actor;
  readonly source: Source;
  readonly action?: Action | undefined;
}

/** Says what was done. An update after which all is as before is not told. */
export type Note = (
  target: Target,
  told?: Told & { readonly action?: Action; readonly organizationId?: string },
) => void;

export interface Audit {
  /** Writes entries in the transaction of what they tell. */
  record(trx: StateTransaction, drafts: readonly Draft[]): Promise<void>;
  /** Runs a change with what it notes in one transaction. `work` uses the state store that it is given, and no other. */
  recorded<T>(deed: Deed, work: (state: State, note: Note) => Promise<T>): Promise<T>;
  /** Told when something was written. */
  onWritten(listener: () => void): void;
}

const lateMs = 200;

/** Without a seal, as a command without the key has none, the chain is written and its head is not sealed. */
export function createAudit(state: State, seal: Seal | undefined): Audit {
  const listeners: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const record: Audit['record'] = async (trx, drafts) => {
    const nowMs = Date.now();
    const told = drafts.filter((draft) => !isNothing(draft));
    const logs = Map.groupBy(told, (draft) => draft.organizationId);
    // In one order: two changes that write to the same logs never wait for each other.
    for (const [organizationId, own] of [...logs].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      await append(trx, seal, organizationId, own, nowMs);
    }
    // The transaction is another's. It has nearly always ended by then, and a round finds what has not.
    timer ??= setTimeout(wrote, lateMs).unref();
  };
  const wrote = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const listener of listeners) listener();
  };
  return {
    record,
    async recorded({ action: usual, ...deed }, work) {
      const result = await state.transaction(async (trx) => {
        const drafts: Draft[] = [];
        const done = await work(within(state, trx), (target, { action = usual, ...told } = {}) => {
          if (action === undefined) throw new Error('nothing says what was done');
          drafts.push({ ...deed, action, target, ...told });
        });
        await record(trx, drafts);
        return done;
      });
      wrote();
      return result;
    },
    onWritten: (listener) => void listeners.push(listener),
  };
}

/** Nothing that was given before and after is another. */
const isNothing = (draft: Draft): boolean =>
  draft.before !== undefined && draft.after !== undefined && changesOf(draft.action, draft).length === 0;
