/** Addresses of everything that the API shows of a recorded directory. */
import type { Server } from '../../server/test/harness.ts';
import { type Asked, ask, ofProgram } from '../../server/test/old-data/facts.ts';
import { idOf } from './traffic.ts';

type Values = Readonly<Record<string, readonly string[]>>;

/**
 * A stream that never ends, what is the machine's, what is asked with words of its own, messages that are gathered by the
 * second, and what stands at two addresses.
 */
const left =
  /\/(?:live|health|setup|chunk-upload|invitations|preview|deliveries)\b|^\/$|^\/issues\/\{issue\}\/(?!owners|comments|user-reports)/;

const range = 'statsPeriod=30d';
const search = (query: string): string => `query=${encodeURIComponent(query)}&${range}`;

/** Of pages that must be told what they are about, or that show little unless they are. */
const asked = (transaction: string, project: string): readonly string[] => [
  ...[
    'is:resolved',
    'is:archived',
    'is:unresolved',
    'StockError',
    'assigned:#checkout',
    'issue.category:performance',
  ].map((query) => `/organizations/acme/issues/?${search(query)}`),
  `/organizations/acme/events/?dataset=errors&field=title&field=count()&${range}`,
  `/organizations/acme/events/?dataset=spans&field=span.op&field=count()&${range}`,
  `/organizations/acme/events/?dataset=transactions&field=transaction&field=count()&${range}`,
  `/organizations/acme/logs/?${range}`,
  `/organizations/acme/traces/?${range}`,
  `/organizations/acme/items/?${range}`,
  `/organizations/acme/outcomes/?${range}`,
  `/organizations/acme/sessions/?${range}&field=sum(session)&groupBy=release`,
  `/organizations/acme/trace-logs/?traceId=${idOf('otlp')}`,
  `/organizations/acme/find/?query=1930860604`,
  `/organizations/acme/find/?query=${idOf('stock 0')}`,
  `/organizations/acme/releases/compare/?from=shop%401.0.0&to=shop%401.1.0`,
  `/organizations/acme/trace-items/attributes/?itemType=spans`,
  ...['details', 'operations', 'samples', 'tags'].map(
    (part) =>
      `/organizations/acme/transactions/${part}/?transaction=${encodeURIComponent(transaction)}&op=http.server&project=${project}&${range}`,
  ),
];

/** Those that answer 200. */
export async function answeredPaths(server: Server, known: Omit<Asked, 'paths'>): Promise<string[]> {
  const document = (await (await ask(server, '/openapi.json', known.tokens.owner)).json()) as {
    paths: Record<string, { get?: { parameters?: { in: string; required?: boolean }[] } }>;
  };
  const values = await valuesOf(server, known);
  const paths: string[] = [];
  for (const [address, { get }] of Object.entries(document.paths)) {
    const template = address.replace('/api/0', '');
    if (!get || left.test(template) || ofProgram.test(template)) continue;
    if (get.parameters?.some((one) => one.in === 'query' && one.required)) continue;
    const answered = await keepAnswered(server, filled(template, values), known.tokens.owner);
    if (answered.length === 0) console.warn(`nothing of ${template}`);
    paths.push(...answered);
  }
  const [shop] = known.projects;
  const wanted = asked('GET /reports', shop?.id ?? '');
  const answered = await keepAnswered(server, wanted, known.tokens.owner);
  for (const path of wanted) if (!answered.includes(path)) console.warn(`nothing of ${path}`);
  return [...paths, ...answered];
}

async function keepAnswered(server: Server, paths: readonly string[], token: string): Promise<string[]> {
  const kept: string[] = [];
  for (const path of paths) {
    const response = await ask(server, path, token);
    await response.body?.cancel();
    if (response.status === 200) kept.push(path);
  }
  return kept;
}

function filled(template: string, values: Values): string[] {
  const name = /\{(\w+)\}/.exec(template)?.[1];
  if (name === undefined) return [template];
  return (values[name] ?? []).flatMap((value) =>
    filled(template.replace(`{${name}}`, encodeURIComponent(value)), values),
  );
}

async function valuesOf(server: Server, { organization, projects, tokens }: Omit<Asked, 'paths'>): Promise<Values> {
  type Row = Readonly<Record<string, unknown>>;
  const get = async (path: string): Promise<readonly Row[]> => {
    const found = (await (await ask(server, path, tokens.owner)).json()) as
      | readonly Row[]
      | { feedback?: readonly Row[] };
    return 'feedback' in found ? (found.feedback ?? []) : (found as readonly Row[]);
  };
  const texts = async (path: string, key: string, atMost: number): Promise<string[]> =>
    (await get(path)).slice(0, atMost).map((one) => String(one[key]));
  const of = `/organizations/${organization}`;
  const [shop] = projects;
  const issues = await get(`${of}/issues/?${search('')}&limit=100`);
  const named = (word: string): string[] =>
    issues.filter(({ title }) => String(title).startsWith(word)).map(({ id }) => String(id));
  const shared = await Promise.all(issues.map(({ id }) => ask(server, `${of}/issues/${String(id)}/`, tokens.owner)));
  const shareIds = await Promise.all(shared.map(async (one) => ((await one.json()) as { shareId?: string }).shareId));
  return {
    org: [organization],
    project: projects.map(({ slug }) => slug),
    issue: ['CheckoutError', 'StockError', 'Slow DB Query'].flatMap(named),
    event: ['latest', ...['with files', 'built, early', 'last, new'].map((name) => idOf(name))],
    shareId: shareIds.filter((id): id is string => typeof id === 'string'),
    shortId: issues.slice(0, 2).map(({ shortId }) => String(shortId)),
    item: await texts(`${of}/items/?${range}`, 'id', 5),
    feedback: await texts(`${of}/feedback/?${range}`, 'id', 3),
    version: ['shop@1.0.0', 'shop@1.1.0'],
    trace: [idOf('report 0'), idOf('otlp')],
    span: [idOf('query of report 0', 16)],
    log: await texts(`${of}/logs/?${range}`, 'id', 2),
    key: ['region', 'release', 'environment'],
    saved: await texts(`${of}/explore/saved/`, 'id', 2),
    rule: await texts(`${of}/alert-rules/`, 'id', 5),
    attachment: await texts(
      `/projects/${organization}/${shop?.slug}/events/${idOf('with files')}/attachments/`,
      'id',
      4,
    ),
    export: await texts(`${of}/data-export/`, 'id', 1),
    team: ['checkout'],
    bundle: await texts(`/projects/${organization}/${shop?.slug}/files/artifact-bundles/`, 'bundleId', 1),
  };
}
