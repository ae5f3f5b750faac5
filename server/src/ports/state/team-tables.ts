/** Tables of teams, invitations and rules of ownership. Times are ms since the epoch. */
import type { Generated } from 'kysely';

export interface TeamTable {
  id: Generated<number>;
  organization_id: string;
  /** Unique in the organisation. */
  slug: string;
  name: string;
  created_at: number;
}

export interface TeamMemberTable {
  team_id: number;
  user_id: string;
  created_at: number;
}

/** The projects that a team works on. */
export interface TeamProjectTable {
  team_id: number;
  project_id: number;
  created_at: number;
}

/** An invitation that was not accepted yet. One per organisation and address. */
export interface InviteTable {
  id: Generated<number>;
  organization_id: string;
  /** In lower case. */
  email: string;
  /** One of the roles of accounts. */
  role: string;
  /** JSON array of ids of teams. */
  teams: string;
  /** SHA-256 of the token, hex. The token itself is in the link alone. */
  token_hash: string;
  inviter_id: string | null;
  created_at: number;
  expires_at: number;
}

/** Who issues of a new kind go to by themselves: owners by rule, authors of suspect commits, or nobody. */
export type AutoAssignment = 'owners' | 'commits' | 'off';

export interface OwnershipTable {
  project_id: number;
  /** As people wrote it. */
  raw: string;
  auto_assignment: AutoAssignment;
  updated_at: number;
}

/** A CODEOWNERS file of a project. */
export interface CodeownersTable {
  id: Generated<number>;
  project_id: number;
  /** The repository that its paths are of; null for any. */
  repository_id: number | null;
  raw: string;
  /** JSON: who a name of the file is here, as `user:ID` or `team:ID`, where the name alone does not say. */
  names: string;
  created_at: number;
  updated_at: number;
}

export interface TeamTables {
  team: TeamTable;
  team_member: TeamMemberTable;
  team_project: TeamProjectTable;
  invite: InviteTable;
  ownership: OwnershipTable;
  codeowners: CodeownersTable;
}
