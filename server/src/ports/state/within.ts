import type { State, StateTransaction } from './state.ts';

/** The state store as seen from inside a transaction: whoever is given it takes part in that transaction. */
export function within(state: State, trx: StateTransaction): State {
  return {
    ...state,
    db: trx,
    transaction: (work) => work(trx),
    migrate: () => Promise.reject(new Error('a transaction does not migrate')),
    close: () => Promise.reject(new Error('a transaction closes nothing')),
  };
}
