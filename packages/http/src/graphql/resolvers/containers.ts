import { GroupDetailsWire, GroupWire } from '../../shapes/group.ts'
import { IssueWire } from '../../shapes/issue.ts'
import { LabelWire } from '../../shapes/label.ts'
import { MemberWire } from '../../shapes/member.ts'
import { MergeRequestWire } from '../../shapes/merge-request.ts'
import { MilestoneWire } from '../../shapes/milestone.ts'
import { ProjectWire } from '../../shapes/project.ts'
import { readConnection } from '../connection.ts'
import { formatGlobalId } from '../global-id.ts'
import type { Arguments, GraphqlContext, Json, Resolver, Resolvers, TypeResolvers } from '../resolver.ts'
import { readFilter } from './issuables.ts'

type Container = { readonly project: number } | { readonly group: number }

const ofProject = ({ id }: Json): Container => ({ project: id as number })
const ofGroup = ({ id }: Json): Container => ({ group: id as number })

const withSearch = ({ search }: Arguments) => (search == null ? {} : { search: search as string })

/** Fields that projects and groups have in common. */
const createContainerResolvers = (toContainer: (source: Json) => Container): Resolvers => ({
  labels: (source, args, { session, site }) =>
    readConnection(args, LabelWire, site, (window) =>
      session.labels.list({ ...(toContainer(source) as { project: number }), ...withSearch(args), ...window }),
    ),
  milestones: (source, args, { session, site }) =>
    readConnection(args, MilestoneWire, site, (window) =>
      session.milestones.list({ ...(toContainer(source) as { project: number }), ...window }),
    ),
})

/** Members without or with those of the groups above and of shares. */
const createMembersResolver =
  (toContainer: (source: Json) => Container): Resolver =>
  (source, args, { session, site }) => {
    const { members } = session
    const isDirect = (args.relations as string[]).every((relation) => relation === 'DIRECT')
    const query = args.search == null ? {} : { query: args.search as string }
    return readConnection(args, MemberWire, site, (window) => {
      const input = { ...(toContainer(source) as { group: number }), ...query, ...window }
      return isDirect ? members.list(input) : members.listAll(input)
    })
  }

/** A group as JSON. */
export const readGroup = async (group: number | string, { session, site }: GraphqlContext) =>
  GroupDetailsWire(await session.groups.details({ group, withProjects: false }), site)

/** Fields of groups. */
export const groupResolvers: TypeResolvers = {
  calls: {
    ...createContainerResolvers(ofGroup),
    parent: ({ parent_id: parent }, _args, context) => (parent === null ? null : readGroup(parent as number, context)),
    descendantGroups: ({ id }, args, { session, site }) =>
      readConnection(args, GroupWire, site, (window) =>
        session.groups.descendants({ group: id as number, ...withSearch(args), ...window }),
      ),
    projects: ({ id }, args, { session, site }) =>
      readConnection(args, ProjectWire, site, (window) =>
        session.groups.projects({
          group: id as number,
          withShared: false,
          includeSubgroups: args.includeSubgroups as boolean,
          ...withSearch(args),
          ...window,
        }),
      ),
    groupMembers: createMembersResolver(ofGroup),
    issues: ({ id }, args, { session, site }) =>
      readConnection(args, IssueWire, site, (window) =>
        session.issues.listOfGroup({ group: id as number, ...readFilter(args), ...window }),
      ),
    mergeRequests: ({ id }, args, { session, site }) =>
      readConnection(args, MergeRequestWire, site, (window) =>
        session.mergeRequests.listOfGroup({ group: id as number, ...readFilter(args), ...window }),
      ),
  },
}

const firstOf = (list: unknown) => (list as string[] | null | undefined)?.[0]

/** Fields of projects. */
export const projectResolvers: TypeResolvers = {
  computed: {
    fullPath: ({ path_with_namespace: path }) => path,
    topics: ({ tag_list: topics }) => topics,
    repository: (project) => project,
  },
  calls: {
    ...createContainerResolvers(ofProject),
    group({ namespace }, _args, context) {
      const { kind, id } = namespace as Json
      return kind === 'group' ? readGroup(id as number, context) : null
    },
    projectMembers: createMembersResolver(ofProject),
    issue: async ({ id }, { iid }, { session, site }) =>
      IssueWire(await session.issues.get({ project: id as number, issue: Number(iid) }), site),
    issues: ({ id }, args, { session, site }) =>
      readConnection(args, IssueWire, site, (window) =>
        session.issues.list({ project: id as number, ...readFilter(args), ...window }),
      ),
    mergeRequest: async ({ id }, { iid }, { session, site }) =>
      MergeRequestWire(await session.mergeRequests.get({ project: id as number, mergeRequest: Number(iid) }), site),
    mergeRequests(source, args, { session, site }) {
      const sourceBranch = firstOf(args.sourceBranches)
      const targetBranch = firstOf(args.targetBranches)
      return readConnection(args, MergeRequestWire, site, (window) =>
        session.mergeRequests.list({
          project: source.id as number,
          ...readFilter(args),
          ...(sourceBranch !== undefined && { sourceBranch }),
          ...(targetBranch !== undefined && { targetBranch }),
          ...window,
        }),
      )
    },
  },
}

/** Fields of the repository of a project. */
export const repositoryResolvers: TypeResolvers = {
  computed: {
    exists: ({ empty_repo: isEmpty }) => !isEmpty,
    empty: ({ empty_repo: isEmpty }) => isEmpty,
    rootRef: ({ default_branch: branch }) => branch ?? null,
  },
}

/** Fields of the namespace of a project. */
export const namespaceResolvers: TypeResolvers = {
  computed: { id: ({ kind, id }) => formatGlobalId(kind === 'group' ? 'Group' : 'Namespaces::UserNamespace', id) },
}
