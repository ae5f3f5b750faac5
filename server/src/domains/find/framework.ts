/** What a project is built with, as its newest events tell: decides which snippet helps it. */
import type { VisibleProject } from '../issues/index.ts';
import type { Match } from './matches.ts';

export type FrameworkName =
  | 'nextjs'
  | 'react-router'
  | 'remix'
  | 'tanstack-start'
  | 'express'
  | 'node'
  | 'react'
  | 'other';

export interface Framework {
  readonly name: FrameworkName;
  /** '' when no event has told. */
  readonly sdk: string;
  readonly sdkVersion: string;
  /** Known of Next.js only. */
  readonly bundler: 'turbopack' | 'webpack' | undefined;
}

/** Parts of names of SDKs and of platforms alike, the most telling first. */
const marks: readonly (readonly [RegExp, FrameworkName])[] = [
  [/nextjs/, 'nextjs'],
  [/react-?router/, 'react-router'],
  [/remix/, 'remix'],
  [/tanstack/, 'tanstack-start'],
  [/express/, 'express'],
  [/\bnode|bun|deno|aws-?serverless|cloudflare/, 'node'],
  [/(?<!native.{0,10})\breact\b/, 'react'],
];

const rankOf = (name: string): number => {
  const rank = marks.findIndex(([mark]) => mark.test(name));
  return rank < 0 ? marks.length : rank;
};

/** `events` are the newest, `project` the one that they most likely come from. */
export function frameworkOf(events: readonly Match[], project: VisibleProject | undefined): Framework {
  const ranked = events
    .filter(({ sdk }) => sdk !== '')
    .map((event) => ({ event, rank: rankOf(event.sdk) }))
    .toSorted((a, b) => a.rank - b.rank);
  const { event, rank = marks.length } = ranked[0] ?? {};
  const name = marks[Math.min(rank, rankOf(project?.platform ?? ''))]?.[1] ?? 'other';
  const next = events.filter(({ sdk }) => /nextjs/.test(sdk));
  return {
    name,
    sdk: event?.sdk ?? '',
    sdkVersion: event?.sdkVersion ?? '',
    bundler:
      name !== 'nextjs' || !next.length ? undefined : next.some(({ turbopack }) => turbopack) ? 'turbopack' : 'webpack',
  };
}
