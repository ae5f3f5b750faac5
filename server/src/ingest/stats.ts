/** What ingestion has done since the start, for `/metrics`. Plain numbers: counting must cost nothing. */
export interface IngestStats {
  /** Requests by endpoint and status, `envelope 200`. */
  readonly requests: Map<string, number>;
  /** Refusals by error code. */
  readonly refused: Map<string, number>;
  /** Bytes of request bodies as they came. */
  receivedBytes: number;
  /** Requests whose client went away before the body was complete. */
  aborted: number;
  /** Requests that are being answered now. */
  inFlight: number;
}

export function createStats(): IngestStats {
  return { requests: new Map(), refused: new Map(), receivedBytes: 0, aborted: 0, inFlight: 0 };
}

export function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
