/** What the Copy button gives: all that whoever is asked for help will ask for. */
import { digestLine } from './text.ts';

export interface FailureReport {
  /** The first line, as the screen shows it. */
  readonly message: string;
  readonly digest?: string | undefined;
  readonly eventId?: string | undefined;
  readonly url: string;
  /** Of the failure, not of the copy. */
  readonly time: Date;
}

/** One line each; what is not known has none. */
export function failureReport({ message, digest, eventId, url, time }: FailureReport): string {
  return [message, digestLine(digest), eventId && `Event ID: ${eventId}`, `URL: ${url}`, `Time: ${time.toISOString()}`]
    .filter(Boolean)
    .join('\n');
}
