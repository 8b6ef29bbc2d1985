import { Readable } from 'node:stream'
import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge, Seed } from '@forgelet/fixtures'
import { newGpgKey } from './contract/gpg-keys.ts'
import { newSshKey } from './contract/ssh-keys.ts'
import { stored } from './stored.ts'
import { createZip } from './support/zip.ts'

const sha = 'a'.repeat(40)

const hookValues = { customHeaders: [{ key: 'tier', value: 'a' }], urlVariables: [{ key: 'tier', value: 'b' }] }

/** Additions to the project `acme/web` of the demo seed. */
const webAdditions: Partial<NonNullable<Seed['projects']>[number]> = {
  snippets: [{ title: 'Deploy', fileName: 'hello.sh', content: 'echo', author: 'carol', visibility: 'public' }],
  pipelines: [
    {
      ref: 'main',
      sha,
      jobs: [
        { name: 'build', stage: 'build', status: 'success' },
        { name: 'ask', stage: 'ask', status: 'manual', startsWhen: 'manual', allowFailure: true },
      ],
    },
  ],
  freezePeriods: [{ freezeStart: '0 23 * * 5', freezeEnd: '0 8 * * 1' }],
  pipelineSchedules: [
    {
      description: 'Nightly',
      ref: 'main',
      cron: '0 1 * * *',
      owner: 'bob',
      variables: [{ key: 'NIGHT', value: 'at night' }],
    },
  ],
  pipelineTriggers: [{ description: 'Build', owner: 'alice', secret: 'fgtt-example' }],
  environments: [
    {
      name: 'production',
      externalUrl: 'https://www.example.com',
      deployments: [{ user: 'bob', sha, status: 'success', job: { id: 7, name: 'deploy', stage: 'deploy' } }],
    },
  ],
  protectedEnvironments: [{ name: 'production', levels: [30], users: ['bob'] }],
  protectedBranches: [{ name: 'stable/*', push: { levels: [40], users: ['bob'] }, allowForcePush: true }],
  protectedTags: [{ name: 'final-*', create: { levels: [0] } }],
  remoteMirrors: [{ url: 'https://robot:hushsecret@example.com/web.git' }],
  accessTokens: [{ name: 'robot', secret: 'hushrobot', access: 'developer' }],
  deployTokens: [{ name: 'cluster', secret: 'hushcluster', expiresAt: '2999-01-01T00:00:00Z' }],
  hooks: [{ url: 'https://robot:hushsecret@bot.example.com/events', token: 'hushtoken' }],
  containerRepositories: [{ tags: [{ name: 'v1', createdAt: '2026-01-01T00:00:00Z', totalSize: 7 }] }],
  packages: [
    { name: 'tool', version: '1.0.0', files: [{ name: 'tool.sh', content: 'echo' }] },
    {
      name: 'draft',
      version: '0.1.0',
      status: 'hidden',
      files: [{ name: 'a.txt', createdAt: '2026-01-01T00:00:00Z' }],
    },
  ],
  pagesDomains: [{ domain: 'www.example.com' }],
  errorTracking: [
    { projectName: 'Web', trackerExternalUrl: 'https://errors.example.com', apiUrl: 'https://errors.example.com/api' },
  ],
  featureFlagUserLists: [
    { name: 'Friends', userXids: '' },
    { name: 'Testers', userXids: 'user1,user2' },
  ],
  featureFlags: [
    {
      name: 'new-search',
      description: 'The new search',
      strategies: [{ name: 'gitlabUserList', userList: 'Testers' }],
    },
  ],
  featureFlagsClients: [{ secret: 'fgffct-example' }],
  dependencyReports: [
    {
      dependencies: [
        {
          name: 'left-pad',
          version: '1.0.0',
          packageManager: 'npm',
          dependencyFilePath: 'package.json',
          licenses: ['MIT'],
          vulnerabilities: [{ name: 'Too short', severity: 'low' }],
        },
      ],
    },
  ],
  invitations: [{ email: 'kim@example.org', access: 'developer' }],
  pushRule: { maxFileSize: 100 },
  customAttributes: [{ key: 'tier', value: 'gold' }],
  wikiPages: [{ title: 'docs/Set up', content: 'Use **make**.' }],
  badges: [{ linkUrl: 'https://ci.example.com/%{project_path}', imageUrl: 'https://ci.example.com/badge.svg' }],
  boards: [{ name: 'Work', labels: ['bug'] }],
  settings: { tagList: ['website', 'hobby'] },
}

