/** Feedback among issues, as Sentry's clients have it, and what is wrong with a search of it. */
export const feedbackIssues = {
  change: 'of feedback, only the status can be changed: unresolved, resolved or ignored for spam',
  title: 'User Feedback',
  term: (written: string) =>
    `query: feedback is searched by words, status and project, not by ${written}. Filter by environment with the parameter`,
} as const;
