/** Whether people may change something just now: while the installation moves to other stores, they may not. */
import type { FastifyInstance } from 'fastify';
import { CodedError } from '../base/errors.ts';

/** Seconds after which a change that was refused may be tried again. */
const retryAfter = 3;

export interface Changes {
  /** Refuses requests of these routes that change something while the installation moves, and all once it has moved. */
  guard(scope: FastifyInstance): void;
}

export interface MoveState extends Changes {
  /** Where it moves to, for people. */
  movingTo: string | undefined;
  movedTo: string | undefined;
  /** Sends what was received last, once nothing is received any more; at a stop. */
  finish: () => Promise<void>;
  /** Requests under way that change something. */
  writes: number;
}

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createMoveState(): MoveState {
  const state: MoveState = {
    movingTo: undefined,
    movedTo: undefined,
    finish: () => Promise.resolve(),
    writes: 0,
    guard(scope) {
      const counted = new WeakSet();
      scope.addHook('onRequest', async (request) => {
        if (state.movedTo !== undefined) throw new CodedError('MOVED', [state.movedTo], { retryAfter });
        if (reading.has(request.method)) return;
        if (state.movingTo !== undefined) throw new CodedError('MOVING', [state.movingTo], { retryAfter });
        counted.add(request);
        state.writes += 1;
      });
      scope.addHook('onResponse', async (request) => {
        if (counted.delete(request)) state.writes -= 1;
      });
    },
  };
  return state;
}