/** The demo seed plus at least one object of every other documented kind. */
export const fullSeed: Seed = {
  ...demoWithCode,
  settings: {
    spamfilterApiKey: 'hushsecret',
    assetProxySecretKey: 'hushsecret',
    kubeSecretAccessKey: 'hushsecret',
    searchengineCloudSecretAccessKey: 'hushsecret',
    externalAuthClientKeyPass: 'hushsecret',
  },
  users: (demoWithCode.users ?? []).map((user) =>
    user.username === 'bob'
      ? { ...user, keys: [{ key: newSshKey('bob') }], customAttributes: [{ key: 'tier', value: 'gold' }] }
      : user,
  ),
  groups: (demoWithCode.groups ?? []).map((group) =>
    group.path === 'acme'
      ? {
          ...group,
          invitations: [{ email: 'kim@example.org', access: 'developer' }],
          pushRule: { branchNameRegex: '^[a-z]', maxFileSize: 50 },
          customAttributes: [{ key: 'tier', value: 'gold' }],
          wikiPages: [{ title: 'docs/Set up', content: 'Use **make**.' }],
          badges: [{ linkUrl: 'https://ci.example.com/%{group_name}', imageUrl: 'https://ci.example.com/badge.svg' }],
          boards: [{ name: 'Work' }],
          epics: [{ title: 'Conquer the world', author: 'alice', notes: [{ author: 'bob', body: 'Yes' }] }],
          accessTokens: [{ name: 'group-robot', secret: 'hushgrouprobot', access: 'owner' }],
          deployTokens: [{ name: 'cluster', secret: 'hushgroupcluster' }],
          sso: {
            scimTokens: [{ secret: 'acme-scim' }],
            identities: [{ user: 'bob', externUid: 'bob-1', provisioned: true }],
          },
        }
      : group,
  ),
  projects: (demoWithCode.projects ?? []).map((project) =>
    project.path === 'acme/web' ? { ...project, ...webAdditions } : project,
  ),
  snippets: [{ title: 'Mine', fileName: 'hello.sh', content: 'echo', author: 'root', visibility: 'public' }],
  replicaNodes: [
    { name: 'first', url: 'https://first.example.com', primary: true, status: { healthy: true } },
    { name: 'second', url: 'https://second.example.com', status: { healthy: true } },
  ],
  runners: [{ description: 'mac', project: 'acme/web', tagList: ['ios'], secret: 'glrt-example' }],
}

