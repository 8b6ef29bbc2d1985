import { describe } from 'vitest'
import { stored } from '../stored.ts'
import { everyRouteOf, permissionTable, type Target, visibilities } from './matrix.ts'
import { createBranches } from './merge-request-branches.ts'

/** A suggestion in each project. */
const suggestions = new Map<number, number>()

describe('suggestions', () =>
  // Guests of a private project cannot see its merge requests; the tests of the operations cover this.
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    PUT    /suggestions/:suggestion/apply 401 403·403·404 - 403 200 200 200 200
    PUT    /suggestions/batch_apply 401 403·403·404 - 403 200 200 200 200
    `,
    {
      prepare: async (forge) => {
        await createBranches(forge)
        for (const visibility of visibilities) {
          const project = `${visibility}/code`
          const { id } = await forge.host.projects.get({ project })
          const { iid, ...created } = await forge.host.mergeRequests.create({
            ...{ project, title: 'x', sourceBranch: 'change', author: 'owner' },
          })
          const { diffRefs } = await forge.host.mergeRequests.get({ project, mergeRequest: iid })
          if (!diffRefs) throw new Error(`the merge request ${created.id} has no diff`)
          const { notes } = await stored(
            forge.host.discussions.create({
              ...{ project, mergeRequest: iid, author: 'owner', body: '```suggestion\nbetter\n```' },
              position: { ...diffRefs, newPath: 'change', newLine: 1 },
            }),
          )
          suggestions.set(id, notes[0]?.suggestions?.[0]?.id ?? 0)
        }
      },
      path: { suggestion: ({ project }: Target) => suggestions.get(project) ?? 0 },
      bodies: { 'PUT /suggestions/batch_apply': ({ project }: Target) => ({ ids: [suggestions.get(project) ?? 0] }) },
    },
  ))

everyRouteOf('suggestions')
