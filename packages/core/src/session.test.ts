import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { sqlite } from './db/sqlite/sqlite.ts'
import { createPlatform } from './platform.ts'

/** Names that TypeScript rejects, in programs without type checks. */

const platform = createPlatform(sqlite(':memory:'), { identity: { system: 'test' } })
afterAll(() => platform.close())

type Table = Readonly<Record<string, Readonly<Record<string, (input?: unknown) => Promise<unknown>>>>>
const read = (family: string, name: string) => (platform as unknown as Table)[family]?.[name]

describe('an unknown family of operations', () => {
  test.each([
    ['comments', 'notes'],
    ['files', 'repositoryFiles'],
    ['webhooks', 'hooks'],
    ['projectHooks', 'hooks'],
    ['issueNotes', 'notes'],
    ['projectVariables', 'ciVariables'],
    ['personalAccessTokens', 'tokens'],
    ['merge_requests', 'mergeRequests'],
    ['MergeRequests', 'mergeRequests'],
    ['pullRequests', 'mergeRequests'],
    ['issue', 'issues'],
    ['lables', 'labels'],
    ['me', 'users'],
    ['wikiPages', 'wikis'],
    ['gitignoreTemplates', 'templates'],
    ['applicationSettings', 'settings'],
    ['issueNoteAwardEmojis', 'awardEmoji'],
    ['jobArtifacts', 'pipelineJobs'],
  ])('%s means %s', (name, meant) => {
    const message = `Unknown family of operations '${name}'. Did you mean '${meant}'?`
    expect(() => read(name, 'list')).toThrow(new TypeError(message))
  })

  test('can mean several', () => {
    expect(() => read('requests', 'list')).toThrow("Did you mean 'accessRequests' or 'mergeRequests'?")
  })
})

describe('an unknown operation', () => {
  test.each([
    ['users.me', 'users.get()'],
    ['users.show', 'users.get'],
    ['users.edit', 'users.update'],
    ['topics.all', 'topics.list'],
    ['tokens.delete', 'tokens.revoke'],
    ['labels.craete', 'labels.create'],
    ['labels.update_label', 'labels.update'],
    ['issues.notes', 'notes.list'],
    ['issues.createNote', 'notes.create'],
    ['issues.links', 'issueLinks.list'],
    ['issues.setTimeEstimate', 'timeTracking.setEstimate'],
    ['snippets.rawContent', 'snippets.getRaw'],
    ['snippets.showUserAgentDetails', 'snippets.getUserAgent'],
    ['packages.upload', 'packages.publishGeneric'],
    ['protectedTags.protect', 'protectedTags.create'],
    ['todos.markAllAsDone', 'todos.finish'],
    ['mergeRequests.allDiffs', 'mergeRequests.listDiffs'],
    ['mergeRequests.mergeToDefault', 'mergeRequests.merge'],
    ['commits.setStatus', 'commitStatuses.create'],
    ['pipelineJobs.showLog', 'pipelineJobs.getTrace'],
    ['releases.addLink', 'releaseLinks.create'],
    ['groups.transferProject', 'projects.transfer'],
    ['users.createSSHKey', 'keys.create'],
    ['users.showAssociationsCount', 'users.countAssociations'],
    ['milestones.allAssignedIssues', 'issues.list'],
    ['epics.addIssue', 'epicIssues.assign'],
    ['projects.addMember', 'members.add'],
    ['projects.fork', 'forks.create'],
    ['packages.files', 'packageFiles.list'],
    ['pipelines.variables', 'pipelines.listVariables'],
    ['mergeRequests.accept', 'mergeRequests.merge'],
    ['mergeRequests.approve', 'mergeRequestApprovals.approve'],
    ['commits.listStatuses', 'commitStatuses.list'],
    ['repository.tree', 'repository.listTree'],
  ])('%s means %s', (name, meant) => {
    const [family = '', operation = ''] = name.split('.')
    const message = `Unknown operation '${name}'. Did you mean '${meant}'?`
    expect(() => read(family, operation)).toThrow(new TypeError(message))
  })

  test('without a similar name is answered with all names', () => {
    expect(() => read('wikis', 'frobnicate')).toThrow(
      "Unknown operation 'wikis.frobnicate'. Known names: list, get, create, update, remove, attach",
    )
  })
})

test.each<[string, object, string]>([
  ['issues.get', { project: 'a/b', iid: 1 }, 'issue'],
  ['users.get', { id: 1 }, 'user'],
  ['projects.get', { path: 'a/b' }, 'project'],
  ['projects.create', { path: 'b', group: 'a' }, 'namespace'],
  ['projects.update', { project: 'a/b', lfsEnabled: true }, 'settings.lfsEnabled'],
  ['pipelineJobs.get', { project: 'a/b', id: 1 }, 'job'],
  ['notes.list', { project: 'a/b', issueIid: 1 }, 'issue'],
  ['notes.create', { project: 'a/b', issue: 1, text: 'x' }, 'body'],
  ['issues.create', { project: 'a/b', name: 'x' }, 'title'],
  ['issues.list', { project_id: 1 }, 'project'],
  ['issues.list', { limit: 1 }, 'perPage'],
  ['broadcastMessages.create', { message: 'x', start: '2027-01-01' }, 'startsAt'],
  ['wikis.get', { project: 'a/b', id: 1 }, 'slug'],
])('a field of %s: %j means %s', async (name, input, meant) => {
  const [family = '', operation = ''] = name.split('.')
  await expect(read(family, operation)?.(input)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining(`is not known. Did you mean '${meant}'?`),
  })
})

test('the field events means the fields of all events', async () => {
  const input = { project: 'a/b', url: 'https://example.com', events: ['push'] }
  await expect(read('hooks', 'create')?.(input)).rejects.toThrow(
    "Did you mean 'pushEvents', 'tagPushEvents', 'issuesEvents'",
  )
})

test('a field without a similar name has no suggestion', async () => {
  await expect(read('issues', 'list')?.({ constructor: 1 })).rejects.toThrow(/^constructor is not known$/)
})

describe('sessions remain ordinary objects', () => {
  const { users } = platform

  test.each([
    ...[
      'then',
      'toJSON',
      'asymmetricMatch',
      'nodeType',
      'tagName',
      '$$typeof',
      '@@__IMMUTABLE_ITERABLE__@@',
      'inspect',
    ],
    ...['_isMockFunction', 'getter', 'setter', 'onModuleInit', 'beforeApplicationShutdown'],
  ])('%s is undefined', (name) => {
    expect(Reflect.get(platform, name)).toBeUndefined()
    expect(Reflect.get(users, name)).toBeUndefined()
  })

  test('a property that resembles no family is undefined', () => {
    expect(Reflect.get(platform, 'frobnicate')).toBeUndefined()
  })

  test('they can be awaited, printed, compared and searched', async () => {
    expect(await users).toBe(users)
    expect(inspect(users)).toContain('get: [Function')
    expect(JSON.stringify(users)).toBe('{}')
    expect({ users }).toEqual({ users })
    expect(users).toMatchObject({ get: expect.any(Function) })
    expect(users).not.toBeNull()
    expect('comments' in platform).toBe(false)
    expect('me' in users).toBe(false)
    expect(Object.keys(platform.topics)).toEqual(['list', 'get', 'create', 'update', 'remove', 'merge'])
    expect(String(users)).toBe('[object Object]')
  })
})
