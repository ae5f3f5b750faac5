/**
 * What routes are made of: pages are loaded when they are needed; what they ask for is asked for beside, and what asks
 * is loaded then too, unless the first page has it anyway.
 */
import type { QueryClient } from '@tanstack/react-query';
import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import { connectionError } from '../../api/errors.ts';
import type { Ahead, Question } from '../question.ts';

/**
 * The component of a page, which is what its file exports as `…Page`, loaded with it. Offline a reload, by which the router
 * mends what is gone, ends the console.
 */
export const page = (load: () => Promise<object>) =>
  lazyRouteComponent(async () => {
    const module = await load().catch((error: unknown) => {
      throw navigator.onLine ? error : connectionError(error);
    });
    const [, component] = Object.entries(module).find(([name]) => name.endsWith('Page')) ?? [];
    return { default: component as RouteComponent };
  });

interface Visit {
  /** Ahead of a click. */
  readonly preload: boolean;
  readonly location: { readonly state: { readonly prefetchFor?: string } };
  readonly context: { readonly queryClient: QueryClient; readonly ahead: Ahead };
}

/** Asks for what a page shows. Opening it asks at once, and draws without waiting; a prefetch waits for its turn. */
export function ask({ preload, location, context: { queryClient, ahead } }: Visit, ...questions: Question[]): void {
  if (preload) ahead.ask?.(location.state.prefetchFor ?? '', questions);
  else for (const each of questions) void each.ask(queryClient);
}

/**
 * The same where what asks comes with the page. The page waits for it, or it would ask first and this a second time. A
 * script that is gone is told of by the page, which is in want of it too.
 */
export function askWith<Queries>(
  visit: Visit,
  load: () => Promise<Queries>,
  questions: (queries: Queries) => Question[],
): Promise<void> {
  return load().then(
    (queries) => ask(visit, ...questions(queries)),
    () => undefined,
  );
}
