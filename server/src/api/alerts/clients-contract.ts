/**
 * Alert rules under the names that Sentry's clients have for them: an issue rule is a workflow, a metric rule a detector;
 * both together are combined rules.
 */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery, perPage, repeatable } from '../shared/schemas.ts';

const tag = 'Alerts';
const id = z.string().regex(/^\d{1,9}$/);
const ids = z.preprocess(
  (value) => (value === undefined || Array.isArray(value) ? value : [value]),
  z.array(id).max(100),
);

const pages = { cursor: pageQuery.cursor, per_page: perPage.default(100).describe('Rows per page.') };
const projects = repeatable('IDs or slugs of projects: rules that watch them.');
/** Which rules; of metric rules the words may begin with `type:metric_issue`. */
export const selection = {
  project: projects,
  projectSlug: projects,
  id: ids.optional().describe('These rules only.'),
  query: z.string().max(500).default('').describe('Words of the name, or `name:"*words*"`.'),
};

const sortBy = z
  .enum(['id', '-id', 'name', '-name', 'dateCreated', '-dateCreated'])
  .catch('-id')
  .describe('Default: -id, newest first.');

const Condition = z.object({
  id: z.string(),
  type: z.string(),
  comparison: z.unknown(),
  conditionResult: z.unknown(),
});

const Action = z.object({
  id: z.string(),
  type: z.string().describe('Kind of the channel.'),
  data: z.object({}),
  config: z.object({ targetIdentifier: z.string(), targetDisplay: z.string() }).describe('ID and name of the channel.'),
});

const owner = z.object({ type: z.enum(['user', 'team']), id: z.string(), name: z.string() }).nullable();

export const Workflow = z
  .object({
    id: z.string(),
    name: z.string(),
    organizationId: z.string(),
    enabled: z.boolean(),
    status: z.enum(['active', 'disabled']),
    environment: z.string().nullable(),
    owner,
    createdBy: z.string().nullable(),
    dateCreated: dateTime(),
    dateUpdated: dateTime(),
    lastTriggered: dateTime().nullable(),
    projects: z.array(z.string()).describe('Slugs.'),
    detectorIds: z.array(z.string()).describe('The error detector of each project, whose ID is that of the project.'),
    actionMatch: z.enum(['any', 'all']).describe('Whether any condition is enough.'),
    frequency: z.int().describe('Minutes between notifications for the same issue.'),
    config: z.object({ frequency: z.int() }),
    triggers: z.object({ id: z.string(), logicType: z.enum(['any-short', 'all']), conditions: z.array(Condition) }),
    actionFilters: z.array(
      z.object({
        id: z.string(),
        logicType: z.literal('all'),
        conditions: z.array(Condition).describe('The query of the rule, if it has one.'),
        actions: z.array(Action),
      }),
    ),
    conditions: z.array(Condition).describe('Those of the triggers, where older clients count them.'),
    actions: z.array(Action).describe('Those of the action filter.'),
  })
  .meta({ id: 'Workflow' });

export const listWorkflows = endpoint({
  method: 'GET',
  url: '/organizations/:org/workflows/',
  id: 'listWorkflows',
  tag,
  summary: "List issue rules in Sentry's shape",
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...pages,
    sortBy,
    ...selection,
  }),
  response: z.array(Workflow),
});

export const ruleParams = orgParams.extend({ rule: z.string().max(20) });

export const getWorkflow = endpoint({
  method: 'GET',
  url: '/organizations/:org/workflows/:rule/',
  id: 'getWorkflow',
  tag,
  summary: "Get an issue rule in Sentry's shape",
  access: 'event:read',
  params: ruleParams,
  response: Workflow,
});

export const Detector = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.enum(['metric_issue', 'error']),
    organizationId: z.string(),
    enabled: z.boolean(),
    status: z.literal([0, 1]).describe('0: enabled, 1: disabled.'),
    projectId: z.string().nullable().describe('null: all projects, or several.'),
    projectSlug: z.string().nullable(),
    projects: z.array(z.string()).describe('Slugs.'),
    owner,
    createdBy: z.string().nullable(),
    dateCreated: dateTime(),
    dateUpdated: dateTime(),
    workflowIds: z.array(z.string()).describe('Issue rules that tell the same channels, and no others.'),
    dataSources: z.array(
      z.object({
        id: z.string(),
        type: z.literal('snuba_query_subscription'),
        queryObj: z.object({
          id: z.string(),
          snubaQuery: z.object({
            id: z.string(),
            dataset: z.string(),
            query: z.string(),
            aggregate: z.string(),
            timeWindow: z.int().describe('Seconds.'),
            environment: z.string().nullable(),
          }),
        }),
      }),
    ),
    conditionGroup: z
      .object({
        id: z.string(),
        logicType: z.literal('any'),
        conditions: z.array(Condition.extend({ actions: z.array(Action) })),
      })
      .nullable(),
    config: z.object({
      detectionType: z.enum(['static', 'percent', 'dynamic']),
      comparisonDelta: z.int().nullable().describe('Seconds between the windows that a change compares.'),
    }),
  })
  .meta({ id: 'Detector' });

