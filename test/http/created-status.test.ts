import { describe, expect, test } from 'vitest'
import { routes } from '../../packages/http/src/routes.ts'
import { getSuccessStatus } from '../../packages/http/src/routing/route.ts'
import { toLine } from './valid-requests.ts'

/** Requests beyond the specification that create nothing, or that GitLab answers with 200 nevertheless. */
const acts: readonly string[] = [
  'POST /applications/:id/renew-secret',
  'POST /feature_flags/unleash/:project_id/client/metrics',
  'POST /feature_flags/unleash/:project_id/client/register',
  'POST /error_tracking/collector/api/:project_id/envelope',
  'POST /error_tracking/collector/api/:project_id/store',
  'POST /runners/verify',
  'POST /ci/lint',
  'POST /projects/:id/ci/lint',
  'POST /projects/:id/environments/stop_stale',
  'POST /projects/:id/pipelines/:pipeline_id/cancel',
  'POST /projects/:id/jobs/:job_id/play',
  'POST /projects/:id/jobs/:job_id/artifacts/keep',
  'POST /projects/:id/milestones/:milestone_id/promote',
  'POST /projects/:id/mirror/pull',
  'POST /projects/:id/releases/:tag_name/evidence',
  'POST /personal_access_tokens/:id/rotate',
  'POST /personal_access_tokens/self/rotate',
  'POST /projects/:id/access_tokens/:token_id/rotate',
  'POST /groups/:id/access_tokens/:token_id/rotate',
  'POST /projects/:id/access_tokens/self/rotate',
  'POST /groups/:id/access_tokens/self/rotate',
  'POST /projects/:id/import_project_members/:project_id',
  'POST /groups/:id/sso/scim_tokens/:token_id/rotate',
  'POST /groups/:id/members/sync',
  'POST /groups/:id/archive',
  'POST /groups/:id/unarchive',
  ...['issues/:issue_iid', 'merge_requests/:merge_request_iid'].flatMap((item) =>
    ['time_estimate', 'reset_time_estimate', 'reset_spent_time'].map((act) => `POST /projects/:id/${item}/${act}`),
  ),
]

const posts = routes.filter(({ method }) => method === 'POST')

describe('the status of a successful POST', () => {
  test('is 201 beyond the specification, except for requests that create nothing', () => {
    const others = posts.filter((route) => route.extension && getSuccessStatus(route, 200) !== 201)
    expect(others.map(toLine).toSorted()).toEqual(acts.toSorted())
  })

  test('is 200 in the specification, and 201 with the option', () => {
    const specified = posts.filter((route) => !route.extension && route.creates)
    expect(specified.length).toBeGreaterThan(20)
    for (const route of specified) {
      expect([getSuccessStatus(route, 200), getSuccessStatus(route, 200, 201)]).toEqual([200, 201])
    }
  })
})
