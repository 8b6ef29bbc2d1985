import { MemberWire } from '../../shapes/member.ts'
import { listField } from '../fields.ts'
import type { Resolver, TypeResolvers, With, WithId } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
import type { Container } from './labels.ts'

const levelNames: Readonly<Record<number, string>> = {
  0: 'NO_ACCESS',
  10: 'GUEST',
  20: 'REPORTER',
  30: 'DEVELOPER',
  40: 'MAINTAINER',
  50: 'OWNER',
}

const memberResolvers: TypeResolvers = {
  computed: {
    user: (member) => member,
    accessLevel: ({ access_level: level }) => ({
      string_value: levelNames[Number(level)] ?? null,
      integer_value: level,
    }),
  },
}

type MemberArguments = With<{ relations: readonly string[]; search?: string | null }>

/** Members: only direct ones with \`relations: [DIRECT]\`, otherwise also those of the groups above and of shares. */
const createListResolver = (toContainer: (id: number) => Container): Resolver =>
  listField(MemberWire, ({ members }, window, { id }: WithId, { relations, search }: MemberArguments) => {
    const query = search == null ? {} : { query: search }
    return members.list({
      ...toContainer(id),
      ...query,
      ...window,
      inherited: relations.some((relation) => relation !== 'DIRECT'),
    })
  })

const memberType = (name: string) =>
  `type ${name} { id: ID! user: UserCore accessLevel: AccessLevel createdAt: Time expiresAt: Time }\n`

/** Members of projects and groups, which are users with an access level. */
export const memberPart: SchemaPart = {
  types: `
enum GroupMemberRelation { DIRECT INHERITED DESCENDANTS SHARED_FROM_GROUPS }
enum ProjectMemberRelation { DIRECT INHERITED DESCENDANTS INVITED_GROUPS SHARED_INTO_ANCESTORS }
enum AccessLevelEnum { NO_ACCESS GUEST REPORTER DEVELOPER MAINTAINER OWNER }

type AccessLevel { stringValue: AccessLevelEnum integerValue: Int }
${memberType('GroupMember')}${memberType('ProjectMember')}
extend type Group {
  groupMembers(search: String, relations: [GroupMemberRelation!] = [DIRECT, INHERITED], ${paging}): GroupMemberConnection
}
extend type Project {
  projectMembers(search: String, relations: [ProjectMemberRelation!] = [DIRECT, INHERITED], ${paging}): ProjectMemberConnection
}
`,
  resolvers: {
    GroupMember: memberResolvers,
    ProjectMember: memberResolvers,
    Group: { calls: { groupMembers: createListResolver((group) => ({ group })) } },
    Project: { calls: { projectMembers: createListResolver((project) => ({ project })) } },
  },
}
