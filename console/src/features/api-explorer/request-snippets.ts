/** A request that somebody put together, as a command and as code. */
import { shellWord } from '../shell-quote.ts';
import { addressOf, type Draft, isList, listOf } from './request.ts';

export function asCurl(draft: Draft, origin: string): string {
  const { method, body } = draft.operation;
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellWord(origin + addressOf(draft))}`,
    '-H "Authorization: Bearer $CULPRIT_TOKEN"',
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${shellWord(compact(draft.body))}`] : []),
  ];
  return lines.join(' \\\n  ');
}

/** On one line where it can be read. */
function compact(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}

const indented = (value: unknown, by: number): string =>
  JSON.stringify(value, undefined, 2)
    .replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
    .replaceAll('\n', `\n${' '.repeat(by)}`);

export function asClient(draft: Draft, origin: string): string {
  const { operation, values } = draft;
  const part = (place: 'path' | 'query'): Record<string, unknown> =>
    Object.fromEntries(
      operation.parameters.flatMap(({ name, in: where, type }) => {
        const value = values[name]?.trim();
        if (where !== place || (!value && place === 'query')) return [];
        return [[name, typed(type, value ?? '')]];
      }),
    );
  const [path, query] = [part('path'), part('query')];
  const params = {
    ...(Object.keys(path).length > 0 && { path }),
    ...(Object.keys(query).length > 0 && { query }),
  };
  const options = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(operation.body && { body: parsed(draft.body) }),
  };
  const end = Object.keys(options).length > 0 ? `, ${indented(options, 0)}` : '';
  return [
    "import { createClient } from '@culprit/client';",
    '',
    `const culprit = createClient({ url: '${origin}', token: process.env.CULPRIT_TOKEN });`,
    '',
    `const { data } = await culprit.${operation.method}('${operation.path}'${end});`,
  ].join('\n');
}

/** As the client takes it. */
function typed(type: string, value: string): unknown {
  if (isList(type)) return listOf(value);
  if (type === 'boolean' && /^(true|false)$/.test(value)) return value === 'true';
  const isNumber = /^(integer|number)$/.test(type) && value !== '' && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}