/** Ids of objects of `fullSeed`, by the name of the route parameter. */
export async function readIds({ host, as }: FakeForge): Promise<Readonly<Record<string, string | number>>> {
  const project = 'acme/web'
  const [snippet] = (await as('carol').snippets.list()).items
  const [personalSnippet] = (await as('root').snippets.list()).items
  const [environment] = (await host.environments.list({ project })).items
  const [mirror] = (await host.remoteMirrors.list({ project })).items
  const [hook] = (await host.hooks.list({ project })).items
  await host.hooks.update({ project, hook: hook?.id ?? 0, ...hookValues })
  const groupHook = await host.hooks.create({ group: 'acme', url: 'https://bot.example.com/', ...hookValues })
  const systemHook = await host.hooks.create({ url: 'https://bot.example.com/', ...hookValues })
  const application = await host.applications.create({
    name: 'Board',
    redirectUri: 'https://board.example.com/callback',
    scopes: 'openid',
  })
  await host.users.update({ user: 'bob', twoFactorEnabled: true })
  const [repository] = (await host.containerRepositories.list({ project })).items
  const [epic] = (await host.epics.list({ group: 'acme' })).items
  const [board] = (await host.boards.list({ project })).items
  const [groupBoard] = (await host.boards.list({ group: 'acme' })).items
  const [deployment] = (await host.deployments.list({ project })).items
  const milestone = await host.milestones.create({ project, title: 'Of the project' })
  const groupMilestone = await host.milestones.create({ group: 'acme', title: 'Of the group' })
  const groupLabel = await host.labels.create({ group: 'acme', name: 'of-the-group', color: 'red' })
  const listLabel = await host.labels.create({ group: 'acme', name: 'of-a-list', color: 'red' })
  const groupList = { group: 'acme', board: groupBoard?.id ?? 0, labelId: groupLabel.id }
  const { id: groupListId } = await host.boardLists.create(groupList)
  const broadcast = await host.broadcastMessages.create({ message: 'Hello' })
  const [topic] = (await host.topics.list({ search: 'website' })).items
  const [otherTopic] = (await host.topics.list({ search: 'hobby' })).items
  const clientKey = await host.errorTracking.createClientKey({ project })
  const tracker = await host.errorTracking.get({ project })
  await host.errorTracking.set({ project, integrated: true })
  const content = Readable.from([Buffer.from('{"message":"Failed","level":"warning"}')])
  await host.errorTracking.collect({ project, publicKey: clientKey.publicKey, content, format: 'store' })
  await host.errorTracking.set({ project, ...tracker })
  const [trackedError] = (await host.errorTracking.listErrors({ project })).items
  const [badge] = (await host.badges.list({ group: 'acme' })).items
  const badges = await host.badges.list({ project })
  const link = await host.issueLinks.create({ project, issue: 1, targetProject: project, targetIssue: 2 })
  const tree = await host.repository.listTree({ project })
  type NoteInput = Parameters<ReturnType<typeof as>['notes']['create']>[0]
  const createNote = async (target: object) =>
    (await stored(as('root').notes.create({ ...target, body: 'A note' } as NoteInput))).id
  const issueNote = await createNote({ project, issue: 1 })
  const { todo } = await as('root').todos.create({ project, issue: 1 })
  await host.members.sync({ group: 'acme', user: 'erin', accessLevel: 10 })
  await as('mallory').accessRequests.create({ project })
  await as('mallory').accessRequests.create({ group: 'acme' })
  return {
    label_id: 'bug',
    issue_iid: 1,
    merge_request_iid: 1,
    snippet_id: snippet?.id ?? 0,
    epic_id: epic?.id ?? 0,
    epic_iid: epic?.iid ?? 0,
    issue_link_id: link.id,
    error_tracking_client_keys_key_id: clientKey.id,
    error_id: trackedError?.id ?? 0,
    deployment_id: deployment?.id ?? 0,
    milestone_id: milestone.id,
    group_milestone: groupMilestone.id,
    group_label: groupLabel.name,
    issues_note: issueNote,
    merge_requests_note: await createNote({ project, mergeRequest: 1 }),
    snippets_note: await createNote({ project, snippet: snippet?.id }),
    epics_note: await createNote({ group: 'acme', epicId: epic?.id }),
    own_snippet: personalSnippet?.id ?? 0,
    todo_id: todo.id,
    user_id: (await host.users.get({ user: 'bob' })).id,
    synced: (await host.users.get({ user: 'erin' })).id,
    reporter: (await host.users.get({ user: 'carol' })).id,
    requester: (await host.users.get({ user: 'mallory' })).id,
    key: 'tier',
    email: 'kim@example.org',
    sha: tree.items.find(({ type }) => type === 'blob')?.id ?? '',
    environment_id: environment?.id ?? 0,
    name: 'production',
    mirror_id: mirror?.id ?? 0,
    hook_id: hook?.id ?? 0,
    group_hook: groupHook.id,
    system_hook: systemHook.id,
    application: application.id,
    domain: 'www.example.com',
    provider: 'crm',
    repository_id: repository?.id ?? 0,
    tag_name: 'v1',
    group_path: 'acme',
    slug: 'docs/Set-up',
    badge_id: badges.items.find(({ kind }) => kind === 'project')?.id ?? 0,
    group_badge: badge?.id ?? 0,
    board_id: board?.id ?? 0,
    list_id: board?.lists[0]?.id ?? 0,
    group_board: groupBoard?.id ?? 0,
    group_list: groupListId,
    topic: topic?.id ?? 0,
    source_topic_id: otherTopic?.id ?? 0,
    target_topic_id: topic?.id ?? 0,
    list_label: listLabel.id,
    broadcast: broadcast.id,
  }
}

