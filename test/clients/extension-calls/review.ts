import type { Client, ClientCalls, ClientWorld, UnsupportedRoutes } from './client-world.ts'
import { byOwner, noCall } from './client-world.ts'

const mergeRequestPath = '/projects/:id/merge_requests/:merge_request_iid'
const drafts = `${mergeRequestPath}/draft_notes`
const rules = '/projects/:id/approval_rules'
const ownRules = `${mergeRequestPath}/approval_rules`

const newDraft = async ({ alice, project }: ClientWorld) =>
  (await alice.draftNotes.create({ project, mergeRequest: 1, note: 'Hello' })).id

/** No approvals, so that other calls can merge. */
const newRule = ({ name }: ClientWorld) => ({ name: name('rule'), approvalsRequired: 0, usernames: ['bob'] })

const newProjectRule = async (world: ClientWorld) =>
  (await world.alice.approvalRules.create({ project: world.project, ...newRule(world) })).id

const newOwnRule = async (world: ClientWorld) => {
  const { project, alice } = world
  const mergeRequest = await world.mergeRequest()
  const { id } = await alice.approvalRules.create({ project, mergeRequest, ...newRule(world) })
  return { mergeRequest, id }
}

/** The changes of issues or of merge requests. */
const eventCallsOf = (kind: 'issues' | 'merge_requests'): ClientCalls => {
  const base = `/projects/:id/${kind}/:${kind === 'issues' ? 'issue' : 'merge_request'}_iid`
  const clients = (api: Client) =>
    kind === 'issues'
      ? ([api.IssueLabelEvents, api.IssueMilestoneEvents, api.IssueStateEvents] as const)
      : ([api.MergeRequestLabelEvents, api.MergeRequestMilestoneEvents, api.MergeRequestStateEvents] as const)
  /** The ids of a change of each kind. */
  const change = async ({ alice, project, milestone }: ClientWorld): Promise<readonly number[]> => {
    const fields = { project, addLabels: ['changed'], milestone: await milestone({ project }) }
    for (const stateEvent of ['close', 'reopen'] as const) {
      if (kind === 'issues') await alice.issues.update({ ...fields, stateEvent, issue: 1 })
      else await alice.mergeRequests.update({ ...fields, stateEvent, mergeRequest: 1 })
    }
    const ref = kind === 'issues' ? { project, issue: 1 } : { project, mergeRequest: 1 }
    const { listLabelEvents, listMilestoneEvents, listStateEvents } = alice.resourceEvents
    const pages = [await listLabelEvents(ref), await listMilestoneEvents(ref), await listStateEvents(ref)]
    return pages.map(({ items }) => items[0]?.id as number)
  }
  return Object.fromEntries(
    ['label', 'milestone', 'state'].flatMap((name, at) => [
      [
        `GET ${base}/resource_${name}_events`,
        byOwner((api) => clients(api)[at]?.all('acme/web', 1) as Promise<unknown>),
      ],
      [
        `GET ${base}/resource_${name}_events/:resource_${name}_event_id`,
        byOwner(
          async (api, world) =>
            clients(api)[at]?.show('acme/web', 1, (await change(world))[at] as number) as Promise<unknown>,
        ),
      ],
    ]),
  )
}

/** An epic with an event for a label and a state. */
const newChangedEpic = async ({ alice, epic }: ClientWorld) => {
  const { id, iid } = await epic()
  await alice.epics.update({ group: 'acme', epic: iid, addLabels: ['changed'], stateEvent: 'close' })
  return id
}

