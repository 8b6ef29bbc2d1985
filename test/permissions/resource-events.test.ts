import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type TableOptions, type Target, visibilities } from './matrix.ts'

/** Ids of changes and milestones, by group or project and name. */
const ids = new Map<string, number>()

const prepare = async ({ host }: FakeForge) => {
  for (const visibility of visibilities) {
    const [group, project] = [visibility, `${visibility}/code`]
    const { id: groupId } = await host.groups.get({ group })
    const { id: projectId } = await host.projects.get({ project })
    const milestone = await host.milestones.create({ project, title: 'x' })
    ids.set(`${projectId} milestone`, milestone.id)
    ids.set(`${groupId} milestone`, (await host.milestones.create({ group, title: 'y' })).id)
    const { id: epicId, iid: epic } = await host.epics.create({ group, title: 'x', author: 'owner', labels: ['bug'] })
    await host.epics.update({ group, epic, stateEvent: 'close' })
    ids.set(`${groupId} epic`, epicId)
    ids.set(
      `${groupId} epic_label`,
      (await host.resourceEvents.listLabelEvents({ group, epicId })).items[0]?.id as number,
    )
    ids.set(
      `${groupId} epic_state`,
      (await host.resourceEvents.listStateEvents({ group, epicId })).items[0]?.id as number,
    )
    const fields = { project, title: 'x', author: 'owner', labels: ['bug'], milestone: milestone.id }
    await host.issues.create({ ...fields, weight: 1 })
    await host.issues.update({ project, issue: 1, stateEvent: 'close' })
    await host.mergeRequests.create({ ...fields, sourceBranch: 'new' })
    await host.mergeRequests.update({ project, mergeRequest: 1, stateEvent: 'close' })
    const { items: weights } = await host.resourceEvents.listWeightEvents({ project, issue: 1 })
    ids.set(`${projectId} issue_weight`, weights[0]?.id as number)
    for (const [name, ref] of [
      ['issue', { project, issue: 1 }],
      ['merge_request', { project, mergeRequest: 1 }],
    ] as const) {
      const { listLabelEvents, listMilestoneEvents, listStateEvents } = host.resourceEvents
      const lists = { label: listLabelEvents, milestone: listMilestoneEvents, state: listStateEvents }
      for (const [kind, list] of Object.entries(lists))
        ids.set(`${projectId} ${name}_${kind}`, (await list(ref)).items[0]?.id as number)
    }
  }
}

const ofProject =
  (name: string) =>
  ({ project }: Target) =>
    ids.get(`${project} ${name}`)

const ofGroup =
  (name: string) =>
  ({ group }: Target) =>
    ids.get(`${group} ${name}`)

const names = ['issue', 'merge_request'].flatMap((item) =>
  ['label', 'milestone', 'state'].map((kind) => `${item}_${kind}`),
)

const options: TableOptions = {
  prepare,
  path: {
    ...Object.fromEntries(names.map((name) => [name, ofProject(name)])),
    issue_weight: ofProject('issue_weight'),
    milestone: ofProject('milestone'),
    group_milestone: ofGroup('milestone'),
    epic: ofGroup('epic'),
    epic_label: ofGroup('epic_label'),
    epic_state: ofGroup('epic_state'),
  },
}

const readers = '200·404·404 200·200·404 200 200 200 200 200 200'
const codeReaders = '200·404·404 200·200·404 - 200 200 200 200 200'

const callsOf = (base: string, item: string, cells: string, kinds = ['label', 'milestone', 'state']) =>
  kinds.flatMap((kind) => [
    `GET ${base}/resource_${kind}_events ${cells}`,
    `GET ${base}/resource_${kind}_events/:${item}_${kind} ${cells}`,
  ])

describe('resource events', () =>
  permissionTable(
    [
      ...callsOf('/projects/:id/issues/1', 'issue', readers, ['label', 'milestone', 'state', 'weight']),
      // Guests of a private project cannot see its merge requests; the tests of the operations cover this.
      ...callsOf('/projects/:id/merge_requests/1', 'merge_request', codeReaders),
      ...callsOf('/groups/:id/epics/:epic', 'epic', readers, ['label', 'state']),
      `GET /projects/:id/milestones/:milestone/burndown_events ${readers}`,
      `GET /groups/:id/milestones/:group_milestone/burndown_events ${readers}`,
    ].join('\n'),
    options,
  ))

everyRouteOf('resource events')
