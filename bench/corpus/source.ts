/** Made-up source files, so that frames of different events show the same lines of the same file, as in real stacks. */
import type { Random } from './random.ts';

export interface SourceFile {
  readonly path: string;
  readonly inApp: boolean;
  readonly lines: readonly string[];
}

type Words = readonly [string, ...string[]];

const nouns: Words = [
  'order',
  'basket',
  'payment',
  'customer',
  'invoice',
  'shipment',
  'price',
  'session',
  'request',
  'response',
  'account',
  'address',
  'voucher',
  'stock',
  'product',
  'category',
  'query',
  'cursor',
  'token',
  'profile',
  'review',
  'tenant',
  'currency',
  'discount',
  'warehouse',
  'parcel',
  'refund',
  'catalog',
  'wishlist',
  'campaign',
  'context',
  'options',
  'headers',
  'payload',
  'handler',
  'schema',
  'record',
  'batch',
  'entry',
  'result',
];
const verbs: Words = [
  'load',
  'find',
  'apply',
  'resolve',
  'merge',
  'reserve',
  'charge',
  'render',
  'validate',
  'publish',
  'refresh',
  'lock',
  'release',
  'compute',
  'format',
  'parse',
  'encode',
  'dispatch',
  'schedule',
  'retry',
  'collect',
  'assign',
  'update',
];
const properties: Words = [
  'id',
  'total',
  'items',
  'status',
  'createdAt',
  'email',
  'quantity',
  'amount',
  'code',
  'locale',
  'region',
  'sku',
  'name',
  'expiresAt',
  'version',
  'attempts',
  'signature',
  'limit',
  'offset',
  'reason',
];

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
export const functionName = (random: Random): string => `${random.pick(verbs)}${capital(random.pick(nouns))}`;
export const nounName = (random: Random): string => random.pick(nouns);

const statements: readonly [(r: Random) => string, ...((r: Random) => string)[]] = [
  (r) => `const ${r.pick(nouns)} = await ${r.pick(nouns)}s.${functionName(r)}(${r.pick(nouns)}.${r.pick(properties)});`,
  (r) =>
    `if (!${r.pick(nouns)}.${r.pick(properties)}) return ${functionName(r)}(${r.pick(nouns)}, ${r.integer(1, 500)});`,
  (r) => `const { ${r.pick(properties)}, ${r.pick(properties)} } = ${r.pick(nouns)};`,
  (r) => `for (const ${r.pick(nouns)} of ${r.pick(nouns)}.${r.pick(properties)}) {`,
  (r) => `throw new ${capital(r.pick(nouns))}Error('${r.pick(nouns)} ${r.pick(verbs)} failed', { cause });`,
  (r) =>
    `return ${r.pick(nouns)}.${r.pick(properties)}.map((${r.pick(nouns)}) => ${functionName(r)}(${r.pick(nouns)}));`,
  (r) =>
    `logger.info({ ${r.pick(properties)}: ${r.pick(nouns)}.${r.pick(properties)} }, '${r.pick(nouns)} ${r.pick(verbs)}d');`,
  (r) => `await ${functionName(r)}({ ${r.pick(properties)}, ${r.pick(properties)}: ${r.integer(1, 9999)} });`,
  (r) => `// ${capital(r.pick(nouns))} may be missing when the ${r.pick(nouns)} was ${r.pick(verbs)}d before`,
  (r) => `${r.pick(nouns)}.${r.pick(properties)} += 1;`,
  (r) => `return ${r.pick(nouns)};`,
  () => '} else {',
  () => '});',
  () => '}',
  () => '}',
  () => '',
  () => '',
];

export function createSourceFile(random: Random, path: string, inApp: boolean, lineCount: number): SourceFile {
  const lines = Array.from({ length: lineCount }, (_, index) => {
    if (index % 23 === 0)
      return `export async function ${functionName(random)}(${random.pick(nouns)}, ${random.pick(nouns)}) {`;
    return `${'  '.repeat(random.integer(1, 3))}${random.pick(statements)(random)}`;
  });
  return { path, inApp, lines };
}
