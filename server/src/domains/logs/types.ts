/** Logs as they are read. Times are µs since the epoch. */

export interface LogLine {
  /** 32 hex digits: the time, then a hash of what the log says. */
  readonly id: string;
  readonly projectId: number;
  /** '' for none. */
  readonly traceId: string;
  /** '' for none. */
  readonly spanId: string;
  readonly atUs: number;
  /** trace, debug, info, warn, error or fatal. */
  readonly level: string;
  /** 0 where the sender names no severity. */
  readonly severityNumber: number;
  readonly body: string;
  readonly service: string;
  readonly environment: string;
  readonly release: string;
}

/** A log among the spans of its trace. */
export type TraceLog = Pick<LogLine, 'id' | 'projectId' | 'spanId' | 'atUs' | 'level' | 'service'> & {
  /** The beginning of the body. */
  readonly message: string;
};

export interface LogDetails extends LogLine {
  readonly observedUs: number;
  /** ms since the epoch. */
  readonly receivedAt: number;
  readonly origin: string;
  readonly sdkName: string;
  readonly sdkVersion: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly numbers: Readonly<Record<string, number>>;
  /** JSON text, '' for none. */
  readonly remarks: string;
}
