export { hasAccount, joinAs, joinAsNew } from './accept.ts';
export {
  deleteInvitation,
  type Invitation,
  invite,
  listInvitations,
  openInvitation,
  takeInvitation,
  updateInvitation,
} from './invitations.ts';
export { endMembership, removeMember, takeBackInvitations, updateMember } from './members.ts';
export { findTeam, type People, peopleOf, type Person, type Team } from './people.ts';
export { type Placed, type Placement, placeMember } from './placed.ts';
export { type Asker, checkGiving, checkTaking, roleNames } from './roles.ts';
export {
  addToProject,
  addToTeams,
  createTeam,
  deleteTeam,
  removeFromProject,
  removeFromTeam,
  updateTeam,
} from './teams.ts';