/** Gives emoji to items and to notes. The ids have the names of the parent paths. */
const giveAwards = async ({ as }: FakeForge, ids: Readonly<Record<string, string | number>>) => {
  const { awardEmoji } = as('root')
  const [project, name] = ['acme/web', 'rocket']
  const snippet = Number(ids.snippet_id)
  const giveToNote = async (kind: string, item: object) => {
    const input = { ...item, note: Number(ids[`${kind}_note`]), name } as Parameters<typeof awardEmoji.create>[0]
    return (await awardEmoji.create(input)).id
  }
  return {
    issues_award: (await awardEmoji.create({ project, issue: 1, name })).id,
    merge_requests_award: (await awardEmoji.create({ project, mergeRequest: 1, name })).id,
    snippets_award: (await awardEmoji.create({ project, snippet, name })).id,
    epics_award: (await awardEmoji.create({ group: 'acme', epic: Number(ids.epic_iid), name })).id,
    issues_note_award: await giveToNote('issues', { project, issue: 1 }),
    merge_requests_note_award: await giveToNote('merge_requests', { project, mergeRequest: 1 }),
    snippets_note_award: await giveToNote('snippets', { project, snippet }),
    epics_note_award: await giveToNote('epics', { group: 'acme', epicId: ids.epic_id }),
  }
}

/** Changes an issue, a merge request and an epic. The ids of the events have the names of the parent paths. */
const recordChanges = async ({ as }: FakeForge, ids: Readonly<Record<string, string | number>>) => {
  const { epics, issues, mergeRequests, milestones, resourceEvents } = as('root')
  const project = 'acme/web'
  const milestone = (await milestones.create({ project, title: 'Of the changes' })).id
  const change = { addLabels: ['changed'], milestone }
  const changedIssue = { project, issue: 3 }
  const changedRequest = { project, mergeRequest: 1 }
  await issues.update({ ...changedIssue, ...change, weight: 3, healthStatus: 'at_risk', stateEvent: 'close' })
  await mergeRequests.update({ ...changedRequest, ...change, mergeAfter: '2026-01-01', stateEvent: 'close' })
  await mergeRequests.update({ ...changedRequest, stateEvent: 'reopen' })
  const readEvents = async (name: string, item: Parameters<typeof resourceEvents.listLabelEvents>[0]) => ({
    [`${name}_label_event`]: (await resourceEvents.listLabelEvents(item)).items[0]?.id as number,
    [`${name}_milestone_event`]: (await resourceEvents.listMilestoneEvents(item as typeof changedIssue)).items[0]
      ?.id as number,
    [`${name}_state_event`]: (await resourceEvents.listStateEvents(item as typeof changedIssue)).items[0]?.id as number,
  })
  const changedEpic = { group: 'acme', epicId: Number(ids.epic_id) }
  const changes = { group: 'acme', epic: Number(ids.epic_iid) }
  await epics.update({ ...changes, addLabels: ['changed'], stateEvent: 'close' })
  await epics.update({ ...changes, stateEvent: 'reopen' })
  return {
    ...(await readEvents('issues', changedIssue)),
    ...(await readEvents('merge_requests', changedRequest)),
    issues_weight_event: (await resourceEvents.listWeightEvents(changedIssue)).items[0]?.id as number,
    epics_label_event: (await resourceEvents.listLabelEvents(changedEpic)).items[0]?.id as number,
    epics_state_event: (await resourceEvents.listStateEvents(changedEpic)).items[0]?.id as number,
  }
}

/** A suggestion on a new merge request. */
const suggest = async ({ host, as }: FakeForge) => {
  const project = 'acme/web'
  const { commit } = await host.branches.get({ project, branch: 'main' })
  const author = { name: 'Bob', email: 'bob@example.com' }
  const files = [{ path: 'suggested.txt', content: 'Good\n' }]
  await host.commits.import({
    project,
    commits: [{ branch: 'suggested', message: 'Add a text', author, parents: [commit.id], files }],
  })
  const { iid } = await host.mergeRequests.create({
    project,
    title: 'A text',
    sourceBranch: 'suggested',
    author: 'bob',
  })
  const { diffRefs } = await host.mergeRequests.get({ project, mergeRequest: iid })
  const position = { ...(diffRefs as NonNullable<typeof diffRefs>), newPath: 'suggested.txt', newLine: 1 }
  const body = '```suggestion\nBetter\n```'
  const { notes } = await stored(as('root').discussions.create({ project, mergeRequest: iid, body, position }))
  return notes[0]?.suggestions?.[0]?.id as number
}

