import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { demoWithCode } from '@forgelet/core/seed'
import { expect, test } from 'vitest'
import { extensionRoutes } from '../coverage/extension-routes.ts'
import { world } from '../sqlite-world.ts'
import { createZip } from '../support/zip.ts'
import { python } from './python.ts'

/** Extension routes that the client cannot call, with the reasons. */
const unsupported: Readonly<Record<string, readonly string[]>> = {
  'the client does not implement SCIM, which only identity providers use': [
    'PUT /api/scim/v2/groups/:group_path/Users/:id',
    'GET /api/scim/v2/groups/:group_path/ServiceProviderConfig',
    'GET /api/scim/v2/groups/:group_path/ResourceTypes',
    'GET /api/scim/v2/groups/:group_path/ResourceTypes/:id',
    'GET /api/scim/v2/groups/:group_path/Schemas',
    'GET /api/scim/v2/groups/:group_path/Schemas/:id',
  ],
  'the client calls another form of the route': [
    'PUT /api/v4/groups/:id/labels/:label_id',
    'DELETE /api/v4/groups/:id/labels',
  ],
  'the client fails because notes of epics lack an attribute': [
    'GET /api/v4/groups/:id/epics/:epic_id/notes/:note_id/award_emoji',
    'POST /api/v4/groups/:id/epics/:epic_id/notes/:note_id/award_emoji',
    'GET /api/v4/groups/:id/epics/:epic_id/notes/:note_id/award_emoji/:award_id',
    'DELETE /api/v4/groups/:id/epics/:epic_id/notes/:note_id/award_emoji/:award_id',
  ],
  'the client hides errors: python-gitlab.py calls it': ['GET /api/v4/version'],
  'the client has no call for it': [
    'GET /api/v4/features/definitions',
    'GET /-/project/:id/uploads/:secret/:filename',
    'GET /api/v4/projects/:id/issues/:issue_iid/resource_weight_events',
    'GET /api/v4/projects/:id/issues/:issue_iid/resource_weight_events/:resource_weight_event_id',
    'GET /api/v4/groups/:id/epics/:epic_id/resource_state_events',
    'GET /api/v4/groups/:id/epics/:epic_id/resource_state_events/:resource_state_event_id',
    'GET /api/v4/groups/:id/epics/:epic_id/discussions',
    'POST /api/v4/groups/:id/epics/:epic_id/discussions',
    'GET /api/v4/groups/:id/epics/:epic_id/discussions/:discussion_id',
    'POST /api/v4/groups/:id/epics/:epic_id/discussions/:discussion_id/notes',
    'GET /api/v4/groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id',
    'PUT /api/v4/groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id',
    'DELETE /api/v4/groups/:id/epics/:epic_id/discussions/:discussion_id/notes/:note_id',
    'POST /api/v4/groups/:id/epics/:epic_iid/todo',
    'POST /api/v4/projects/:id/wikis/attachments',
    'POST /api/v4/projects/:id/environments/stop_stale',
    'DELETE /api/v4/projects/:id/environments/review_apps',
    'GET /api/v4/projects/:id/releases/permalink/latest',
    'GET /api/v4/projects/:id/releases/permalink/latest/:suffix_path',
    'GET /api/v4/projects/:id/releases/:tag_name/downloads/:direct_asset_path',
    'POST /api/v4/projects/:id/releases/:tag_name/evidence',
    'GET /api/v4/projects/:id/releases/:tag_name/evidences/:evidence_id',
    'GET /api/v4/projects/:id/templates/:type',
    'GET /api/v4/projects/:id/templates/:type/:name',
    'GET /api/v4/groups/:id/groups/shared',
    'GET /api/v4/projects/:id/share_locations',
    'GET /api/v4/users/:id/associations_count',
    'PUT /api/v4/hooks/:hook_id',
    'GET /api/v4/projects/:id/jobs/:job_id/artifacts/tree',
    'GET /api/v4/projects/:id/hooks/:hook_id/events',
    'POST /api/v4/projects/:id/hooks/:hook_id/events/:hook_event_id/resend',
    'POST /api/v4/projects/:id/hooks/:hook_id/test/:trigger',
    'GET /api/v4/groups/:id/hooks/:hook_id/events',
    'POST /api/v4/groups/:id/hooks/:hook_id/events/:hook_event_id/resend',
    'POST /api/v4/groups/:id/hooks/:hook_id/test/:trigger',
    'PUT /api/v4/user/avatar',
    'GET /api/v4/projects/:id/avatar',
    'GET /api/v4/groups/:id/avatar',
    'GET /uploads/-/system/user/avatar/:id/:filename',
    'GET /uploads/-/system/project/avatar/:id/:filename',
    'GET /uploads/-/system/group/avatar/:id/:filename',
    'PUT /api/v4/projects/:id/repository/branches/:branch/protect',
    'PUT /api/v4/projects/:id/repository/branches/:branch/unprotect',
    'GET /api/v4/groups/:id/access_tokens/:token_id',
    'POST /api/v4/groups/:id/access_tokens/:token_id/rotate',
    'GET /api/v4/projects/:id/access_tokens/:token_id',
    'POST /api/v4/projects/:id/access_tokens/:token_id/rotate',
    'GET /api/v4/metadata',
    'GET /api/v4/personal_access_tokens/self',
    'DELETE /api/v4/personal_access_tokens/self',
    'POST /api/v4/personal_access_tokens/self/rotate',
    'GET /api/v4/personal_access_tokens/:id',
    'POST /api/v4/personal_access_tokens/:id/rotate',
    'DELETE /api/v4/projects/:id/deployments/:deployment_id',
    'GET /api/v4/projects/:id/issues/:issue_iid/links/:issue_link_id',
    'POST /api/v4/projects/:id/issues/:issue_iid/clone',
    'GET /api/v4/projects/:id/approval_rules/:approval_rule_id',
    'GET /api/v4/projects/:id/merge_requests/:merge_request_iid/related_issues',
    'GET /api/v4/projects/:id/merge_requests/:merge_request_iid/draft_notes',
    'POST /api/v4/projects/:id/merge_requests/:merge_request_iid/draft_notes',
    'POST /api/v4/projects/:id/merge_requests/:merge_request_iid/draft_notes/bulk_publish',
    'GET /api/v4/projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id',
    'PUT /api/v4/projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id',
    'DELETE /api/v4/projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id',
    'PUT /api/v4/projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id/publish',
    'GET /api/v4/projects/:id/milestones/:milestone_id/burndown_events',
    'GET /api/v4/groups/:id/milestones/:milestone_id/burndown_events',
    'POST /api/v4/projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds',
    'GET /api/v4/projects/:id/merge_requests/:merge_request_iid/diffs',
    'GET /api/v4/projects/:id/merge_requests/:merge_request_iid/raw_diffs',
    'GET /api/v4/projects/:id/merge_requests/:merge_request_iid/reviewers',
    'GET /api/v4/job',
    'GET /api/v4/projects/:id/job_token_scope',
    'PATCH /api/v4/projects/:id/job_token_scope',
    'GET /api/v4/projects/:id/job_token_scope/allowlist',
    'POST /api/v4/projects/:id/job_token_scope/allowlist',
    'DELETE /api/v4/projects/:id/job_token_scope/allowlist/:target_project_id',
    'GET /api/v4/projects/:id/job_token_scope/groups_allowlist',
    'POST /api/v4/projects/:id/job_token_scope/groups_allowlist',
    'DELETE /api/v4/projects/:id/job_token_scope/groups_allowlist/:target_group_id',
    'PUT /api/v4/projects/:id/pipelines/:pipeline_id/metadata',
    'GET /api/v4/projects/:id/pipelines/latest',
    'GET /api/v4/projects/:id/pipeline_schedules/:pipeline_schedule_id/pipelines',
    'POST /api/v4/projects/:id/ref/:ref/trigger/pipeline',
    'GET /api/v4/projects/:id/packages/:package_id/pipelines',
    'GET /api/v4/projects/:id/remote_mirrors/:mirror_id',
    'DELETE /api/v4/projects/:id/remote_mirrors/:mirror_id',
    'POST /api/v4/projects/:id/remote_mirrors/:mirror_id/sync',
    'PATCH /api/v4/projects/:id/protected_branches/:name',
    'GET /api/v4/projects/:id/repository/commits/:sha/sequence',
    'GET /api/v4/projects/:id/starrers',
    'GET /api/v4/projects/:id/uploads',
    'GET /api/v4/projects/:id/uploads/:secret/:filename',
    'DELETE /api/v4/projects/:id/uploads/:secret/:filename',
  ],
}

