/**
 * Texts that people read and that stand in the server's code, not in its catalogues (server/src/base/texts). There are
 * none: what is wrong, why, and what to do comes from a named entry there. Left out by where they stand: SQL, headers,
 * log lines, errors that tell of a mistake in the program, and descriptions of the API, which stand in its contracts.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** How a literal is read: by a person for sure, perhaps, or by no one. */
type Place = 'told' | 'code' | 'machine';

/** Their words become an answer, a problem in an editor, or the detail of something that was not done. */
const telling = /^(?:fail|expect|refuse|refused|problem|refine|superRefine|regex|custom|leaf)$/;
/** `z.string().min(1, text)`: with a text it is a check, without one arithmetic. */
const bounding = /^(?:min|max|length|int|email|url|gte|lte)$/;
/** What operators read, and what only says that the program is wrong. */
const logging = /^(?:trace|debug|info|warn|error|fatal|note)$/;
const internal = /^(?:Error|TypeError|RangeError|SyntaxError|LeaseLost|RequestError|ParamError)$/;

const machineCalls =
  /^(?:select|selectFrom|selectAll|where|whereRef|on|onRef|orderBy|groupBy|innerJoin|leftJoin|returning|insertInto|updateTable|deleteFrom|eb|as|exec|prepare|raw|query|queryAsync|command|pragma|setIsolationLevel|savepointQuery|header|headers|type|writeHead|derive|update|box|boxSetup|textBox|byCommand|encodeURIComponent|describe|meta|includes|startsWith|endsWith|replace|replaceAll|split|join|test|has|get|actions|Set|Map|RegExp|require|env|begins)$/;
/** Properties that hold code, values of others' protocols, or descriptions of the API. */
const machineProperties =
  /^(?:sql|query|columns|conditions|types?|kind|op|usage|examples|summary|description|contentTypes|content-type|csv|jsonl|content-security-policy|cache-control|access-control-[\w-]+|mechanism|several|source|key)$/i;

/** Files that hold no texts of the product, whatever their literals look like. */
const exempt = [
  // Test data and test suites that adapters share.
  /\.test\.ts$|\.d\.ts$|\/testing[./]|-testing\.ts$|\/test-\w+\.ts$|\/made-[\w-]+\.ts$|conformance\.ts$|\/ports\/[\w-]+\/contract\.ts$/,
  // Catalogues.
  /\/base\/texts\/|\/base\/errors\.ts$|packages\/(?:envelope\/src\/texts|search\/src\/(?:reasons|descriptions)|tunnel\/src\/answer)\.ts$/,
  // Words and names to recognise in events, rules about them, and passwords.
  /\/user-agent\/|\/scrub\/|\/group\/v\d\/|\/common-words\.ts$|\/script-tokens\.ts$/,
  // Tables of the documentation, and of migrations.
  /\/api\/audited\.ts$|\/api\/shared\/audited\.ts$|\/api\/access-table\.ts$|\/migrations\//,
  // Values that Sentry's clients send and expect.
  /\/api\/ownership\/shapes\.ts$/,
  // The engine's process answers the server, not a person.
  /\/ports\/events\/engine\//,
];

/** Contracts describe the API; only what a check says there is a text of the product. */
const isContract = (file: string): boolean => /(?:contract|schemas|openapi|route-schema)\.ts$/.test(file);

/** What sealed values are bound to, and styles. */
const machineNames = /(?:^placeOf|Place|^numberNames|^font)$/;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const areWords = (text: string): boolean => /[a-z]{2,}[,.;:…’"]{0,2} [“"(]?[a-z]{2,}/i.test(text);
const hasWord = (text: string): boolean => /\p{L}{2,}/u.test(text) && text.includes(' ');
/** SQL, markup, lists of names, headers. */
const isCode = (text: string): boolean =>
  /[<>={}[\]|]|\w\(|[a-z]_[a-z]|\w\.\w+ as |\b(?:[A-Z]{2,} ){2}|\b(?:SELECT|FROM|WHERE|AND|OR|AS|IN|NOT|UNION|ILIKE|ORDER BY|GROUP BY|DESC|ASC|NULLS|SETTINGS)\b|-src |;\w|charset|^[A-Z][\w-]+: \w+$/.test(
    text,
  ) ||
  // Certificates, and scopes of OAuth.
  /^-{3,}|^(?:openid|[\w-]+:[\w-]+)(?: [\w:-]+)+…?$/.test(text) ||
  /^(?:is not|not in|begin immediate|read committed|rollback to|for update)$/.test(text);

function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'MemberExpression') return nameOf(node['property']);
  if (node.type === 'ChainExpression') return nameOf(node['expression']);
  return String(node['name'] ?? node['value'] ?? '');
}

