/** What Culprit does not have, as Sentry's clients are told: "Culprit has no dashboards. Explore saves queries." */
export const absent = {
  replays: 'session replays. Breadcrumbs and the trace of an event show what led to it',
  profiles: 'profiles. Traces and spans show where time goes',
  monitors: 'cron monitors. Health lists the check-ins that arrive',
  uptime: 'uptime monitors',
  dashboards: 'dashboards. Explore saves and draws queries',
  seer: 'Seer: it calls no language model. The brief of an issue (/api/0/issues/ID/brief/) is made for agents',
  builds: 'mobile builds and snapshots',
  conversations: 'list of agent conversations. Their spans are in traces and Explore',
  onboarding: 'status of an onboarding',
  integrations: 'integrations with other trackers. Channels and repositories are set up in the settings',
  plans: 'plans or trials: it is free of charge',
} as const;
