/**
 * Compiles a catalogue, JSON of ICU messages by key, to a module: a text becomes a constant, a message with parameters a
 * typed function, a group of messages an object. A build has one language, so nothing of this is left at run time.
 */
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { pseudo, type PseudoLocale } from './pseudo.ts';

/** Tags that are the element of their name; any other is a parameter. */
const elements: ReadonlySet<string> = new Set(['code', 'em', 'kbd', 'strong']);

const reserved: ReadonlySet<string> = new Set(
  (
    'await break case catch class const continue debugger default delete do else enum export extends false finally for ' +
    'function if import in instanceof interface let new null package private protected public return static super ' +
    'switch this throw true try typeof var void while with yield p'
  ).split(' '),
);

/** What nobody uses is left out. */
const pure = '/* @__PURE__ */ ';

type Catalogue = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** Of a message: the expression that makes it, and what it takes. */
interface Compiled {
  readonly code: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly isRich: boolean;
}

export function compileCatalogue(name: string, json: string, locale?: PseudoLocale): string {
  const helpers = new Set<string>();
  const exported = Object.entries(JSON.parse(json) as Catalogue).map(([key, entry]) => {
    const place = `${name}.json, ${key}`;
    if (!/^[a-z]\w*$/i.test(key) || reserved.has(key)) throw new Error(`${place}: no name for a constant`);
    if (typeof entry === 'string') {
      const { value, type } = asValue(compileMessage(place, entry, helpers, locale));
      return `export const ${key}${type && `: ${type}`} = ${value};\n`;
    }
    const members = Object.entries(entry).map(([member, message]) => {
      const { value } = asValue(compileMessage(`${place}.${member}`, message, helpers, locale));
      return `  ${JSON.stringify(member)}: ${value},\n`;
    });
    return `export const ${key} = {\n${members.join('')}};\n`;
  });
  return [
    `/** Of the catalogue ${name}, by console/scripts/build-messages.ts. */\n`,
    importOf(['form', 'number'], helpers, './format.ts'),
    importOf(['element', 'rich'], helpers, './rich.ts'),
    helpers.has('ReactNode') ? `import type { ReactNode } from 'react';\n` : '',
    '\n',
    ...exported,
  ].join('');
}

function importOf(names: readonly string[], helpers: ReadonlySet<string>, from: string): string {
  const used = names.filter((name) => helpers.has(name));
  return used.length > 0 ? `import { ${used.join(', ')} } from '${from}';\n` : '';
}

function asValue({ code, parameters, isRich }: Compiled): { readonly value: string; readonly type: string } {
  const result = isRich ? 'ReactNode' : 'string';
  if (parameters.size === 0) return { value: code, type: result };
  const takes = [...parameters].map(([parameter, type]) => `readonly ${parameter}: ${type}`).join('; ');
  return { value: `(p: { ${takes} }): ${result} => ${code}`, type: '' };
}

