import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type TableOptions, type Target, visibilities } from './matrix.ts'

/** The rules of each project and of its merge request, by project id. */
const projectRules = new Map<number, number>()
const mergeRequestRules = new Map<number, number>()

const prepare = async ({ host }: FakeForge) => {
  for (const visibility of visibilities) {
    const project = `${visibility}/code`
    const { id } = await host.projects.get({ project })
    const rule = { project, name: 'Rule', approvalsRequired: 1, usernames: ['developer'] }
    await host.mergeRequests.create({ project, title: 'x', sourceBranch: 'new', author: 'owner' })
    projectRules.set(id, (await host.approvalRules.create(rule)).id)
    mergeRequestRules.set(id, (await host.approvalRules.create({ ...rule, mergeRequest: 1 })).id)
  }
}

const at = '/projects/:id/merge_requests/1'
const newRule = { name: 'New', approvals_required: 1 }

const options: TableOptions = {
  prepare,
  path: {
    project_rule: ({ project }: Target) => projectRules.get(project),
    rule: ({ project }: Target) => mergeRequestRules.get(project),
  },
  bodies: {
    'POST /projects/:id/approvals': { reset_approvals_on_push: true },
    'POST /projects/:id/approval_rules': newRule,
    'PUT /projects/:id/approval_rules/:project_rule': { approvals_required: 2 },
    [`POST ${at}/approvals`]: { approvals_required: 1 },
    [`POST ${at}/approval_rules`]: newRule,
    [`PUT ${at}/approval_rules/:rule`]: { approvals_required: 2 },
  },
}

describe('approval rules', () =>
  // Guests of a private project cannot see its merge requests; the tests of the operations cover this.
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/approvals 401 403·403·404 403 403 200 200 200 200
    POST   /projects/:id/approvals 401 403·403·404 403 403 403 201 201 201
    GET    /projects/:id/approval_rules 401 403·403·404 403 403 200 200 200 200
    POST   /projects/:id/approval_rules 401 403·403·404 403 403 403 201 201 201
    GET    /projects/:id/approval_rules/:project_rule 401 403·403·404 403 403 200 200 200 200
    PUT    /projects/:id/approval_rules/:project_rule 401 403·403·404 403 403 403 200 200 200
    DELETE /projects/:id/approval_rules/:project_rule 401 403·403·404 403 403 403 204 204 204
    GET    ${at}/approvals 200·404·404 200·200·404 - 200 200 200 200 200
    POST   ${at}/approvals 401 403·403·404 - 403 201 201 201 201
    POST   ${at}/approve 401 403·403·404 - 403 201 201 201 201
    PUT    ${at}/reset_approvals 401 403·403·404 - 403 403 403 403 403
    GET    ${at}/approval_state 401 200·200·404 - 200 200 200 200 200
    GET    ${at}/approval_rules 401 200·200·404 - 200 200 200 200 200
    POST   ${at}/approval_rules 401 403·403·404 - 403 201 201 201 201
    GET    ${at}/approval_rules/:rule 401 200·200·404 - 200 200 200 200 200
    PUT    ${at}/approval_rules/:rule 401 403·403·404 - 403 200 200 200 200
    DELETE ${at}/approval_rules/:rule 401 403·403·404 - 403 204 204 204 204
    `,
    options,
  ))

describe('an approved merge request', () =>
  permissionTable(`POST ${at}/unapprove 401 403·403·404 - 403 201 201 201 201`, {
    ...options,
    prepare: async (forge) => {
      await prepare(forge)
      for (const visibility of visibilities) {
        for (const user of ['developer', 'maintainer', 'owner', 'admin'])
          await forge.host.mergeRequestApprovals.approve({ project: `${visibility}/code`, mergeRequest: 1, user })
      }
    },
  }))

everyRouteOf('approval rules', 'merge request approvals')
