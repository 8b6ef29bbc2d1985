import type { Route } from '../routing/route.ts'

/** Example values of parameters by name. The objects exist in the demo data. */
const examples: Readonly<Record<string, unknown>> = {
  access_level: 30,
  actions: [{ action: 'update', file_path: 'README.md', content: '# Web' }],
  active: true,
  artifact_path: 'coverage/index.html',
  assets: { links: [{ name: 'Tool', url: 'https://example.com/tool' }] },
  body: 'Looks good to me',
  branch: 'main',
  color: '#D9534F',
  commit_message: 'Update the documentation',
  content: 'echo "Hello"',
  deploy_access_levels: [{ access_level: 40 }],
  discussion_id: '6a9c1750b37d513a43987b574953fceb50b03ce7',
  email: 'kim@example.org',
  domain: 'www.example.com',
  duration: '3h30m',
  environment: 'production',
  expires_at: '2027-01-31',
  external_url: 'https://www.example.com',
  file_name: 'hello.sh',
  file_path: 'README.md',
  filename: 'logo.png',
  format: 'markdown',
  image_url: 'https://ci.example.com/%{project_path}/badge.svg',
  fingerprint: 'SHA256:nUhzNyftwADy8AH3wFY31tAKs7HufskYTte2aXo/lCg',
  from: 'main',
  group_access: 30,
  group_id: 'acme/tools',
  group_path: 'acme',
  key: 'tier',
  label_id: 'bug',
  level: 'watch',
  link_url: 'https://ci.example.com/%{project_path}',
  message: 'Maintenance at noon',
  name: 'production',
  name_regex_delete: 'v.*',
  new_name: 'defect',
  package_name: 'web-assets',
  package_version: '1.0.0',
  ref: 'main',
  ref_name: 'main',
  refs: ['main', 'cache-home'],
  resolved: true,
  scopes: ['read_api'],
  secret: 'c1f8d0cbb2e2e8c8f4f0c4a3a7a2b1d0',
  sha: '2e8f8d6ce4c3b99ffe872754bc0e6cc05e90578d',
  slug: 'docs/Set-up',
  source_branch: 'cache-home',
  status: 'success',
  tag_name: 'v0.1.0',
  target_branch: 'main',
  text: 'Hello **world**',
  title: 'Cache the home page',
  to: 'cache-home',
  trigger: 'issues_events',
  url: 'https://git.example.com/acme/web.git',
  user_id: 3,
  username: 'kim',
  value: 'gold',
  visibility: 'private',
}

/** Examples of `:id` by a part of the path; 1 for all other paths. */
const ids: Readonly<Record<string, unknown>> = {
  '/Users/:id': 'bob-1',
  '/ResourceTypes/:id': 'User',
  '/Schemas/:id': 'urn:ietf:params:scim:schemas:core:2.0:User',
  '/api/v4/projects/:id': 'acme/web',
  '/api/v4/groups/:id': 'acme',
}

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIC6IpQwx6YGCasAp0WerNKHt9W4Y8cmFv2/qjC8ZKExA alice@laptop'

const gpgKey = [
  '-----BEGIN PGP PUBLIC KEY BLOCK-----',
  '',
  'xjMEagAAABYJKwYBBAHaRw8BAQdA9NAuGwlm8X/PsSQ5Is425i9y8rOoe8mqzofF',
  '8IL7qxnNEWJvYkBleGFtcGxlLmNvLnVr',
  '-----END PGP PUBLIC KEY BLOCK-----',
].join('\n')

const readmeBlob = 'dfc4eb1ef8004fb628ab95b10f0aad9bdf426496'