function compileMessage(place: string, text: string, helpers: Set<string>, locale?: PseudoLocale): Compiled {
  const parameters = new Map<string, string>();
  const isRich = /<[a-z]/i.test(text);
  if (isRich) helpers.add('ReactNode');
  const take = (parameter: string, type: string): string => {
    const known = parameters.get(parameter);
    if (known !== undefined && known !== type)
      throw new Error(`${place}: {${parameter}} is ${known} and ${type} at once`);
    parameters.set(parameter, type);
    return `p.${parameter}`;
  };
  const use = (helper: string): string => {
    helpers.add(helper);
    return helper;
  };
  /** What the parts are joined with: texts stand in one, nodes beside each other. */
  const join = (parts: readonly Part[]): string => {
    if (parts.every((part) => part.kind !== 'node')) return textOf(parts);
    const groups = Array.from(runs(parts), (run) => (run[0]?.kind === 'node' ? run[0].code : textOf(run)));
    return groups.length === 1 ? (groups[0] ?? '') : `${pure}${use('rich')}(${groups.join(', ')})`;
  };
  const walk = (nodes: readonly MessageFormatElement[], counted: string): Part[] =>
    nodes.flatMap((node) => part(node, counted));
  const choice = (parts: readonly Part[]): Pick<Part, 'kind' | 'code'> => ({
    kind: parts.some(({ kind }) => kind === 'node') ? 'node' : 'value',
    code: join(parts),
  });

  function part(node: MessageFormatElement, counted: string): Part[] {
    switch (node.type) {
      case TYPE.literal:
        return literal(node.value);
      case TYPE.argument:
        return [{ kind: 'value', code: isolated(take(node.value, 'string')) }];
      case TYPE.number:
        if (node.style) break;
        return [{ kind: 'value', code: `${use('number')}(${take(node.value, 'number')})` }];
      case TYPE.pound:
        return [{ kind: 'value', code: `${use('number')}(${counted})` }];
      case TYPE.plural: {
        if (node.offset !== 0 || node.pluralType !== 'cardinal') break;
        const value = take(node.value, 'number');
        const cases = Object.entries(node.options).map(([key, option]) => ({
          when: key.startsWith('=') ? `${value} === ${key.slice(1)}` : `${use('form')}(${value}) === '${key}'`,
          isRest: key === 'other',
          ...choice(walk(option.value, value)),
        }));
        return [oneOf(cases)];
      }
      case TYPE.select: {
        const value = take(node.value, 'string');
        const cases = Object.entries(node.options).map(([key, option]) => ({
          when: `${value} === '${key}'`,
          isRest: key === 'other',
          ...choice(walk(option.value, counted)),
        }));
        return [oneOf(cases)];
      }
      case TYPE.tag: {
        const inner = join(walk(node.children, counted));
        const code = elements.has(node.value)
          ? `${pure}${use('element')}('${node.value}', ${inner})`
          : `${take(node.value, '(text: ReactNode) => ReactNode')}(${inner})`;
        return [{ kind: 'node', code }];
      }
      default:
    }
    throw new Error(`${place}: numbers and dates come formatted, from ui/numbers.ts and ui/relative-time.ts`);
  }

  /** `<when/>` is the place of an element, which is given under that name. */
  function literal(value: string): Part[] {
    return value.split(/<([a-z]\w*)\/>/i).flatMap((piece, index): Part[] => {
      if (index % 2 === 1) return [{ kind: 'node', code: take(piece, 'ReactNode') }];
      return piece === '' ? [] : [{ kind: 'text', code: piece }];
    });
  }

  /** A pseudo-locale shows what is data and none of its own words. */
  const isolated = (code: string): string => (locale ? `\`\\u2068\${${code}}\\u2069\`` : code);

  try {
    const parsed = parse(text, { requiresOtherClause: true });
    return { code: join(walk(locale ? pseudo(parsed, locale) : parsed, '')), parameters, isRich };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(message.startsWith(place) ? message : `${place}: ${message} in “${text}”`, { cause: error });
  }
}

interface Part {
  /** Words; an expression that is a text; an expression that is an element. */
  readonly kind: 'text' | 'value' | 'node';
  readonly code: string;
}

interface Case extends Pick<Part, 'kind' | 'code'> {
  readonly when: string;
  readonly isRest: boolean;
}

function oneOf(cases: readonly Case[]): Part {
  const rest = cases.find(({ isRest }) => isRest)?.code ?? "''";
  const code = cases
    .filter(({ isRest }) => !isRest)
    .reduceRight((else_, { when, code }) => `${when} ? ${code} : ${else_}`, rest);
  return { kind: cases.some(({ kind }) => kind === 'node') ? 'node' : 'value', code: `(${code})` };
}

/** Neighbours that make one text together; each node alone. */
function* runs(parts: readonly Part[]): Generator<Part[]> {
  let run: Part[] = [];
  for (const part of parts) {
    if (part.kind !== 'node') {
      run.push(part);
      continue;
    }
    if (run.length > 0) yield run;
    yield [part];
    run = [];
  }
  if (run.length > 0) yield run;
}

function textOf(parts: readonly Part[]): string {
  if (parts.every(({ kind }) => kind === 'text')) return JSON.stringify(parts.map(({ code }) => code).join(''));
  const [only] = parts;
  if (parts.length === 1 && only) return only.code;
  const inner = parts.map(({ kind, code }) =>
    kind === 'text' ? code.replaceAll(/[`\\]|\$(?=\{)/g, String.raw`\$&`) : `\${${code}}`,
  );
  return `\`${inner.join('')}\``;
}
