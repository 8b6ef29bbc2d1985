import type { Seed } from '@forgelet/fixtures'
import { newSshKey } from '../contract/ssh-keys.ts'
import { fullSeed } from '../full-seed.ts'

/**
 * `fullSeed` with a value in every field of a seed that fills a column of its own. Tables with several rows have different values
 * there, so that a test sees which columns a seed sets, and which ones an export contains.
 */

type SeedProject = NonNullable<Seed['projects']>[number]
type SeedGroup = NonNullable<Seed['groups']>[number]

const sha = 'b'.repeat(40)
const createdAt = '2026-02-01T00:00:00Z'

/** The demo's user bob. */
const bob: Partial<NonNullable<Seed['users']>[number]> = {
  avatarUrl: 'https://example.com/bob.png',
  privateProfile: true,
  twoFactorEnabled: true,
  emails: ['bob@example.org'],
  status: { emoji: 'coffee', message: 'Back at ten', availability: 'busy' },
  identities: [{ provider: 'ldap', externalUid: 'bob' }],
  password: 'a long password',
  tokens: [{ name: 'old', description: 'Of the build', secret: 'hushtoken', expiresAt: '2999-01-01', revoked: true }],
  profile: {
    bio: 'Builds.',
    location: 'Berlin',
    publicEmail: 'bob@example.com',
    skype: 'bob',
    linkedin: 'bob',
    twitter: 'bob',
    websiteUrl: 'https://example.com',
    organization: 'Acme',
    jobTitle: 'Builder',
    pronouns: 'he/him',
    discord: '123456789012345678',
    github: 'bob',
    note: 'Trusted',
  },
}

/** A group without content, whose settings would prevent that of others. */
const restricted: SeedGroup = {
  path: 'restricted',
  sso: { enabled: false },
  avatarUrl: 'https://example.com/restricted.png',
  shares: [{ group: 'partners', access: 'guest' }],
  shareWithGroupLock: true,
  requestAccessEnabled: false,
  projectCreationLevel: 'maintainer',
  subgroupCreationLevel: 'maintainer',
  settings: { emailsDisabled: true },
  pushRule: {
    commitMessageRegex: '.',
    commitMessageNegativeRegex: 'secret',
    branchNameRegex: '^[a-z]',
    authorEmailRegex: '@',
    fileNameRegex: 'exe$',
    maxFileSize: 50,
    denyDeleteTag: true,
    memberCheck: true,
    preventSecrets: true,
    commitCommitterCheck: true,
    commitCommitterNameCheck: true,
    rejectNonDcoCommits: true,
  },
}

const acme: Partial<SeedGroup> = {
  members: [
    { user: 'alice', access: 'owner' },
    { user: 'bob', access: 'developer' },
    { user: 'erin', access: 'guest', synced: true },
  ],
  accessRequests: ['mallory'],
  variables: [{ key: 'GROUP', value: 'hushvariable' }],
  milestones: [{ title: '1.0', description: 'First', startDate: '2027-01-01', dueDate: '2027-01-31', state: 'closed' }],
  epics: [
    {
      title: 'Conquer the world',
      description: 'All of it',
      author: 'alice',
      confidential: true,
      state: 'closed',
      labels: ['urgent'],
      startDate: '2027-01-01',
      dueDate: '2027-12-31',
      startDateIsFixed: false,
      dueDateIsFixed: false,
      color: '#112233',
      emoji: [{ name: 'tada', users: ['bob'] }],
      notes: [{ author: 'bob', body: 'Yes', internal: true }],
      todos: [{ user: 'alice', action: 'mentioned', author: 'bob', done: true }],
    },
    { title: 'Rest', author: 'bob', startDateIsFixed: true, dueDateIsFixed: true },
  ],
}