/** Examples that differ from those above, by route. Samples of requests contain these parameters also if they are optional. */
const routeExamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /api/v4/projects/:id/repository/branches': { branch: 'new-page' },
  'PUT /api/v4/projects/:id/packages/generic/:package_name/:package_version/:file_name': { file_name: 'assets.tar.gz' },
  'GET /api/v4/projects/:id/packages/generic/:package_name/:package_version/:file_name': { file_name: 'assets.tar.gz' },
  'DELETE /api/v4/projects/:id/repository/branches/:branch': { branch: 'cache-home' },
  'POST /api/v4/projects/:id/repository/tags': { tag_name: 'v0.2.0' },
  'POST /api/v4/projects/:id/repository/commits/:sha/cherry_pick': { sha: 'cache-home' },
  'POST /api/v4/projects/:id/repository/commits/:sha/comments': {
    note: 'Please add a test for this branch.',
    path: 'README.md',
    line: 1,
    line_type: 'new',
  },
  'PUT /api/v4/projects/:id/repository/branches/:branch/protect': { developers_can_push: true },
  'POST /api/v4/projects/:id/repository/files/:file_path': { file_path: 'docs/new.md' },
  'POST /api/v4/projects/:id/statuses/:sha': { sha: 'main', state: 'success', name: 'build' },
  'GET /api/v4/projects/:id/repository/commits/:sha/statuses': { sha: 'main' },
  'GET /api/v4/projects/:id/jobs/artifacts/:ref_name/download': { job: 'build' },
  'POST /api/v4/projects/:id/issues/:issue_iid/move': { to_project_id: 'bob/notes' },
  'POST /api/v4/projects/:id/issues/:issue_iid/clone': { to_project_id: 'bob/notes' },
  'POST /api/v4/projects/:id/approvals': { reset_approvals_on_push: true },
  'POST /api/v4/projects/:id/approval_rules': { name: 'Review', approvals_required: 1, usernames: ['alice'] },
  'PUT /api/v4/projects/:id/approval_rules/:approval_rule_id': { approvals_required: 2 },
  'POST /api/v4/projects/:id/merge_requests/:merge_request_iid/approvals': { approvals_required: 2 },
  'POST /api/v4/projects/:id/merge_requests/:merge_request_iid/approval_rules': {
    name: 'Review',
    approvals_required: 1,
    usernames: ['alice'],
  },
  'PUT /api/v4/projects/:id/merge_requests/:merge_request_iid/approval_rules/:approval_rule_id': {
    approvals_required: 2,
  },
  'POST /api/v4/projects/:id/merge_requests/:merge_request_iid/draft_notes': {
    note: 'Please add a test for this branch.',
  },
  'PUT /api/v4/projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id': {
    note: 'Please add a test for this branch.',
  },
  'POST /api/v4/projects/:id/issues/:issue_iid/links': { target_issue_iid: 2 },
  'POST /api/v4/projects/:id/hooks': { url: 'https://bot.example.com/events', issues_events: true },
  'PUT /api/v4/projects/:id/hooks/:hook_id': { merge_requests_events: true },
  'POST /api/v4/groups/:id/hooks': { url: 'https://bot.example.com/events', subgroup_events: true },
  'PUT /api/v4/groups/:id/hooks/:hook_id': { member_events: true },
  'POST /api/v4/projects/:id/boards/:board_id/lists': { label_id: 1 },
  'POST /api/v4/groups/:id/boards/:board_id/lists': { label_id: 1 },
  'PUT /api/v4/projects/:id/boards/:board_id/lists/:list_id': { position: 1 },
  'PUT /api/v4/groups/:id/boards/:board_id/lists/:list_id': { position: 1 },
  'PUT /api/v4/projects/:id/wikis/:slug': { content: 'Use **make**.' },
  'PUT /api/v4/groups/:id/wikis/:slug': { content: 'Use **make**.' },
  'POST /api/v4/projects/:id/wikis': { title: 'docs/Set up', content: 'Use **make**.' },
  'POST /api/v4/groups/:id/wikis': { title: 'docs/Set up', content: 'Use **make**.' },
  'POST /api/v4/topics': { name: 'rust', title: 'Rust' },
  'PUT /api/v4/topics/:id': { title: 'Rust' },
  'POST /api/v4/topics/merge': { source_topic_id: 2, target_topic_id: 1 },
  'POST /api/v4/projects/:id/environments/stop_stale': { before: '2026-01-01T00:00:00Z' },
  'POST /api/v4/applications': {
    name: 'Board',
    redirect_uri: 'https://board.example.com/callback',
    scopes: 'openid profile',
  },
  'POST /api/v4/hooks': { url: 'https://bot.example.com/events' },
  'PUT /api/v4/hooks/:hook_id': { repository_update_events: false },
  'POST /api/v4/projects/:id/variables': { key: 'DEPLOY_TOKEN', value: 'a-long-secret', masked: true },
  'POST /api/v4/groups/:id/variables': { key: 'DEPLOY_TOKEN', value: 'a-long-secret', masked: true },
  'POST /api/v4/admin/ci/variables': { key: 'DEPLOY_TOKEN', value: 'a-long-secret', masked: true },
  'POST /api/v4/projects/:id/triggers': { description: 'Build after a release' },
  'PUT /api/v4/projects/:id/triggers/:trigger_id': { description: 'Build after a release' },
  'POST /api/v4/projects/:id/trigger/pipeline': {
    token: 'fgtt-example',
    ref: 'main',
    variables: { DEPLOY_TO: 'staging' },
  },
  'POST /api/v4/projects/:id/ref/:ref/trigger/pipeline': { token: 'fgtt-example', variables: { DEPLOY_TO: 'staging' } },
  'PATCH /api/v4/projects/:id/job_token_scope': { enabled: true },
  'POST /api/v4/projects/:id/job_token_scope/allowlist': { target_project_id: 2 },
  'POST /api/v4/projects/:id/job_token_scope/groups_allowlist': { target_group_id: 8 },
  'PUT /api/v4/projects/:id/pipelines/:pipeline_id/metadata': { name: 'Release 1.0' },
  'POST /api/v4/projects/:id/pipeline_schedules': { description: 'Nightly', ref: 'main', cron: '0 1 * * *' },
  'PUT /api/v4/projects/:id/pipeline_schedules/:pipeline_schedule_id': {
    cron: '30 6 * * 1',
    cron_timezone: 'Europe/Berlin',
  },
  'POST /api/v4/projects/:id/pipeline_schedules/:pipeline_schedule_id/variables': {
    key: 'DEPLOY_TO',
    value: 'staging',
  },
  'PUT /api/v4/projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key': { value: 'production' },
  'POST /api/v4/projects/:id/access_tokens': { name: 'robot', scopes: ['api'], access_level: 30 },
  'POST /api/v4/projects/:id/deploy_tokens': { name: 'cluster', scopes: ['read_repository'] },
  'POST /api/v4/groups/:id/deploy_tokens': { name: 'cluster', scopes: ['read_repository'] },
  'POST /api/v4/groups/:id/access_tokens': { name: 'robot', scopes: ['api'], access_level: 30 },
  'POST /api/v4/projects': { name: 'Website', initialize_with_readme: true },
  'POST /api/v4/projects/user/:user_id': { name: 'Website' },
  'POST /api/v4/projects/:id/fork': { namespace_path: 'acme/tools' },
  'POST /api/v4/projects/:id/fork/:forked_from_id': { id: 'bob/notes' },
  'PUT /api/v4/projects/:id/transfer': { id: 'bob/notes', namespace: 'acme/tools' },
  'POST /api/v4/projects/:id/deploy_keys': { title: 'laptop', key },
  'POST /api/v4/projects/:id/protected_branches': { name: 'release/*', push_access_level: 40 },
  'GET /api/v4/projects/:id/protected_branches/:name': { name: 'main' },
  'PATCH /api/v4/projects/:id/protected_branches/:name': { name: 'main', allow_force_push: true },
  'DELETE /api/v4/projects/:id/protected_branches/:name': { name: 'main' },
  'POST /api/v4/projects/:id/protected_tags': { name: 'v*', create_access_level: 40 },
  'GET /api/v4/projects/:id/protected_tags/:name': { name: 'v*' },
  'DELETE /api/v4/projects/:id/protected_tags/:name': { name: 'v*' },
  'POST /api/v4/groups': { name: 'Research', path: 'research' },
  'POST /api/v4/groups/:id/transfer': { id: 'partners', group_id: 'acme' },
  'GET /api/v4/namespaces/:path/exists': { path: 'research' },
  'POST /api/v4/user/keys': { title: 'laptop', key },
  'POST /api/v4/projects/:id/invitations': { email: ['kim@example.org'] },
  'POST /api/v4/groups/:id/invitations': { email: ['kim@example.org'] },
  'PUT /api/v4/projects/:id/invitations/:email': { access_level: 40 },
  'PUT /api/v4/groups/:id/invitations/:email': { access_level: 40 },
  'POST /api/v4/user/gpg_keys': { key: gpgKey },
  'POST /api/v4/users/:id/gpg_keys': { key: gpgKey },
  'POST /api/v4/projects/:id/push_rule': { branch_name_regex: '^(feature|fix)/', prevent_secrets: true },
  'PUT /api/v4/projects/:id/push_rule': { max_file_size: 10 },
  'POST /api/v4/groups/:id/push_rule': { branch_name_regex: '^(feature|fix)/', prevent_secrets: true },
  'PUT /api/v4/groups/:id/push_rule': { max_file_size: 10 },
  'POST /api/v4/user/emails': { email: 'alice@work.example' },
  'POST /api/v4/users/:id/emails': { email: 'alice@work.example' },
  'PUT /api/v4/user/status': { emoji: 'coffee', message: 'Back at 3' },
  'POST /api/v4/users/:id/keys': { title: 'laptop', key },
  'POST /api/v4/projects/:id/labels': { name: 'idea' },
  'PUT /api/v4/projects/:id/labels': { name: 'bug', new_name: 'defect' },
  'PUT /api/v4/projects/:id/labels/promote': { name: 'bug' },
  'DELETE /api/v4/projects/:id/labels': { name: 'bug' },
  'PUT /api/v4/application/settings': { signup_enabled: false },
  'POST /api/v4/projects/:id/environments': { name: 'production' },
  'POST /api/v4/projects/:id/issues/:issue_iid/award_emoji': { name: 'thumbsup' },
  'POST /api/v4/projects/:id/merge_requests/:merge_request_iid/award_emoji': { name: 'thumbsup' },
  'POST /api/v4/projects/:id/snippets/:snippet_id/award_emoji': { name: 'thumbsup' },
  'POST /api/v4/projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji': { name: 'thumbsup' },
  'POST /api/v4/projects/:id/issues/:issue_iid/notes/:note_id/award_emoji': { name: 'thumbsup' },
  'POST /api/v4/projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji': { name: 'thumbsup' },
  'POST /api/v4/groups/:id/epics/:epic_id/notes/:note_id/award_emoji': { name: 'thumbsup' },
  'POST /api/v4/groups/:id/labels': { name: 'bug' },
  'PUT /api/v4/groups/:id/labels': { name: 'bug', color: '#D9534F' },
  'DELETE /api/v4/groups/:id/labels': { name: 'bug' },
  'GET /api/v4/search': { scope: 'projects', search: 'web' },
  'GET /api/v4/groups/:id/search': { scope: 'projects', search: 'web' },
  'GET /api/v4/projects/:id/search': { scope: 'issues', search: 'home' },
  'POST /api/v4/groups/:id/members': { user_id: [4] },
  'GET /api/v4/projects/:id/members/:user_id': { user_id: 4 },
  'PUT /api/v4/projects/:id/members/:user_id': { user_id: 4 },
  'DELETE /api/v4/projects/:id/members/:user_id': { user_id: 4 },
  'DELETE /api/v4/projects/:id/registry/repositories/:repository_id/tags': { name_regex_delete: 'v.*' },
  'POST /api/v4/projects/:id/members': { user_id: [3] },
  'GET /api/v4/projects/:id/repository/blobs/:sha': { sha: readmeBlob },
  'GET /api/v4/projects/:id/repository/blobs/:sha/raw': { sha: readmeBlob },
  'POST /api/v4/geo_nodes': { name: 'berlin', url: 'https://berlin.example.com' },
}