/** Draft notes, approval rules and changes of issues and merge requests. */
export const reviewCalls: ClientCalls = {
  [`GET ${drafts}`]: byOwner(({ MergeRequestDraftNotes }) => MergeRequestDraftNotes.all('acme/web', 1)),
  [`POST ${drafts}`]: byOwner(({ MergeRequestDraftNotes }) => MergeRequestDraftNotes.create('acme/web', 1, 'Hello')),
  [`GET ${drafts}/:draft_note_id`]: byOwner(async ({ MergeRequestDraftNotes }, world) =>
    MergeRequestDraftNotes.show('acme/web', 1, await newDraft(world)),
  ),
  [`DELETE ${drafts}/:draft_note_id`]: byOwner(async ({ MergeRequestDraftNotes }, world) =>
    MergeRequestDraftNotes.remove('acme/web', 1, await newDraft(world)),
  ),
  [`PUT ${drafts}/:draft_note_id/publish`]: byOwner(async ({ MergeRequestDraftNotes }, world) =>
    MergeRequestDraftNotes.publish('acme/web', 1, await newDraft(world)),
  ),
  [`POST ${drafts}/bulk_publish`]: byOwner(({ MergeRequestDraftNotes }) =>
    MergeRequestDraftNotes.publishBulk('acme/web', 1),
  ),
  'PUT /suggestions/:id/apply': byOwner(async ({ Suggestions }, world) => Suggestions.edit(await world.suggestion())),
  'PUT /suggestions/batch_apply': byOwner(async ({ Suggestions }, world) =>
    Suggestions.editBatch([await world.suggestion()]),
  ),
  'GET /projects/:id/approvals': byOwner(({ MergeRequestApprovals }) =>
    MergeRequestApprovals.showConfiguration('acme/web'),
  ),
  'POST /projects/:id/approvals': byOwner(({ MergeRequestApprovals }) =>
    MergeRequestApprovals.editConfiguration('acme/web', { resetApprovalsOnPush: false }),
  ),
  [`GET ${rules}`]: byOwner(({ MergeRequestApprovals }) => MergeRequestApprovals.allApprovalRules('acme/web')),
  [`POST ${rules}`]: byOwner(({ MergeRequestApprovals }, { name }) =>
    MergeRequestApprovals.createApprovalRule('acme/web', name('rule'), 0, { usernames: ['bob'] }),
  ),
  [`GET ${rules}/:approval_rule_id`]: byOwner(async ({ MergeRequestApprovals }, world) =>
    MergeRequestApprovals.showApprovalRule('acme/web', await newProjectRule(world)),
  ),
  [`PUT ${rules}/:approval_rule_id`]: byOwner(async ({ MergeRequestApprovals }, world) =>
    MergeRequestApprovals.editApprovalRule('acme/web', await newProjectRule(world), world.name('rule'), 0),
  ),
  [`DELETE ${rules}/:approval_rule_id`]: byOwner(async ({ MergeRequestApprovals }, world) =>
    MergeRequestApprovals.removeApprovalRule('acme/web', await newProjectRule(world)),
  ),
  [`GET ${mergeRequestPath}/approval_state`]: byOwner(({ MergeRequestApprovals }) =>
    MergeRequestApprovals.showApprovalState('acme/web', 1),
  ),
  [`GET ${ownRules}`]: byOwner(({ MergeRequestApprovals }) =>
    MergeRequestApprovals.allApprovalRules('acme/web', { mergerequestIId: 1 }),
  ),
  [`POST ${ownRules}`]: byOwner(async ({ MergeRequestApprovals }, { mergeRequest, name }) =>
    MergeRequestApprovals.createApprovalRule('acme/web', name('rule'), 0, {
      mergerequestIId: await mergeRequest(),
      usernames: ['bob'],
    } as never),
  ),
  [`PUT ${ownRules}/:approval_rule_id`]: byOwner(async ({ MergeRequestApprovals }, world) => {
    const { mergeRequest, id } = await newOwnRule(world)
    return MergeRequestApprovals.editApprovalRule('acme/web', id, world.name('rule'), 0, {
      mergerequestIId: mergeRequest,
    } as never)
  }),
  [`DELETE ${ownRules}/:approval_rule_id`]: byOwner(async ({ MergeRequestApprovals }, world) => {
    const { mergeRequest, id } = await newOwnRule(world)
    return MergeRequestApprovals.removeApprovalRule('acme/web', id, { mergerequestIId: mergeRequest })
  }),
  [`GET ${mergeRequestPath}/related_issues`]: byOwner(({ MergeRequests }) =>
    MergeRequests.allIssuesRelated('acme/web', 1),
  ),
  ...eventCallsOf('issues'),
  ...eventCallsOf('merge_requests'),
  'GET /groups/:id/epics/:epic_id/resource_label_events': byOwner(async ({ EpicLabelEvents }, { epic }) =>
    EpicLabelEvents.all('acme', (await epic()).id),
  ),
  'GET /groups/:id/epics/:epic_id/resource_label_events/:resource_label_event_id': byOwner(
    async ({ EpicLabelEvents }, world) => {
      const epic = await newChangedEpic(world)
      const { items } = await world.alice.resourceEvents.listLabelEvents({ group: 'acme', epicId: epic })
      return EpicLabelEvents.show('acme', epic, items[0]?.id as number)
    },
  ),
  'GET /groups/:id/epics/:epic_id/resource_state_events': byOwner(async ({ EpicStateEvents }, { epic }) =>
    EpicStateEvents.all('acme', (await epic()).id),
  ),
  'GET /groups/:id/epics/:epic_id/resource_state_events/:resource_state_event_id': byOwner(
    async ({ EpicStateEvents }, world) => {
      const epic = await newChangedEpic(world)
      const { items } = await world.alice.resourceEvents.listStateEvents({ group: 'acme', epicId: epic })
      return EpicStateEvents.show('acme', epic, items[0]?.id as number)
    },
  ),
}

export const unsupportedReviewRoutes: UnsupportedRoutes = {
  [`PUT ${drafts}/:draft_note_id`]: 'the client sends a POST',
  [`POST ${mergeRequestPath}/approvals`]: noCall,
  [`PUT ${mergeRequestPath}/reset_approvals`]: noCall,
  [`GET ${ownRules}/:approval_rule_id`]: noCall,
  'GET /projects/:id/issues/:issue_iid/resource_weight_events': noCall,
  'GET /projects/:id/issues/:issue_iid/resource_weight_events/:resource_weight_event_id': noCall,
}