const issue: NonNullable<SeedProject['issues']>[number] = {
  title: 'Old',
  author: 'carol',
  state: 'closed',
  issueType: 'incident',
  dueDate: '2027-01-01',
  weight: 3,
  healthStatus: 'at_risk',
  discussionLocked: true,
  timeEstimate: '3h',
  timeSpent: '1h',
  epic: 'Conquer the world',
  links: [{ issue: 1, linkType: 'blocks' }, { issue: 2 }],
  notes: [
    { author: 'bob', body: 'Was closed', system: true },
    { author: 'bob', body: 'A thread', replies: [{ author: 'carol', body: 'Agreed' }] },
  ],
}

const mergeRequest: NonNullable<SeedProject['mergeRequests']>[number] = {
  title: 'Second',
  description: 'Closes #1',
  author: 'carol',
  sourceBranch: 'more',
  targetBranch: 'other',
  state: 'closed',
  milestone: '2.0',
  discussionLocked: true,
  reviewers: ['bob'],
  squash: true,
  removeSourceBranch: true,
  mergeAfter: '2026-01-01T00:00:00.000Z',
  timeEstimate: '3h',
  timeSpent: '1h',
  approvedBy: ['bob'],
  emoji: [{ name: 'tada', users: ['bob'] }],
  notes: [{ author: 'bob', body: 'Hm', resolved: true, replies: [{ author: 'carol', body: 'Thanks' }] }],
}

const pipelines: SeedProject['pipelines'] = [
  {
    ref: 'v1.0',
    sha,
    tag: true,
    source: 'web',
    name: 'Release',
    status: 'success',
    user: 'bob',
    createdAt,
    jobs: [
      {
        name: 'test',
        stage: 'test',
        status: 'failed',
        allowFailure: true,
        tags: ['linux'],
        coverage: 12.5,
        artifactsExpireIn: '1 week',
        startedAt: '2026-02-01T00:00:00Z',
        finishedAt: '2026-02-01T00:01:00Z',
      },
      {
        name: 'deploy',
        stage: 'deploy',
        status: 'scheduled',
        startsWhen: 'delayed',
        startIn: '30 minutes',
        needs: ['test'],
        environment: { name: 'review/one', url: 'https://one.example.com', autoStopIn: '1 week' },
      },
    ],
  },
  { ref: 'cache-home', sha, source: 'merge_request_event', mergeRequest: 1 },
]

/** The place of a note in the diff of the merge request of the demo data. */
const position = { positionType: 'text', oldPath: 'cache.json', newPath: 'cache.json', newLine: 1 } as const

