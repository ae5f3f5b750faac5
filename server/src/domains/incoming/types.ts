/** What incoming webhooks are, and what they tell. */
import type { ReportedCommit } from '../releases/index.ts';

export const incomingProviders = ['github', 'gitlab', 'vercel', 'netlify'] as const;
export type IncomingProvider = (typeof incomingProviders)[number];

/** Which projects a repository or site is of, and what its releases are called. */
export interface IncomingMapping {
  /** Name of a repository, or name or id of a site, in any case; `*` for all. */
  readonly match: string;
  readonly projectIds: readonly number[];
  /** With `{commit}`, `{tag}` or `{version}`: see `version.ts`. */
  readonly version: string;
  /** Deploys to others are ignored; empty: none is. */
  readonly environments: readonly string[];
}

/** What happened at a provider, in the same words for all of them. */
export interface Happening {
  /** By which mappings find it; the first is what people call it. */
  readonly names: readonly string[];
  /** As commits name it; '' where the provider does not say. */
  readonly repository: string;
  /** SHA; '' where it is not said. */
  readonly commit: string;
  readonly tag: string;
  /** Branch or tag. */
  readonly ref: string;
  /** Newest first. */
  readonly commits: readonly ReportedCommit[];
  readonly release?: { readonly url: string; readonly releasedAt: number } | undefined;
  readonly deploy?:
    | {
        readonly environment: string;
        /** By which one that is told twice is known. */
        readonly name: string;
        readonly url: string;
        readonly startedAt: number | null;
        readonly finishedAt: number;
      }
    | undefined;
}

export type Told = { readonly happening: Happening } | { readonly ignored: string };

/** A request as its provider means it. */
export type Reading = Told & {
  /** As the provider calls it. */
  readonly event: string;
  /** Id of the delivery; '' where the provider gives none. */
  readonly delivery: string;
};

export type IncomingResult = 'taken' | 'ignored' | 'refused';
