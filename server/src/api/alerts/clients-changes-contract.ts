/** Changes of alert rules by Sentry's clients, which send what they read (`clients-contract.ts`) or what they make. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams, projectParams } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';
import { Detector, ruleParams, selection, Workflow } from './clients-contract.ts';

const tag = 'Alerts';
const word = z.union([z.string().max(500), z.int()]).transform(String);

/** Some clients send texts. */
const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,15}(?:\.\d{1,9})?$/, invalid.unreadable)
    .transform(Number),
]);

const ConditionRequest = z.object({
  id: z.string().max(60).optional(),
  type: z.string().max(80),
  comparison: z.unknown().optional(),
  conditionResult: z.unknown().optional(),
});

const target = {
  targetType: word.nullish(),
  targetIdentifier: word.nullish().describe('ID of the channel; of the member or team that a mail goes to.'),
  targetDisplay: word.nullish().describe('Name of the channel.'),
};

const ActionRequest = z
  .object({
    type: z.string().max(80).optional().describe('Kind of the channel: email, slack, webhook, …'),
    id: word.optional(),
    config: z.object(target).optional(),
    ...target,
  })
  .meta({ id: 'WorkflowActionRequest' });

const owner = z
  .union([
    z.string().regex(/^(user:[\w-]{1,100}|team:\d{1,9})$/, invalid.owner),
    z.object({ type: z.enum(['user', 'team']), id: word }).transform(({ type, id }) => `${type}:${id}`),
  ])
  .nullable()
  .optional()
  .describe('user:ID or team:ID, or as it was read; null: no one.');

const logicType = z.enum(['any', 'any-short', 'all', 'none']).default('any-short');
const conditions = z.array(ConditionRequest).max(20);
const actions = z.array(ActionRequest).max(50);

const settings = {
  name: z.string().trim().min(1, invalid.empty).max(200).optional(),
  enabled: z.boolean().optional(),
  owner,
};

const workflow = {
  ...settings,
  environment: z.string().max(200).nullable().optional().describe('Name; null: all.'),
  detectorIds: z.array(word).max(100).optional().describe('Error detectors: IDs of projects. Empty: all projects.'),
  config: z.object({ frequency: z.int().min(0).max(10_080).optional() }).optional(),
  triggers: z.object({ logicType, conditions }).nullable().optional(),
  actionFilters: z
    .array(z.object({ logicType: logicType.default('all'), conditions: conditions.default([]), actions }))
    .max(10)
    .optional(),
};

const WorkflowRequest = z.object({ ...workflow, name: settings.name.unwrap() }).meta({ id: 'WorkflowRequest' });

export const createWorkflow = endpoint({
  method: 'POST',
  url: '/organizations/:org/workflows/',
  id: 'createWorkflow',
  tag,
  summary: "Create an issue rule in Sentry's shape",
  description:
    'Filters become a query in the search language, and are read as one condition of type query. Actions name channels.',
  access: 'event:write',
  params: orgParams,
  body: WorkflowRequest,
  status: 201,
  response: Workflow,
});

export const updateWorkflow = endpoint({
  method: 'PUT',
  url: '/organizations/:org/workflows/:rule/',
  id: 'updateWorkflow',
  tag,
  summary: "Update an issue rule in Sentry's shape; omitted fields stay",
  description: 'Requires its creator, a manager, an admin or an owner.',
  access: 'event:write',
  params: ruleParams,
  body: z.object(workflow).meta({ id: 'WorkflowUpdate' }),
  response: Workflow,
});

const removal = {
  method: 'DELETE',
  tag,
  description: 'Requires its creator, a manager, an admin or an owner.',
  access: 'event:write',
  params: ruleParams,
  status: 204,
} as const;

export const deleteWorkflow = endpoint({
  ...removal,
  url: '/organizations/:org/workflows/:rule/',
  id: 'deleteWorkflow',
  summary: 'Delete an issue rule with its history',
});

const several = {
  tag,
  description: 'All rules that match must be ones that the caller may change. Requires a selection.',
  access: 'event:write',
  params: orgParams,
  query: z.object(selection),
} as const;

const Enabled = z.object({ enabled: z.boolean() }).meta({ id: 'RulesUpdate' });

export const updateWorkflows = endpoint({
  ...several,
  method: 'PUT',
  url: '/organizations/:org/workflows/',
  id: 'updateWorkflows',
  summary: 'Enable or disable issue rules',
  body: Enabled,
  response: z.array(Workflow),
});

