/** Pure: what a setup is made of, and how its code becomes that of one project. */

/** What an SDK sends besides errors, by choice: lines of the code are there for it alone. */
export const extras = ['traces', 'logs', 'sessions', 'release'] as const;
export type Extra = (typeof extras)[number];

export interface Code {
  /** Where it belongs; absent for commands. */
  readonly file?: string;
  /** As the highlighter calls it; `sh` for commands. */
  readonly language: string;
  readonly code: string;
}

export interface SetupStep extends Code {
  readonly title: string;
}

export interface Setup {
  readonly steps: readonly SetupStep[];
  /** The SDK sends sessions without being asked to. */
  readonly sendsSessions?: boolean;
  /** No OpenTelemetry of its language runs there. */
  readonly isBrowser?: boolean;
}

export interface Target {
  readonly dsn: string;
  readonly org: string;
  readonly project: string;
}

/** `‹dsn›`, `‹origin›`, `‹key›`, `‹id›`, `‹org›`, `‹project›` within code. */
const place = /‹(dsn|origin|key|id|org|project)›/g;

/** At the start of a line: the line is there only with this extra. */
const extraLine = /^‹(traces|logs|sessions|release)›/;

/** The code of one project, with the lines of the extras that are wanted. */
export function fill(code: string, { dsn, org, project }: Target, wanted: ReadonlySet<Extra>): string {
  const url = URL.canParse(dsn) ? new URL(dsn) : undefined;
  const values: Readonly<Record<string, string>> = {
    dsn,
    org,
    project,
    origin: url?.origin ?? '',
    key: url?.username ?? '',
    id: url?.pathname.slice(1) ?? '1',
  };
  return code
    .split('\n')
    .flatMap((line) => {
      const extra = extraLine.exec(line)?.[1] as Extra | undefined;
      if (extra && !wanted.has(extra)) return [];
      return [line.replace(extraLine, '').replaceAll(place, (_, name: string) => values[name] ?? '')];
    })
    .join('\n');
}

/** Which extras the code has lines for. */
export function extrasOf(steps: readonly SetupStep[]): Extra[] {
  const text = steps.map(({ code }) => code).join('\n');
  return extras.filter((extra) => text.includes(`‹${extra}›`));
}
