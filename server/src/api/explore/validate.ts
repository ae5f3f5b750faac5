/** Questions that are checked part by part and not asked: what `events/validate/` of Sentry's API says. */
import type { z } from 'zod';
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import * as explore from '../../domains/explore/index.ts';
import { compileLogFilter } from '../../domains/logs/index.ts';
import { chooseProjects, readSearch } from '../../domains/named-search/index.ts';
import { exactTimeRange } from '../../base/time-range.ts';
import { explore as texts, logs as logTexts } from '../../base/texts/requests.ts';
import type { Api } from '../shared/implement.ts';
import { logFieldType } from '../logs/shapes.ts';
import * as contract from './contract.ts';

type Asked = z.output<typeof contract.validateExplore.query>;
type Answer = z.output<typeof contract.validateExplore.response>;
type FieldVerdict = Answer['field'][number];
type AttributeType = FieldVerdict['attrType'];

/** What a data set can be asked; each throws a `CodedError` that says what is wrong. */
interface Language {
  type(field: string): AttributeType;
  query(text: string): void;
  sort(name: string, fields: readonly string[]): void;
}

export async function validateQuestion({ deps }: Api, membership: Membership, asked: Asked): Promise<Answer> {
  await checkProjects(deps, membership, asked);
  const language = languageOf(asked.dataset);
  const field = asked.field.map((name) => fieldVerdict(language, name));
  const orderby = asked.orderby
    .filter((name) => name !== '')
    .map((name) => {
      const found = fieldVerdict(language, name.replace(/^-/, ''));
      // What stands by itself may still not be what this table can be sorted by.
      const among = found.valid && field.every((one) => one.valid);
      return among ? { ...found, ...verdictOf(() => void language?.sort(name, asked.field)) } : found;
    });
  const query = { ...verdictOf(() => void language?.query(asked.query)), fields: [] };
  const known = verdictOf(() => {
    if (!language) throw new CodedError('INPUT_INVALID', [texts.noDataSet(asked.dataset)]);
  });
  const dataset = [{ name: asked.dataset, ...known }];
  const all = [...field, ...orderby, ...dataset, query];
  return {
    valid: all.every((one) => one.valid),
    projects: [],
    dataset,
    environment: [],
    field,
    query,
    orderby,
  };
}

/** Throws where a project that is named is not there; what is wrong with the query is said of the query. */
async function checkProjects({ state }: Api['deps'], membership: Membership, { project, query }: Asked): Promise<void> {
  try {
    await chooseProjects(state, membership, project, query);
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'QUERY_INVALID') throw error;
  }
}

function languageOf(name: string): Language | undefined {
  if (contract.logNames.some((one) => one === name)) return logLanguage;
  const known = contract.dataset.safeParse(name);
  return known.success ? rowLanguage(known.data) : undefined;
}

function rowLanguage(dataSet: explore.ExploreDataSet): Language {
  const nowMs = Date.now();
  const range = exactTimeRange({ statsPeriod: explore.defaultPeriod }, nowMs);
  if (!range) throw new TypeError('a period is a range');
  const scope = { dataSet, projects: [], environments: [], range, nowMs };
  return {
    type: (name) => {
      const [column] = explore.readTable(scope, { query: '', field: [name], sort: [] }).columns;
      return column ? attributeTypeOf(typeOfColumn(column)) : null;
    },
    query: (text) => void explore.readTable(scope, { query: text, field: [], sort: [] }),
    sort: (name, fields) => void explore.readTable(scope, { query: '', field: fields, sort: [name] }),
  };
}

const typeOfColumn = ({ field }: explore.Column): string => (field.kind === 'key' ? field.key.type : field.type);

const logLanguage: Language = {
  type: (name) => {
    const type = logFieldType(name);
    if (type === undefined) throw new CodedError('INPUT_INVALID', [logTexts.unknownField(name)]);
    return attributeTypeOf(type);
  },
  query: (text) => {
    const { unknown } = compileLogFilter(readSearch(text));
    if (unknown.length) throw new CodedError('INPUT_INVALID', [logTexts.unknownKeys(unknown)]);
  },
  sort: (name) => {
    if (name.replace(/^-/, '') !== 'timestamp') throw new CodedError('INPUT_INVALID', [logTexts.sort]);
  },
};

const verdict = (error: string | null) => ({ valid: error === null, error });

function verdictOf(check: () => void): ReturnType<typeof verdict> {
  try {
    check();
    return verdict(null);
  } catch (error) {
    if (!(error instanceof CodedError) || error.status >= 500) throw error;
    return verdict(error.message);
  }
}

/** Where the data set is unknown, that alone is told. */
function fieldVerdict(language: Language | undefined, name: string): FieldVerdict {
  let attrType: AttributeType = null;
  const found = verdictOf(() => {
    attrType = language?.type(name) ?? null;
  });
  return { name, ...found, attrType };
}

export function attributeTypeOf(type: string): 'string' | 'number' | 'boolean' {
  if (type === 'boolean') return 'boolean';
  return ['text', 'version', 'choice', 'date', 'string', 'array'].includes(type) ? 'string' : 'number';
}
