import { formatLevel } from '../access/levels.ts'
import { findGroup } from '../access/namespaces.ts'
import { findProject } from '../access/projects.ts'
import { findUserIfKnown } from '../features/accounts/users/queries.ts'
import { changed } from './changes.ts'
import { announced } from './entries.ts'
import {
  type AuditEntry,
  auditEvent,
  entityOf,
  groupEntity,
  projectEntity,
  readField,
  theInstance,
  toTarget,
  toText,
} from './entry.ts'
import { readMember } from './reads.ts'

const formatRole = (level: unknown) => (typeof level === 'number' ? formatLevel(level) : 'No access')

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const userTarget = (user: unknown) => toTarget('User', user, 'username')

/** The members that an operation returns. */
export const membersAdded: AuditEntry = {
  describe(call) {
    const members = readField(call.result, 'members')
    return (isList(members) ? members : []).map((member) => {
      const customMessage = `Added as ${formatRole(readField(member, 'accessLevel'))}`
      return auditEvent('member_created', entityOf(call), userTarget(member), { customMessage })
    })
  },
}

/** A user who joins in another way. */
export const memberJoined = (event = 'member_created'): AuditEntry =>
  announced('member.joined', async ({ userId, projectId, groupId }, { ctx }) => {
    const user = await findUserIfKnown(ctx, userId)
    const project = projectId === null ? undefined : await findProject(ctx, projectId)
    const group = groupId === null ? undefined : await findGroup(ctx, groupId)
    const entity = project ? projectEntity(project) : group ? groupEntity(group) : theInstance
    return [auditEvent(event, entity, userTarget(user), { customMessage: 'Added as a member' })]
  })

export const memberUpdated: AuditEntry = changed({
  read: readMember,
  events: { accessLevel: 'member_updated', expiresAt: 'member_updated', overriddenAt: 'member_updated' },
  changesAll: true,
  describeTarget: (_, before) => userTarget(before),
  format: (field, value) => (field === 'accessLevel' ? formatRole(value) : toText(value)),
})

export const memberRemoved: AuditEntry = {
  read: readMember,
  describe: (call) => [
    auditEvent('member_destroyed', entityOf(call), userTarget(call.before), {
      customMessage: `Removed from the role ${formatRole(readField(call.before, 'accessLevel'))}`,
    }),
  ],
}
