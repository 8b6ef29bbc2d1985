import { MilestoneWire } from '../../shapes/milestone.ts'
import { itemField, listField } from '../fields.ts'
import { parseIdOf } from '../global-id.ts'
import { pick } from '../mutation.ts'
import type { Resolver, WithId } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
import { toWebPath } from '../web-path.ts'
import type { Container } from './labels.ts'

const milestoneArguments = `state: MilestoneStateEnum, title: String, includeAncestors: Boolean, ${paging}`

const createListResolver = (toContainer: (id: number) => Container): Resolver =>
  listField(MilestoneWire, ({ milestones }, window, { id }: WithId, args) =>
    milestones.list({
      ...toContainer(id),
      ...pick(args, 'state', 'title', 'includeAncestors'),
      ...window,
    }),
  )

/** Milestones. */
export const milestonePart: SchemaPart = {
  types: `
enum MilestoneStateEnum { active closed }

type Milestone {
  id: ID! iid: ID! title: String! description: String state: MilestoneStateEnum! dueDate: Date startDate: Date
  webPath: String! expired: Boolean! createdAt: Time! updatedAt: Time!
}

extend type Project { milestones(${milestoneArguments}): MilestoneConnection }
extend type Group { milestones(${milestoneArguments}): MilestoneConnection }
extend type Query { milestone(id: MilestoneID!): Milestone }
`,
  resolvers: {
    Milestone: { computed: { webPath: toWebPath } },
    Project: { calls: { milestones: createListResolver((project) => ({ project })) } },
    Group: { calls: { milestones: createListResolver((group) => ({ group })) } },
    Query: {
      calls: {
        milestone: itemField(MilestoneWire, async ({ globalIds, milestones }, _source, { id }) => {
          const milestoneId = parseIdOf('Milestone', id)
          const { projectId, groupId } = await globalIds.findMilestone({ id: milestoneId })
          const container = projectId === null ? { group: groupId } : { project: projectId }
          return milestones.get({ ...(container as { project: number }), milestoneId })
        }),
      },
    },
  },
}
