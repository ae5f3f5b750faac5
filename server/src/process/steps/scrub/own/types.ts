/** Types of values that selectors know, and which places of an event have them. */

const names = [
  'string',
  'binary',
  'number',
  'boolean',
  'datetime',
  'array',
  'object',
  'event',
  'attachments',
  'replay',
  'exception',
  'stacktrace',
  'frame',
  'request',
  'user',
  'logentry',
  'message',
  'thread',
  'breadcrumb',
  'span',
  'log',
  'sdk',
  'minidump',
  'heap_memory',
  'stack_memory',
] as const;

export type TypeName = (typeof names)[number];

export const typeMasks = Object.fromEntries(names.map((name, index) => [name, 1 << index])) as Record<TypeName, number>;

/** Names that people write, those of before included. */
export const typeNames: ReadonlyMap<string, TypeName> = new Map([
  ...names.map((name) => [name, name] as const),
  ['bool', 'boolean'],
  ['list', 'array'],
  ['error', 'exception'],
  ['stack', 'stacktrace'],
  ['http', 'request'],
]);

/** no: never changed, since the event could not be told or found without; named: only by a selector that names the place. */
export type Reach = 'no' | 'named' | 'yes';

/** Of a value and what is in it. */
export interface Shape {
  readonly types: number;
  readonly reach: Reach;
  readonly fields?: Readonly<Record<string, Shape>>;
  /** Of fields without a line of their own, and of entries of a list. */
  readonly others?: Shape;
  /** Where SDKs have it, before it got a place of its own: who names that place means this one. */
  readonly sentAs?: readonly string[];
  /** Whether its entries are pairs, whose first is the key of the second. */
  readonly pairs?: true;
  /** Whether it is the client's own: whatever is removed from it is null. */
  readonly bag?: true;
}

const value = (reach: Reach): Shape => ({ types: 0, reach });
const [no, named, yes] = [value('no'), value('named'), value('yes')];
const bag: Shape = { types: 0, reach: 'yes', bag: true };
const namedBag: Shape = { types: 0, reach: 'named', bag: true };
const pairs: Shape = { types: 0, reach: 'yes', pairs: true };

const list = (others: Shape): Shape => ({
  types: 0,
  reach: 'yes',
  fields: { values: { types: 0, reach: 'yes', others } },
});
const typed = (type: TypeName, fields: Readonly<Record<string, Shape>>, others = yes): Shape => ({
  types: typeMasks[type],
  reach: 'yes',
  fields,
  others,
});

const texts: Shape = { types: 0, reach: 'yes', others: yes };

const frame = typed(
  'frame',
  {
    context_line: yes,
    pre_context: texts,
    post_context: texts,
    vars: bag,
    lock: { types: 0, reach: 'named', others: named },
    data: no,
    lineno: no,
    colno: no,
    in_app: no,
    native: no,
    platform: no,
  },
  named,
);

const stacktrace = typed(
  'stacktrace',
  { frames: { types: 0, reach: 'yes', others: frame }, registers: bag, frames_omitted: no, snapshot: no },
  no,
);

const mechanism: Shape = {
  types: 0,
  reach: 'yes',
  fields: { type: no, source: named, description: yes, help_link: yes, data: bag, meta: bag },
  others: no,
};

const exception = typed('exception', {
  type: named,
  value: yes,
  module: named,
  thread_id: no,
  mechanism,
  stacktrace,
});

const thread = typed(
  'thread',
  {
    name: yes,
    held_locks: { types: 0, reach: 'named', others: { types: 0, reach: 'named', others: named } },
    stacktrace,
  },
  no,
);

const breadcrumb = typed('breadcrumb', {
  timestamp: no,
  type: no,
  level: no,
  category: named,
  event_id: no,
  message: yes,
  data: bag,
});

const trace: Shape = {
  types: 0,
  reach: 'yes',
  bag: true,
  fields: { trace_id: no, span_id: no, parent_span_id: no, type: no, op: named, status: named, origin: named },
};

const message: Shape = { types: typeMasks.message, reach: 'yes' };
/** `$message` is all of it, and each of its texts. */
const logentry: Shape = {
  types: typeMasks.logentry | typeMasks.message,
  reach: 'yes',
  fields: { message, formatted: message, params: bag },
  others: yes,
};

/** What browsers, systems and devices are. */
const known = ['browser', 'os', 'client_os', 'runtime', 'device', 'culture', 'react', 'replay', 'profile', 'app'];

const contexts: Shape = {
  types: 0,
  reach: 'yes',
  fields: { trace, ...Object.fromEntries(known.map((name) => [name, namedBag])) },
  others: bag,
};

export const eventShape: Shape = {
  types: typeMasks.event,
  reach: 'no',
  fields: {
    logger: named,
    release: named,
    dist: named,
    environment: named,
    server_name: yes,
    transaction: named,
    fingerprint: { types: 0, reach: 'named', others: named },
    logentry,
    exception: list(exception),
    threads: list(thread),
    stacktrace,
    breadcrumbs: list(breadcrumb),
    template: { types: 0, reach: 'yes', fields: { context_line: yes, lineno: no }, others: named },
    csp: bag,
    hpkp: bag,
    expectct: bag,
    expectstaple: bag,
    user: typed('user', { geo: bag, data: bag }),
    request: typed('request', {
      method: no,
      inferred_content_type: no,
      headers: pairs,
      cookies: { ...pairs, sentAs: ['headers', 'cookie'] },
      query_string: pairs,
      data: bag,
      env: bag,
    }),
    contexts,
    tags: pairs,
    extra: bag,
    modules: { types: 0, reach: 'named', others: named },
    sdk: typed('sdk', {}, no),
    debug_meta: {
      types: 0,
      reach: 'named',
      fields: { images: { types: 0, reach: 'named', others: { types: 0, reach: 'named', others: named } } },
      others: no,
    },
  },
  others: no,
};

/** What is sent of spans and of records of logs. */
export const spanShape: Shape = {
  types: typeMasks.span,
  reach: 'no',
  fields: {
    description: yes,
    transaction: named,
    status_message: yes,
    data: bag,
    links: bag,
    events: bag,
  },
  others: no,
};

export const logShape: Shape = {
  types: typeMasks.log,
  reach: 'no',
  fields: { body: bag, attributes: bag },
  others: no,
};

/** What is attached, by the names of the files: texts, and JSON by its structure. */
export const attachmentsShape: Shape = { types: typeMasks.attachments, reach: 'yes', others: bag };

/** Whatever else is kept: its values are the client's own. */
export const itemShape: Shape = bag;

export const replayShape: Shape = { types: typeMasks.replay, reach: 'yes', bag: true, others: bag };