/** The ids of `readIds`, and those of discussions, a release and an uploaded file, which no seed contains. */
export async function readAllIds(forge: FakeForge): Promise<Readonly<Record<string, string | number>>> {
  const ids = await readIds(forge)
  const { discussions, mergeRequests, packages, releases, releaseEvidences, releaseLinks, uploads } = forge.as('root')
  const project = 'acme/web'
  const discuss = async (name: string, on: object) => {
    const input = { ...on, body: 'A discussion' } as Parameters<typeof discussions.create>[0]
    const { id, notes } = await stored(discussions.create(input))
    return { [`${name}_discussion`]: id, [`${name}_discussion_note`]: notes[0]?.id as number }
  }
  const commitDiscussion = await stored(
    forge.as('root').discussions.create({ project, commit: 'main', body: 'A discussion' }),
  )
  await releases.create({ project, tagName: 'release-1', ref: 'main' })
  const asset = { name: 'Handbook', url: 'https://example.com/handbook', filepath: '/tool' }
  const { id: link } = await releaseLinks.create({ project, tagName: 'release-1', ...asset })
  const evidence = await releaseEvidences.collect({ project, tagName: 'release-1' })
  const file = { fileName: 'a.txt', content: new TextEncoder().encode('A text') }
  const { secret, id: upload } = await uploads.create({ project, file })
  const groupUpload = await uploads.create({ group: 'acme', file })
  const packageFile = await packages.publishGeneric({
    project,
    packageName: 'assets',
    packageVersion: '1.0.0',
    ...file,
  })
  const { id: deployKey } = await forge.host.deployKeys.create({ project, key: newSshKey('deploy') })
  const { id: ownKey } = await forge.host.keys.create({ user: 'root', key: newSshKey('root') })
  const { id: ownGpgKey } = await forge.host.gpgKeys.create({ user: 'root', key: newGpgKey() })
  const { id: gpgKey } = await forge.host.gpgKeys.create({ user: 'bob', key: newGpgKey() })
  const { id: token } = await forge.host.tokens.create({ user: 'bob', impersonation: true })
  const [projectToken] = (await forge.host.accessTokens.list({ project })).items
  const [groupToken] = (await forge.host.accessTokens.list({ group: 'acme' })).items
  const [projectDeployToken] = (await forge.host.deployTokens.list({ project })).items
  const [groupDeployToken] = (await forge.host.deployTokens.list({ group: 'acme' })).items
  const { id: ownToken } = await forge.host.tokens.create({ user: 'root' })
  const { items: pipelines } = await forge.host.pipelines.list({ project })
  const pipeline = pipelines[0]?.id as number
  const [freezePeriod] = (await forge.host.freezePeriods.list({ project })).items
  const [schedule] = (await forge.host.pipelineSchedules.list({ project })).items
  const [trigger] = (await forge.host.pipelineTriggers.list({ project })).items
  const { items: jobs } = await forge.host.pipelineJobs.list({ project, pipeline })
  const archive = { fileName: 'a.zip', content: createZip([{ path: 'a.txt', content: 'a' }]) }
  for (const { id: job } of jobs) await forge.host.pipelineJobs.storeArtifacts({ project, job, file: archive })
  const [runner] = (await forge.host.runners.list({ project })).items
  await forge.host.runners.enable({ project: 'acme/tools/deploy', runner: runner?.id ?? 0 })
  const { id: secureFile } = await forge.host.secureFiles.create({ project, name: 'key.pem', file })
  await forge.host.instanceFeatures.set({ name: 'new_pages', value: 30 })
  const guarded = { deployAccessLevels: [{ accessLevel: 30 as const }], requiredApprovalCount: 1 }
  await forge.host.protectedEnvironments.create({ project, name: 'guarded', ...guarded })
  const deployJobs = [{ name: 'deploy', environment: 'guarded' }]
  await forge.host.pipelines.record({ project, ref: 'main', sha, jobs: deployJobs })
  const [blockedDeployment] = (await forge.host.deployments.list({ project, environment: 'guarded' })).items
  const { id: targetProject } = await forge.host.projects.get({ project: 'bob/notes' })
  const { id: targetGroup } = await forge.host.groups.get({ group: 'acme' })
  await forge.host.jobTokenScopes.addProject({ project, targetProject })
  await forge.host.jobTokenScopes.addGroup({ project, targetGroup })
  const ownSnippet = await forge.as('root').snippets.create({ project, title: 'Own', fileName: '', content: 'echo' })
  const { items: versions } = await mergeRequests.listVersions({ project, mergeRequest: 1 })
  const { id: ownIssue } = await forge.host.issues.get({ project, issue: 1 })
  const ownEpic = { group: 'acme', epic: Number(ids.epic_iid) }
  const epicIssue = await forge.host.epicIssues.assign({ ...ownEpic, issue: ownIssue })
  const { id: childEpic } = await forge.host.epics.create({
    group: 'acme',
    title: 'A part',
    author: 'alice',
    parent: ownEpic.epic,
  })
  const { id: otherEpic } = await forge.host.epics.create({ group: 'acme', title: 'Another part', author: 'alice' })
  const draftNote = await forge.as('root').draftNotes.create({ project, mergeRequest: 1, note: 'A draft' })
  const rule = { project, name: 'Security', approvalsRequired: 0, usernames: ['bob'] }
  const approvalRule = await forge.as('root').approvalRules.create(rule)
  const ownRule = await forge.as('root').approvalRules.create({ ...rule, mergeRequest: 1 })
  const groupEvent = (await forge.host.auditEvents.list({ group: 'acme' })).items[0]
  const projectEvent = (await forge.host.auditEvents.list({ project })).items[0]
  return {
    ...ids,
    group_audit_event: groupEvent?.id ?? 0,
    project_audit_event: projectEvent?.id ?? 0,
    ...(await recordChanges(forge, ids)),
    epic_issue_id: epicIssue.id,
    child_epic_id: childEpic,
    other_epic_id: otherEpic,
    issue_id: (await forge.host.issues.get({ project, issue: 2 })).id,
    draft_note_id: draftNote.id,
    suggestion_id: await suggest(forge),
    approval_rule_id: approvalRule.id,
    merge_request_rule: ownRule.id,
    ...(await discuss('issues', { project, issue: 1 })),
    ...(await discuss('merge_requests', { project, mergeRequest: 1 })),
    ...(await discuss('snippets', { project, snippet: ids.snippet_id })),
    ...(await discuss('epics', { group: 'acme', epicId: ids.epic_id })),
    commits_discussion: commitDiscussion.id,
    commits_discussion_note: commitDiscussion.notes[0]?.id as number,
    ...(await giveAwards(forge, ids)),
    deploy_key: deployKey,
    own_key: ownKey,
    gpg_key: gpgKey,
    own_gpg_key: ownGpgKey,
    token_id: token,
    own_token: ownToken,
    project_token: projectToken?.id ?? 0,
    project_deploy_token: projectDeployToken?.id ?? 0,
    group_deploy_token: groupDeployToken?.id ?? 0,
    scim_token: 1,
    group_token: groupToken?.id ?? 0,
    own_project_snippet: ownSnippet.id,
    link_id: link,
    evidence_id: evidence.id,
    pipeline_id: pipeline,
    blocked_deployment: blockedDeployment?.id ?? 0,
    freeze_period_id: freezePeriod?.id ?? 0,
    pipeline_schedule_id: schedule?.id ?? 0,
    trigger_id: trigger?.id ?? 0,
    feature_flag_name: 'new-search',
    secure_file_id: secureFile,
    runner_id: runner?.id ?? 0,
    target_project_id: targetProject,
    target_group_id: targetGroup,
    job_id: jobs.find(({ name }) => name === 'build')?.id as number,
    manual_job: jobs.find(({ name }) => name === 'ask')?.id as number,
    ref_name: 'main',
    artifact_path: 'a.txt',
    version_id: versions[0]?.id as number,
    secret,
    package_id: packageFile.packageId,
    package_file_id: packageFile.id,
    upload_id: upload,
    group_secret: groupUpload.secret,
    group_upload: groupUpload.id,
    package_name: 'assets',
    package_version: '1.0.0',
    filename: 'a.txt',
    branch: 'main',
    file_path: 'README.md',
  }
}
