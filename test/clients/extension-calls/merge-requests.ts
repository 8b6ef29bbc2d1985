import { byOwner, byUser, type ClientCalls, noCall, type UnsupportedRoutes } from './client-world.ts'

/** Merge requests, their changes, approvals, subscriptions, times and to-dos. */
export const mergeRequestCalls: ClientCalls = {
  'GET /merge_requests': byUser(({ MergeRequests }) => MergeRequests.all({ scope: 'all' })),
  'GET /groups/:id/merge_requests': byOwner(({ MergeRequests }) => MergeRequests.all({ groupId: 'acme' })),
  'GET /projects/:id/merge_requests': byOwner(({ MergeRequests }) => MergeRequests.all({ projectId: 'acme/web' })),
  'POST /projects/:id/merge_requests': byOwner(async ({ MergeRequests }, { commit }) =>
    MergeRequests.create('acme/web', (await commit()).branch, 'main', 'Add a file', { removeSourceBranch: true }),
  ),
  'GET /projects/:id/merge_requests/:merge_request_iid': byOwner(({ MergeRequests }) =>
    MergeRequests.show('acme/web', 1, { includeRebaseInProgress: true }),
  ),
  'PUT /projects/:id/merge_requests/:merge_request_iid': byOwner(({ MergeRequests }) =>
    MergeRequests.edit('acme/web', 1, { description: 'Faster' }),
  ),
  'DELETE /projects/:id/merge_requests/:merge_request_iid': byOwner(async ({ MergeRequests }, { mergeRequest }) =>
    MergeRequests.remove('acme/web', await mergeRequest()),
  ),
  'PUT /projects/:id/merge_requests/:merge_request_iid/merge': byOwner(async ({ MergeRequests }, { mergeRequest }) =>
    MergeRequests.accept('acme/web', await mergeRequest(), { squash: true }),
  ),
  'POST /projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds': byOwner(
    async ({ MergeRequests }, { mergeRequest, host, project, head }) => {
      const iid = await mergeRequest()
      const jobs = [{ name: 'test' }]
      const { sha } = await host.mergeRequests.get({ project, mergeRequest: iid })
      await host.pipelines.record({ project, ref: 'main', mergeRequest: iid, sha: sha ?? head, jobs })
      await host.mergeRequests.merge({ project, mergeRequest: iid, autoMerge: true })
      return MergeRequests.cancelOnPipelineSuccess('acme/web', iid)
    },
  ),
  'PUT /projects/:id/merge_requests/:merge_request_iid/rebase': byOwner(async ({ MergeRequests }, { mergeRequest }) =>
    MergeRequests.rebase('acme/web', await mergeRequest(), { skipCI: true }),
  ),
  'GET /projects/:id/merge_requests/:merge_request_iid/reviewers': byOwner(({ MergeRequests }) =>
    MergeRequests.showReviewers('acme/web', 1),
  ),
  'GET /projects/:id/merge_requests/:merge_request_iid/commits': byOwner(({ MergeRequests }) =>
    MergeRequests.allCommits('acme/web', 1),
  ),
  'GET /projects/:id/merge_requests/:merge_request_iid/diffs': byOwner(({ MergeRequests }) =>
    MergeRequests.allDiffs('acme/web', 1),
  ),
  'GET /projects/:id/merge_requests/:merge_request_iid/changes': byOwner(({ MergeRequests }) =>
    MergeRequests.showChanges('acme/web', 1),
  ),
  'GET /projects/:id/merge_requests/:merge_request_iid/versions': byOwner(({ MergeRequests }) =>
    MergeRequests.allDiffVersions('acme/web', 1),
  ),
  'GET /projects/:id/merge_requests/:merge_request_iid/versions/:version_id': byOwner(
    async ({ MergeRequests }, { alice, project }) => {
      const { items } = await alice.mergeRequests.listVersions({ project, mergeRequest: 1 })
      return MergeRequests.showDiffVersion('acme/web', 1, items[0]?.id as number)
    },
  ),
  'GET /projects/:id/merge_requests/:merge_request_iid/closes_issues': byOwner(({ MergeRequests }) =>
    MergeRequests.allIssuesClosed('acme/web', 1),
  ),
  'GET /projects/:id/merge_requests/:merge_request_iid/approvals': byOwner(({ MergeRequestApprovals }) =>
    MergeRequestApprovals.showConfiguration('acme/web', { mergerequestIId: 1 } as never),
  ),
  'POST /projects/:id/merge_requests/:merge_request_iid/approve': byOwner(
    async ({ MergeRequestApprovals }, { mergeRequest }) =>
      MergeRequestApprovals.approve('acme/web', await mergeRequest()),
  ),
  'POST /projects/:id/merge_requests/:merge_request_iid/unapprove': byOwner(
    async ({ MergeRequestApprovals }, { mergeRequest, alice, project }) => {
      const iid = await mergeRequest()
      await alice.mergeRequestApprovals.approve({ project, mergeRequest: iid })
      return MergeRequestApprovals.unapprove('acme/web', iid)
    },
  ),
  'GET /projects/:id/merge_requests/:merge_request_iid/participants': byOwner(({ MergeRequests }) =>
    MergeRequests.allParticipants('acme/web', 1),
  ),
  'POST /projects/:id/merge_requests/:merge_request_iid/subscribe': byOwner(
    async ({ MergeRequests }, { alice, project }) => {
      await alice.subscriptions.unsubscribe({ project, mergeRequest: 1 })
      return MergeRequests.subscribe('acme/web', 1)
    },
  ),
  'POST /projects/:id/merge_requests/:merge_request_iid/unsubscribe': byOwner(
    async ({ MergeRequests }, { mergeRequest }) => MergeRequests.unsubscribe('acme/web', await mergeRequest()),
  ),
  'POST /projects/:id/merge_requests/:merge_request_iid/todo': byOwner(async ({ MergeRequests }, { mergeRequest }) =>
    MergeRequests.createTodo('acme/web', await mergeRequest()),
  ),
  'GET /projects/:id/merge_requests/:merge_request_iid/time_stats': byOwner(({ MergeRequests }) =>
    MergeRequests.showTimeStats('acme/web', 1),
  ),
  'POST /projects/:id/merge_requests/:merge_request_iid/time_estimate': byOwner(({ MergeRequests }) =>
    MergeRequests.setTimeEstimate('acme/web', 1, '3h30m'),
  ),
  'POST /projects/:id/merge_requests/:merge_request_iid/reset_time_estimate': byOwner(({ MergeRequests }) =>
    MergeRequests.resetTimeEstimate('acme/web', 1),
  ),
  'POST /projects/:id/merge_requests/:merge_request_iid/add_spent_time': byOwner(({ MergeRequests }) =>
    MergeRequests.addSpentTime('acme/web', 1, '1h'),
  ),
  'POST /projects/:id/merge_requests/:merge_request_iid/reset_spent_time': byOwner(({ MergeRequests }) =>
    MergeRequests.resetSpentTime('acme/web', 1),
  ),
}

export const unsupportedMergeRequestRoutes: UnsupportedRoutes = {
  'GET /projects/:id/merge_requests/:merge_request_iid/raw_diffs': noCall,
  'GET /projects/:id/merge_requests/:merge_request_iid/merge_ref': 'the client sends a PUT',
}