/** Added to `acme/web` of `fullSeed`. */
const webAdditions = {
  labels: [{ name: 'old', color: '#112233' }],
  issues: [issue],
  mergeRequests: [mergeRequest],
  snippets: [
    {
      title: 'Notes',
      fileName: 'notes.txt',
      description: 'A text',
      content: 'Text',
      author: 'bob',
      visibility: 'private',
      userAgent: 'Browser',
      ipAddress: '192.0.2.1',
      notes: [{ author: 'bob', body: 'Short' }],
    },
    {
      title: 'Two files',
      author: 'bob',
      files: [
        { filePath: 'a.txt', content: 'A' },
        { filePath: 'b.txt', content: 'B' },
      ],
    },
  ],
  pipelines,
  freezePeriods: [{ freezeStart: '0 22 * * 5', freezeEnd: '0 7 * * 1', cronTimezone: 'Europe/Berlin' }],
  pipelineSchedules: [
    {
      description: 'Off',
      ref: 'other',
      cron: '0 2 * * *',
      cronTimezone: 'Europe/Berlin',
      active: false,
      inputs: [{ name: 'level', value: 2 }],
      owner: 'alice',
    },
  ],
  environments: [
    {
      name: 'old',
      tier: 'testing',
      description: 'For tests',
      autoStopSetting: 'with_action',
      state: 'stopped',
      createdAt,
    },
  ],
  protectedBranches: [
    { name: 'main', push: { groups: ['partners'], deployKeys: ['Deploy'] }, codeOwnerApprovalRequired: true },
  ],
  remoteMirrors: [
    { url: 'https://example.org/web.git', enabled: true, onlyProtectedBranches: true, keepDivergentRefs: true },
    { url: 'https://example.org/other.git', mirrorBranchRegex: '^release-' },
  ],
  hooks: [
    {
      url: 'https://example.org/hook',
      name: 'Bot',
      description: 'Writes to the chat',
      customWebhookTemplate: '{}',
      branchFilterStrategy: 'all_branches',
      enableSslVerification: false,
      pushEventsBranchFilter: 'main',
      pushEvents: false,
    },
  ],
  containerRepositories: [{ name: 'tool', tags: [{ name: 'v2', totalSize: 9 }] }],
  pagesDomains: [{ domain: 'ssl.example.com', autoSslEnabled: true }],
  dependencyReports: [
    {
      dependencies: [
        {
          name: 'left-pad',
          version: '1.0.0',
          packageManager: 'npm',
          dependencyFilePath: 'package.json',
          licenses: ['MIT'],
        },
        { name: 'rack', version: '2.0.0', packageManager: 'bundler', dependencyFilePath: 'Gemfile.lock' },
      ],
    },
  ],
  protectedEnvironments: [
    {
      name: 'old',
      groups: ['partners'],
      requiredApprovalCount: 2,
      approvalRules: [{ levels: [40], users: ['alice'], requiredApprovals: 2 }, { groups: ['partners'] }],
    },
  ],
  deployTokens: [{ name: 'reader', scopes: ['read_registry'] }],
  boards: [{ name: 'Second' }],
  featureFlags: [{ name: 'old-search', active: false }],
  invitations: [{ email: 'lee@example.org', access: 'guest', expiresAt: '2999-01-01' }],
  customAttributes: [{ key: 'size', value: 'small' }],
  wikiPages: [{ title: 'Home', content: 'Text', format: 'rdoc' }],
  badges: [{ name: 'Coverage', linkUrl: 'https://example.com/c', imageUrl: 'https://example.com/c.svg' }],
} satisfies Partial<SeedProject>

const web: Partial<SeedProject> = {
  avatarUrl: 'https://example.com/web.png',
  hasSecurityReports: true,
  stars: ['alice', 'bob'],
  size: {
    repositorySize: 1,
    wikiSize: 2,
    lfsObjectsSize: 3,
    jobArtifactsSize: 4,
    packagesSize: 5,
    snippetsSize: 6,
    containerRegistrySize: 7,
  },
  members: [
    { user: 'carol', access: 'developer', expiresAt: '2999-01-01' },
    { user: 'dave', access: 'guest' },
  ],
  shares: [{ group: 'partners', access: 'reporter', expiresAt: '2999-01-01' }],
  milestones: [
    { title: '2.0', description: 'Second', startDate: '2027-02-01', dueDate: '2027-02-28', state: 'closed' },
    { title: '3.0' },
  ],
  accessRequests: ['mallory'],
  variables: [
    {
      key: 'TOKEN',
      value: 'hushvariable',
      variableType: 'file',
      protected: true,
      masked: true,
      raw: true,
      environmentScope: 'production',
      description: 'A token',
    },
    { key: 'HIDDEN', value: 'hushvariable', maskedAndHidden: true },
  ],
  deployKeys: [
    { key: newSshKey('deploy'), title: 'Deploy', canPush: true, expiresAt: '2999-01-01T00:00:00Z' },
    { key: newSshKey('read') },
  ],
  approvalRules: [
    { name: 'Security', approvalsRequired: 1, users: ['bob'], protectedBranches: ['stable/*'] },
    { name: 'Anybody', approvalsRequired: 1 },
    { name: 'All', approvalsRequired: 2, groups: ['partners'], appliesToAllProtectedBranches: true },
  ],
  releases: [
    {
      tag: 'v0.1.0',
      name: 'First',
      description: 'Notes',
      author: 'alice',
      milestones: ['2.0'],
      links: [
        { name: 'Tool', url: 'https://example.com/tool', linkType: 'package', filepath: '/tool' },
        { name: 'Manual', url: 'https://example.com/manual' },
      ],
      createdAt,
    },
  ],
}

