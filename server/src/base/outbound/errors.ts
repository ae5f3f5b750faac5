/**
 * How far a call came before it failed:
 * - `refused`: it is not made, and would not be the next time;
 * - `connect`: nothing was sent that the receiver could act upon;
 * - `sent`: the request went out and no answer came back, so nobody knows.
 */
export type Stage = 'refused' | 'connect' | 'sent';

export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly stage: Stage;

  constructor(stage: Stage, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.stage = stage;
  }
}