const isSuccess = (status: number | null) => status !== null && status < 300
const isRefused = (status: number | null) => [401, 403, 404].includes(status ?? 0)

test.skipIf(python === undefined)(
  'python-gitlab calls each extension route, as a permitted user and as a refused one',
  async () => {
    await using forge = await world({ seed: demoWithCode, port: 0, journal: { exchanges: 10_000 } })
    await forge.host.projects.update({ project: 'acme/web', visibility: 'private' })
    await forge.host.groups.update({ group: 'acme', visibility: 'private' })
    const node = await forge.host.replicaNodes.create({ name: 'second', url: 'https://second.example.com' })
    await forge.host.replicaNodes.report({ node: node.id, healthy: true })
    const { commit } = await forge.host.branches.get({ project: 'acme/web', branch: 'main' })
    const pipeline = await forge.host.pipelines.record({
      project: 'acme/web',
      ref: 'main',
      sha: commit.id,
      jobs: [
        { name: 'build', stage: 'build', status: 'success' },
        { name: 'ask', stage: 'ask', status: 'manual', allowFailure: true },
      ],
    })
    for (const { id: job } of (await forge.host.pipelineJobs.list({ project: 'acme/web', pipeline: pipeline.id }))
      .items)
      await forge.host.pipelineJobs.setArtifacts({
        project: 'acme/web',
        job,
        file: { fileName: 'a.zip', content: createZip([{ path: 'a.txt', content: 'a' }]) },
      })
    const repository = await forge.host.containerRepositories.create({ project: 'acme/web' })
    const { id: linked } = await forge.host.users.get({ user: 'bob' })
    await forge.host.identities.link({ user: linked, provider: 'crm', externalUid: '7' })
    await forge.host.exports.create({ project: 'acme/web' })
    await forge.host.exports.create({ group: 'acme' })
    await forge.platform.jobs.drain()
    const tokens = ['alice', 'root', 'mallory'].map((user) => forge.tokens[user] as string)
    const script = join(import.meta.dirname, 'python-gitlab-extensions.py')
    const args = [script, forge.url, ...tokens, ...[node.id, repository.id, linked].map(String)]
    const { stdout } = await promisify(execFile)(python as string, args, { maxBuffer: 10_000_000 })
    const { routes, failures } = JSON.parse(stdout) as { routes: string[]; failures: string[] }
    expect(failures).toEqual([])
    const called = routes.map((line) => line.replace(' ', ' /api/v4'))
    const exchanges = forge.journal.all
    expect(
      called.filter((line) => !exchanges.some(({ route, status }) => route === line && isSuccess(status))),
    ).toEqual([])
    expect(
      called.filter((line) => !exchanges.some(({ route, status }) => route === line && isRefused(status))),
    ).toEqual([])
    const listed = [...called, ...Object.values(unsupported).flat()]
    expect(listed.toSorted()).toEqual(Object.values(extensionRoutes).flat().toSorted())
  },
  120_000,
)