function noteValues(value: unknown, values: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) noteValues(each, values);
  else if (isNode(value)) {
    if (value.type === 'TSLiteralType') values.add(nameOf(value['literal']));
    else
      for (const key in value) if (key !== 'type' && key !== 'start' && key !== 'end') noteValues(value[key], values);
  }
}

export function serverLiteralsOf(file: string, source: string): { readonly at: number; readonly text: string }[] {
  const found: { at: number; text: string }[] = [];
  /** `'as one' | 'each'` are values. */
  const values = new Set<string>();
  const inContract = isContract(file);
  const take = (node: Node, text: string, place: Place): void => {
    const plain = text.replaceAll(/\s+/g, ' ').trim();
    const isText = place === 'told' ? hasWord(text) : !inContract && areWords(plain) && !isCode(plain);
    if (place !== 'machine' && isText && !values.has(text)) found.push({ at: node.start, text: plain });
  };
  const visit = (value: unknown, place: Place): void => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each, place);
      return;
    }
    if (!isNode(value) || place === 'machine') return;
    const node = value;
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ImportExpression':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAnnotation':
      case 'TSTypeParameterInstantiation':
      case 'TaggedTemplateExpression':
      case 'SwitchCase':
        if (node.type === 'SwitchCase') visit(node['consequent'], place);
        return;
      case 'NewExpression': {
        const name = nameOf(node['callee']);
        if (internal.test(name) || machineCalls.test(name)) return;
        visit(node['arguments'], name.endsWith('Error') ? 'told' : place);
        return;
      }
      case 'CallExpression': {
        const name = nameOf(node['callee']);
        visit(node['callee'], place === 'told' ? 'code' : place);
        if (logging.test(name) || machineCalls.test(name)) return;
        const isMember = isNode(node['callee']) && node['callee'].type === 'MemberExpression';
        const told = telling.test(name) || (isMember && bounding.test(name));
        visit(node['arguments'], told ? 'told' : 'code');
        return;
      }
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        visit([node['params'], node['body']], 'code');
        return;
      case 'Property':
      case 'PropertyDefinition': {
        const name = nameOf(node['key']);
        visit(node['value'], machineProperties.test(name) ? 'machine' : name === 'cause' ? 'code' : place);
        return;
      }
      case 'VariableDeclarator':
        visit(node['init'], machineNames.test(nameOf(node['id'])) ? 'machine' : place);
        return;
      case 'BinaryExpression':
        visit([node['left'], node['right']], node['operator'] === '+' ? place : 'machine');
        return;
      case 'ConditionalExpression':
        visit(node['test'], 'code');
        visit([node['consequent'], node['alternate']], place);
        return;
      case 'MemberExpression':
        visit(node['object'], 'code');
        return;
      case 'Literal':
        if (typeof node['value'] === 'string') take(node, node['value'], place);
        return;
      case 'TemplateLiteral': {
        const texts = (node['quasis'] as { readonly value: { readonly cooked: string | null } }[]).map(
          ({ value: { cooked } }) => cooked ?? '',
        );
        take(node, texts.join('…'), place);
        visit(node['expressions'], place);
        return;
      }
      default:
    }
    for (const key in node) if (key !== 'type' && key !== 'start' && key !== 'end') visit(node[key], place);
  };
  const { program } = parseSync(file, source);
  noteValues(program, values);
  visit(program, 'code');
  return found;
}

const root = join(import.meta.dirname, '..');
/** The server, and packages whose words it passes on. */
const sources = ['server/src/**/*.ts', 'packages/{envelope,search,tunnel}/src/**/*.ts'];

if (import.meta.main) {
  let count = 0;
  for (const file of globSync(sources, { cwd: root }).toSorted()) {
    if (exempt.some((pattern) => pattern.test(file))) continue;
    const source = readFileSync(join(root, file), 'utf8');
    for (const { at, text } of serverLiteralsOf(file, source)) {
      count++;
      console.error(`${file}:${source.slice(0, at).split('\n').length}: ${text}`);
    }
  }
  if (count > 0) {
    console.error(
      `\n${count} texts outside catalogues: each becomes a named entry in server/src/base/texts/<area>.ts; see docs/style.md`,
    );
    process.exitCode = 1;
  }
}
