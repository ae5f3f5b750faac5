/** Where errors of React end: the whole page before the app is up, a part of it afterwards. */
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { digestInCauses } from './digest.ts';
import { currentGuard } from './guard/api.ts';
import { Details, LoadFailure } from './load-failure.tsx';
import { isStaleChunk, reloadOnceForStaleChunk } from './stale-chunk.ts';
import { digestLine } from './text.ts';

/**
 * Reports an error and gives the event id that the person sees. Not asked for what the guard has reported; where it gives
 * nothing, the guard reports. So do not report caught errors elsewhere too (`onCaughtError`).
 */
export type OnError = (error: unknown, info: ErrorInfo) => string | undefined | void;

export interface LoadFailureBoundaryProps {
  readonly children?: ReactNode;
  readonly onError?: OnError | undefined;
}

export interface RouteBoundaryProps extends LoadFailureBoundaryProps {
  /** Another value, of the address for instance, tries again. */
  readonly resetKey?: unknown;
  /** Called before "Try again" renders the children anew. */
  readonly onRetry?: (() => void) | undefined;
  /** Heading of the panel. */
  readonly message?: string | undefined;
  /** Of the panel, which has no look of its own. */
  readonly className?: string | undefined;
}

interface BoundaryState {
  readonly resetKey: unknown;
  /** Settled when it is known that the page is not loaded again, and reported. */
  readonly failure:
    | { readonly error: unknown; readonly eventId?: string | undefined; readonly settled?: true }
    | undefined;
}

abstract class Boundary<P extends RouteBoundaryProps> extends Component<P, BoundaryState> {
  override state: BoundaryState = { failure: undefined, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ resetKey }: RouteBoundaryProps, state: BoundaryState): BoundaryState | null {
    return resetKey === state.resetKey ? null : { failure: undefined, resetKey };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    if (reloadOnceForStaleChunk(error)) return;
    this.setState({ failure: { error, eventId: report(error, info, this.props.onError), settled: true } });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    // Until it is known whether the page is loaded again, nothing is shown that would vanish at once.
    if (!failure.settled && isStaleChunk(failure.error)) return null;
    return this.renderFailure(failure.error, failure.eventId);
  }

  protected abstract renderFailure(error: unknown, eventId: string | undefined): ReactNode;
}

/** Around the whole app: an error that nothing else caught shows the load-failure screen. A stale chunk loads the page again first. */
export class LoadFailureBoundary extends Boundary<LoadFailureBoundaryProps> {
  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    super.componentDidCatch(error, info);
    // From here on the screen is React's.
    currentGuard()?.ready();
  }

  protected override renderFailure(error: unknown, eventId: string | undefined): ReactNode {
    return <LoadFailure error={error} eventId={eventId} />;
  }
}

/** Around a part of the app: an error in it puts a small panel in its place, and the rest of the page stays. */
export class RouteBoundary extends Boundary<RouteBoundaryProps> {
  protected override renderFailure(error: unknown, eventId: string | undefined): ReactNode {
    const { message = 'This part of the page could not be shown.', className } = this.props;
    const digest = digestInCauses(error);
    return (
      <section className={className}>
        <div role="alert">
          <h2>{message}</h2>
          {digest && <p>{digestLine(digest)}</p>}
        </div>
        <Details
          message={`${message}\n${describe(error)}`}
          digest={digest}
          eventId={eventId}
          onRetry={() => {
            // React keeps the failure of a lazy component; only a new page asks for the file again.
            if (isStaleChunk(error)) return location.reload();
            this.props.onRetry?.();
            this.setState({ failure: undefined });
          }}
        />
      </section>
    );
  }
}

function report(error: unknown, info: ErrorInfo, onError: OnError | undefined): string | undefined {
  const guard = currentGuard();
  try {
    return (
      guard?.held().find((held) => held.error === error)?.eventId ?? onError?.(error, info) ?? guard?.report(error)
    );
  } catch {
    // A reporter that fails must not take the screen along.
    return undefined;
  }
}

function describe(error: unknown): string {
  try {
    return String(error).slice(0, 500);
  } catch {
    return 'unknown error';
  }
}
