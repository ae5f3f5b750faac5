/**
 * The one place where failures of the program itself get their digest: the same number goes to the person, into the log
 * line with the full error, and into the event that is reported to the internal project.
 */
import { digestFor } from '@culprit/react/digest';
import { CodedError } from '../errors.ts';
import { createThrottle } from './throttle.ts';
import type { FailedRequest } from './request-facts.ts';
import type { Report } from './reporter.ts';

export interface FailureFacts {
  /** What was under way, as a sentence for the log; the error's own message unless given. */
  readonly message?: string;
  readonly request?: FailedRequest;
  /** Further fields of the log line and the event, such as positions in the log. */
  readonly fields?: Readonly<Record<string, string | number | undefined>>;
  /** A request's own logger; the program's unless given. */
  readonly log?: FailureLog;
  /** The same failure is logged once in so many ms; always unless given. */
  readonly atMostEveryMs?: number;
  /** True when it ends the process. */
  readonly fatal?: boolean;
}

export interface FailureLog {
  error(fields: object, message: string): void;
}

export interface NotedFailure {
  /** Up to ten digits. */
  readonly digest: string;
  /** 32 hexadecimal digits, when an event is on its way. */
  readonly eventId: string | undefined;
}

export interface Failures {
  /** Logs the error in full, and reports it. Never throws. */
  note(error: unknown, facts?: FailureFacts): NotedFailure;
}

interface Options {
  readonly logger: FailureLog;
  /** Takes what is to be reported, and returns the id of the event; undefined when it takes none. */
  readonly report?: (report: Report) => string | undefined;
}

export function createFailures({ logger, report }: Options): Failures {
  const throttle = createThrottle();
  return {
    note(error, { message, request, fields, log = logger, atMostEveryMs, fatal = false } = {}) {
      const digest = digestFor(error);
      const coded = error instanceof CodedError ? error : undefined;
      const sentence = message ?? coded?.message ?? new CodedError('INTERNAL').message;
      if (atMostEveryMs === undefined || throttle.passes(digest, atMostEveryMs)) {
        log.error({ err: error, digest, ...(request && { url: request.path }), ...fields }, sentence);
      }
      const level = fatal ? 'fatal' : coded ? 'warning' : 'error';
      const eventId = report?.({ error, digest, level, message: sentence, code: coded?.code, request, fields });
      return { digest, eventId };
    },
  };
}