export const listDetectors = endpoint({
  method: 'GET',
  url: '/organizations/:org/detectors/',
  id: 'listDetectors',
  tag,
  summary: "List metric rules in Sentry's shape",
  description: 'With `type:error` in the query: the error detector of each project, which issue rules are attached to.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...pages,
    sortBy,
    ...selection,
    query: z.string().max(500).default('').describe('`type:metric_issue` or `type:error`, and words of the name.'),
  }),
  response: z.array(Detector),
});

export const getDetector = endpoint({
  method: 'GET',
  url: '/organizations/:org/detectors/:rule/',
  id: 'getDetector',
  tag,
  summary: "Get a metric rule in Sentry's shape",
  access: 'event:read',
  params: ruleParams,
  response: Detector,
});

const Trigger = z.object({
  id: z.string(),
  label: z.enum(['critical', 'warning']),
  thresholdType: z.literal([0, 1]).describe('0: above, 1: below.'),
  alertThreshold: z.number(),
  resolveThreshold: z.number().nullable(),
  actions: z.array(Action),
});

/** What a metric rule has beside its own fields, in Sentry's words. */
export const metricFields = {
  dataset: z.string(),
  aggregate: z.string(),
  timeWindow: z.int().describe('Minutes.'),
  projects: z.array(z.string()).describe('Slugs; empty: all.'),
  triggers: z.array(Trigger),
};

const combined = {
  id: z.string(),
  name: z.string(),
  status: z.enum(['active', 'disabled']),
  environment: z.string().nullable(),
  owner: z.string().nullable(),
  query: z.string(),
  dateCreated: dateTime(),
};

const CombinedRule = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('alert_rule'), ...combined, ...metricFields }),
    z.object({
      type: z.literal('rule'),
      ...combined,
      projects: metricFields.projects,
      actionMatch: z.enum(['any', 'all']),
      frequency: z.int().describe('Minutes between notifications for the same issue.'),
      lastTriggered: dateTime().nullable(),
    }),
  ])
  .meta({ id: 'CombinedRule' });

export const listCombinedRules = endpoint({
  method: 'GET',
  url: '/organizations/:org/combined-rules/',
  id: 'listCombinedRules',
  tag,
  summary: "List issue and metric rules together in Sentry's shape",
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...pages,
    sortBy,
    project: projects,
    name: z.string().max(500).default('').describe('Words of the name.'),
    alertType: repeatable('rule: issue rules. alert_rule: metric rules. Default: both.'),
  }),
  response: z.array(CombinedRule),
});

export const getWorkflowScope = endpoint({
  method: 'GET',
  url: '/organizations/:org/workflows/:rule/project-scope/',
  id: 'getWorkflowScope',
  tag,
  summary: 'Get the projects that an issue rule watches',
  access: 'event:read',
  params: ruleParams,
  response: z.object({ projectIds: z.array(z.string()), includesAllProjects: z.boolean() }),
});

export const getRuleDetector = endpoint({
  method: 'GET',
  url: '/organizations/:org/alert-rule-detector/',
  id: 'getRuleDetector',
  tag,
  summary: 'Get the ID of a metric rule as a detector, which is the same',
  access: 'event:read',
  params: orgParams,
  query: z.object({ alert_rule_id: id.optional(), detector_id: id.optional() }),
  response: z.object({ alertRuleId: z.string(), detectorId: z.string(), ruleId: z.null() }),
});

const jsonSchema = z.record(z.string(), z.unknown()).describe('JSON Schema.');

export const listDataConditions = endpoint({
  method: 'GET',
  url: '/organizations/:org/data-conditions/',
  id: 'listDataConditions',
  tag,
  summary: "List conditions that rules can have, in Sentry's words",
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...pages, group: z.enum(['workflow_trigger', 'action_filter', 'detector_trigger']).optional() }),
  response: z.array(
    z
      .object({ type: z.string(), handlerGroup: z.string(), comparisonJsonSchema: jsonSchema })
      .meta({ id: 'DataCondition' }),
  ),
});

export const listAvailableActions = endpoint({
  method: 'GET',
  url: '/organizations/:org/available-actions/',
  id: 'listAvailableActions',
  tag,
  summary: "List kinds of channels that rules can tell, in Sentry's shape",
  access: 'org:read',
  params: orgParams,
  query: z.object({ ...pages, type: repeatable('These kinds only.') }),
  response: z.array(
    z
      .object({
        type: z.string(),
        handlerGroup: z.literal('notification'),
        configSchema: jsonSchema,
        dataSchema: jsonSchema,
        integrations: z.array(z.object({ id: z.string(), name: z.string() })).describe('The channels.'),
      })
      .meta({ id: 'AvailableAction' }),
  ),
});