export const deleteWorkflows = endpoint({
  ...several,
  method: 'DELETE',
  url: '/organizations/:org/workflows/',
  id: 'deleteWorkflows',
  summary: 'Delete issue rules with their history',
  status: 204,
});

const snubaQuery = {
  dataset: z.string().max(60).optional(),
  aggregate: z.string().max(500).optional(),
  query: z.string().max(4096).optional(),
  timeWindow: z.int().optional().describe('Seconds.'),
  environment: z.string().max(200).nullable().optional(),
};

const ThresholdRequest = z
  .object({
    type: z.string().max(80).optional().describe('gt, gte, lt, lte or anomaly_detection.'),
    comparison: z.unknown().optional(),
    conditionResult: z.int().optional().describe('75: critical, 50: warning, 0: resolved.'),
    label: z.enum(['critical', 'warning']).optional(),
    thresholdType: z.int().min(0).max(1).optional().describe('0: above, 1: below.'),
    alertThreshold: number.optional(),
    resolveThreshold: number.nullable().optional(),
    actions: actions.optional(),
  })
  .meta({ id: 'DetectorThresholdRequest' });

const detector = {
  ...settings,
  type: z.string().max(80).optional().describe('metric_issue.'),
  dataSources: z
    .array(
      z.object({
        ...snubaQuery,
        queryObj: z.object({ snubaQuery: z.object(snubaQuery).optional() }).nullish(),
      }),
    )
    .max(1)
    .optional()
    .describe('The query, itself or as it was read. Without an environment: all.'),
  config: z
    .object({
      detectionType: z.enum(['static', 'percent', 'dynamic']).optional(),
      comparisonDelta: z.int().nullable().optional(),
    })
    .optional()
    .describe('Applies together with thresholds.'),
  conditionGroup: z
    .object({ conditions: z.array(ThresholdRequest).max(10) })
    .nullable()
    .optional(),
  workflowIds: z
    .array(word)
    .max(100)
    .optional()
    .describe('Issue rules whose channels are notified. Actions of thresholds take precedence.'),
};

const DetectorRequest = z
  .object({
    ...detector,
    name: settings.name.unwrap(),
    dataSources: detector.dataSources.unwrap(),
    conditionGroup: detector.conditionGroup.unwrap().unwrap(),
  })
  .meta({ id: 'DetectorRequest' });

export const createDetector = endpoint({
  method: 'POST',
  url: '/organizations/:org/projects/:project/detectors/',
  id: 'createDetector',
  tag,
  summary: "Create a metric rule in Sentry's shape",
  description: 'Thresholds as Sentry has them, or as its clients send them. Their actions name channels.',
  access: 'event:write',
  params: projectParams,
  body: DetectorRequest,
  status: 201,
  response: Detector,
});

export const updateDetector = endpoint({
  method: 'PUT',
  url: '/organizations/:org/detectors/:rule/',
  id: 'updateDetector',
  tag,
  summary: "Update a metric rule in Sentry's shape; omitted fields stay",
  description: 'Requires its creator, a manager, an admin or an owner.',
  access: 'event:write',
  params: ruleParams,
  body: z.object(detector).meta({ id: 'DetectorUpdate' }),
  response: Detector,
});

export const deleteDetector = endpoint({
  ...removal,
  url: '/organizations/:org/detectors/:rule/',
  id: 'deleteDetector',
  summary: 'Delete a metric rule with its history',
});

export const updateDetectors = endpoint({
  ...several,
  method: 'PUT',
  url: '/organizations/:org/detectors/',
  id: 'updateDetectors',
  summary: 'Enable or disable metric rules',
  body: Enabled,
  response: z.array(Detector),
});

export const deleteDetectors = endpoint({
  ...several,
  method: 'DELETE',
  url: '/organizations/:org/detectors/',
  id: 'deleteDetectors',
  summary: 'Delete metric rules with their history',
  status: 204,
});

export type ConditionRequest = z.output<typeof ConditionRequest>;
export type ActionRequest = z.output<typeof ActionRequest>;
export type ThresholdRequest = z.output<typeof ThresholdRequest>;
export type WorkflowUpdate = z.output<typeof updateWorkflow.body>;
export type DetectorUpdate = z.output<typeof updateDetector.body>;