/** A project with settings that would prevent the content of others. */
const closed: SeedProject = {
  path: 'restricted/closed',
  visibility: 'private',
  defaultBranch: 'trunk',
  pullMirror: {
    url: 'https://robot:secret@example.org/upstream.git',
    enabled: false,
    mirrorTriggerBuilds: true,
    onlyMirrorProtectedBranches: true,
    mirrorOverwritesDivergedBranches: true,
  },
  requestAccessEnabled: false,
  issuesAccessLevel: 'disabled',
  mergeRequestsAccessLevel: 'disabled',
  repositoryAccessLevel: 'private',
  snippetsAccessLevel: 'disabled',
  archived: true,
}

const addFields = <T extends object>(item: T, fields: Partial<T>): T => ({ ...item, ...fields })

/** The lists of a project, each with more items. */
const addItems = (project: SeedProject, additions: typeof webAdditions): SeedProject =>
  addFields(
    project,
    Object.fromEntries(
      Object.entries(additions).map(([name, items]) => [
        name,
        [...((project[name as keyof SeedProject] as readonly unknown[] | undefined) ?? []), ...items],
      ]),
    ),
  )

const addNote = (project: SeedProject): SeedProject => ({
  ...project,
  mergeRequests: (project.mergeRequests ?? []).map((item) => ({
    ...item,
    notes: [
      { author: 'bob', body: 'This line', position },
      { author: 'bob', body: 'This commit', commitSha: 'c'.repeat(40) },
    ],
  })),
})

export const completeSeed: Seed = {
  ...fullSeed,
  users: [
    ...(fullSeed.users ?? []).map((user) => (user.username === 'bob' ? addFields(user, bob) : user)),
    { username: 'gone', name: 'Gone', blocked: true, projectsLimit: 3, canCreateGroup: false, createdAt },
  ],
  groups: [
    ...(fullSeed.groups ?? []).map((group) => (group.path === 'acme' ? addFields(group, acme) : group)),
    restricted,
    { path: 'old', archived: true },
    { path: 'old/inner' },
  ],
  projects: [
    ...(fullSeed.projects ?? []).map((project) =>
      project.path === 'acme/web' ? addItems(addFields(addNote(project), web), webAdditions) : project,
    ),
    {
      path: 'bob/merged',
      pullMirror: { url: 'https://example.org/merged.git', mirrorBranchRegex: '^release-' },
      mergeRequests: [{ title: 'Merged', author: 'bob', sourceBranch: 'a', state: 'merged', endedAt: createdAt }],
    },
    closed,
    { path: 'old/attic' },
    {
      path: 'bob/fork',
      forkedFrom: 'acme/web',
      visibility: 'public',
      mergeRequests: [
        {
          title: 'From a fork',
          author: 'bob',
          sourceBranch: 'patch',
          targetProject: 'acme/web',
          allowCollaboration: true,
        },
      ],
    },
  ],
  runners: [
    { description: 'Shared', secret: 'hushrunner', paused: true, tagList: ['linux'], runUntagged: false },
    { description: 'Of the group', group: 'acme', accessLevel: 'ref_protected', maximumTimeout: 600 },
    { description: 'Of the project', project: 'acme/web', locked: true },
  ],
  replicaNodes: [
    { name: 'first', url: 'https://first.example.com/', primary: true, status: { healthy: true } },
    {
      name: 'second',
      url: 'https://second.example.com/',
      internalUrl: 'https://second.internal/',
      enabled: false,
      filesMaxCapacity: 1,
      reposMaxCapacity: 2,
      verificationMaxCapacity: 3,
      containerRepositoriesMaxCapacity: 4,
      syncObjectStorage: true,
      minimumReverificationInterval: 5,
    },
  ],
  applications: [
    { name: 'Board', redirectUri: 'https://board.example.com/', scopes: 'openid', secret: 'hushapplication' },
    { name: 'App', redirectUri: 'https://app.example.com/', scopes: 'api', confidential: false },
  ],
}
