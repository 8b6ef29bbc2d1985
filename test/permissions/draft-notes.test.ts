import { describe } from 'vitest'
import { everyRouteOf, permissionTable, signedInCallers, type Target, visibilities } from './matrix.ts'

/** A draft note of each user in each project, by project and user. */
const drafts = new Map<string, number>()

const at = '/projects/:id/merge_requests/1/draft_notes'

describe('draft notes', () =>
  // Guests of a private project cannot see its merge requests; the tests of the operations cover this.
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    ${at} 401 200·200·404 - 200 200 200 200 200
    POST   ${at} 401 201·201·404 - 201 201 201 201 201
    POST   ${at}/bulk_publish 401 204·204·404 - 204 204 204 204 204
    GET    ${at}/:draft 401 200·200·404 - 200 200 200 200 200
    PUT    ${at}/:draft 401 200·200·404 - 200 200 200 200 200
    DELETE ${at}/:draft 401 204·204·404 - 204 204 204 204 204
    PUT    ${at}/:draft/publish 401 204·204·404 - 204 204 204 204 204
    `,
    {
      prepare: async ({ host }) => {
        for (const visibility of visibilities) {
          const project = `${visibility}/code`
          const { id } = await host.projects.get({ project })
          await host.mergeRequests.create({ project, title: 'x', sourceBranch: 'new', author: 'owner' })
          for (const author of signedInCallers) {
            const draft = await host.draftNotes.create({ project, mergeRequest: 1, note: 'x', author })
            drafts.set(`${id} ${author}`, draft.id)
          }
        }
      },
      path: { draft: ({ project, caller }: Target) => drafts.get(`${project} ${caller}`) ?? 1 },
      bodies: { [`POST ${at}`]: { note: 'x' }, [`PUT ${at}/:draft`]: { note: 'y' } },
    },
  ))

everyRouteOf('draft notes')