const scimUser = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  externalId: 'bob-1',
  userName: 'bob',
  name: { formatted: 'Bob Builder', familyName: 'Builder', givenName: 'Bob' },
  emails: [{ primary: true, type: 'work', value: 'bob@example.com' }],
  active: true,
}

const scimPatch = {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'Replace', path: 'active', value: false }],
}

/** The examples of this route only. */
const getOwnExamples = ({ method, path }: Pick<Route, 'method' | 'path'>) => routeExamples[`${method} ${path}`] ?? {}

/** Whether samples of the route contain a parameter that is not required. */
export const isShownInSamples = (route: Pick<Route, 'method' | 'path'>, name: string): boolean =>
  Object.hasOwn(getOwnExamples(route), name)

/** The example of one parameter; undefined if there is none. */
export const findExample = (route: Pick<Route, 'method' | 'path'>, name: string): unknown => {
  const ownExamples = getOwnExamples(route)
  if (Object.hasOwn(ownExamples, name)) return ownExamples[name]
  if (name !== 'id') return examples[name] ?? (/_i?id$/.test(name) ? 1 : undefined)
  return Object.entries(ids).find(([prefix]) => route.path.includes(prefix))?.[1] ?? 1
}

/** The example of a body that is one input. */
export const findBodyExample = ({ method }: Pick<Route, 'method'>): unknown =>
  method === 'PATCH' ? scimPatch : scimUser
