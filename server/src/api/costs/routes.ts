/** What projects take of the disk: reads what was measured, never the data. */
import { retentionClasses } from '../../base/retention.ts';
import { bytesOfClasses, type CostReport, issuesOf, readCosts, selectorOf } from '../../domains/costs/index.ts';
import { seenProjects } from '../../domains/projects/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso, isoOrNull } from '../shared/read.ts';
import * as contract from './contract.ts';

const shownClasses = ({ classes, rows }: Pick<CostReport, 'classes' | 'rows'>) =>
  retentionClasses.map((name) => ({ name, bytes: classes[name], rows: rows[name] }));

export function costRoutes(api: Api): void {
  const { state } = api.deps;

  implement(api, contract.listCosts, async ({ caller: { membership } }) => {
    const projects = new Map((await seenProjects(state, membership)).map((project) => [project.id, project]));
    const found = await readCosts(state, [...projects.keys()]);
    return found.flatMap(({ projectId, report }) => {
      const project = projects.get(projectId);
      if (!project) return [];
      const { id, slug, name } = project;
      return [
        {
          project: { id: String(id), slug, name },
          measuredAt: iso(report.at),
          bytes: bytesOfClasses(report),
          classes: shownClasses(report),
        },
      ];
    });
  });

  implement(api, contract.getCosts, async ({ caller: { project } }) => {
    const [found] = await readCosts(state, [project.id]);
    const report = found?.report;
    const issues = await issuesOf(state, project.id, report?.groups ?? []);
    return {
      measuredAt: isoOrNull(report?.at ?? null),
      bytes: report ? bytesOfClasses(report) : 0,
      classes: report ? shownClasses(report) : [],
      events: report?.events ?? 0,
      sampled: report?.sampled ?? 0,
      issues: issues.map(({ issueId, ...issue }) => ({ ...issue, id: String(issueId) })),
      releases: [...(report?.releases ?? [])],
      sdks: [...(report?.sdks ?? [])],
      parts: [...(report?.parts ?? [])],
      tables: [...(report?.tables ?? [])].map((one) => ({
        ...one,
        attributes: one.attributes.map((cost) => ({ ...cost, selector: selectorOf(one.table, cost.name) })),
      })),
      growth: [...(report?.growth ?? [])],
    };
  });
}
