/** Events like this one that were not written: it was chosen among them at random, and stands for them. */
export interface StandsFor {
  readonly events: number;
  /** Whom they met, each once: JSON text of the user and address of the sender, '' where there is none. */
  readonly met: readonly (readonly [user: string, address: string])[];
}
