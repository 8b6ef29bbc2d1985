import { demoWithCode } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { world } from '../../../../../../test/world.ts'
import { requireDetails } from '../../accounts/users/user-detail.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: demoWithCode })
})
afterEach(() => forge.close())

const project = 'acme/web'
type Rule = Omit<NonNullable<Parameters<FakeForge['host']['pushRules']['create']>[0]>, 'project' | 'group'>

const setRule = async (rule: Rule) => {
  await forge.host.pushRules.remove({ project }).catch(() => undefined)
  await forge.host.pushRules.create({ project, ...rule })
}

interface NewCommit {
  readonly message?: string
  readonly branch?: string
  readonly path?: string
  readonly content?: string
  readonly author?: { readonly name: string; readonly email: string }
  readonly committer?: { readonly name: string; readonly email: string }
}

let count = 0
const commitAs = async (
  user: string,
  { message = 'Change', branch = 'main', path = `file-${++count}`, content = 'x', ...people }: NewCommit = {},
) => {
  const files = [{ path, content }]
  try {
    await forge.as(user).commits.import({ project, commits: [{ branch, message, files, ...people }] })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
const commit = (input?: NewCommit) => commitAs('alice', input)

test('messages match the patterns, of which ^ matches at each line', async () => {
  await setRule({ commitMessageRegex: '^Ref: #\\d+$', commitMessageNegativeRegex: 'secret' })
  expect(await commit({ message: 'Change' })).toBe("Commit message does not follow the pattern '^Ref: #\\d+$'")
  expect(await commit({ message: 'Change\n\nRef: #12\n' })).toBeUndefined()
  expect(await commit({ message: 'A secret\n\nRef: #12' })).toBe(
    "Commit message contains the forbidden pattern 'secret'",
  )
  expect(await commit({ message: `Ref: #1\n${'x'.repeat(10_000)}` })).toMatch(/^Commit message is too long/)
  await setRule({ rejectNonDcoCommits: true })
  expect(await commit({ message: 'Signed-off-by: nobody' })).toBe('Commit message must contain a DCO signoff')
  expect(await commit({ message: 'Change\n\nSigned-off-by: Ann <ann@example.com>' })).toBeUndefined()
})

test('authors and committers have permitted addresses', async () => {
  const outsider = { name: 'Out', email: 'Out@elsewhere.example' }
  await setRule({ authorEmailRegex: '@example\\.com$' })
  expect(await commit()).toBeUndefined()
  expect(await commit({ author: outsider })).toMatch(/^Author's email 'Out@elsewhere.example' does not follow/)
  expect(await commit({ committer: outsider })).toMatch(/^Committer's email 'Out@elsewhere.example' does not follow/)
  await setRule({ memberCheck: true })
  expect(await commit({ author: outsider })).toBe("Author 'out@elsewhere.example' is not a member of team")
  await forge.as('bob').emails.create({ email: outsider.email })
  expect(await commit({ author: outsider })).toBe("Author 'out@elsewhere.example' is not a member of team")
  await forge.host.notificationSettings.addEmail({ user: 'bob', email: outsider.email })
  expect(await commit({ author: outsider })).toBeUndefined()
})

test('committers and authors are the user who pushes', async () => {
  const readIdentity = async (user: string) => {
    const { name, email } = requireDetails(await forge.host.users.get({ user }))
    return { name, email }
  }
  const [alice, bob] = [await readIdentity('alice'), await readIdentity('bob')]
  await setRule({ commitCommitterCheck: true })
  expect(await commit({ author: bob, committer: { ...alice, email: alice.email.toUpperCase() } })).toBeUndefined()
  expect(await commit({ committer: bob })).toMatch(/^You cannot push commits for 'bob@example.com'/)
  await setRule({ commitCommitterNameCheck: true })
  expect(await commit()).toBeUndefined()
  expect(await commit({ author: { ...alice, name: 'A. Anderson' } })).toMatch(/^Your git username 'A. Anderson' is/)
})

test('new files have permitted names and sizes', async () => {
  await setRule({ fileNameRegex: '\\.exe$', preventSecrets: true, maxFileSize: 1 })
  const secrets = ['.ssh/id_rsa', 'deploy_ed25519', 'server.pem', 'keys/x.key', '.aws/credentials', '.bash_history']
  for (const path of secrets) expect(await commit({ path })).toMatch(/^File name .* was prohibited by the pattern/)
  expect(await commit({ path: 'a/b.exe' })).toBe("File name a/b.exe was prohibited by the pattern '\\.exe$'")
  for (const path of ['id_rsa.pub', 'keys.md', 'history.md']) expect(await commit({ path })).toBeUndefined()
  const mebibyte = 'x'.repeat(1024 ** 2)
  expect(await commit({ path: 'large', content: mebibyte })).toBeUndefined()
  expect(await commit({ path: 'large', content: `${mebibyte}x` })).toBe(
    "File 'large' is larger than the allowed size of 1 MiB",
  )
  await setRule({})
  await commit({ path: 'b.exe' })
  await setRule({ fileNameRegex: '\\.exe$' })
  // Existing files can be changed.
  expect(await commit({ path: 'b.exe', content: 'y' })).toBeUndefined()
})

test('each new commit is checked, and those of other branches are not', async () => {
  await setRule({ fileNameRegex: 'secret' })
  const { commits } = forge.as('alice')
  const files = [{ path: 'secret', content: 'x' }]
  const removal = [{ path: 'secret', removed: true as const }]
  await expect(
    commits.import({
      project,
      commits: [
        { branch: 'main', message: 'Add', files },
        { branch: 'main', message: 'Remove', files: removal },
      ],
    }),
  ).rejects.toMatchObject({ code: 'invalid' })
  // The host is not subject to the rule.
  await forge.host.commits.import({
    project,
    commits: [{ branch: 'old', message: 'Add', author: { name: 'A', email: 'a@example.com' }, files }],
  })
  await expect(forge.as('alice').branches.create({ project, branch: 'copy', ref: 'old' })).resolves.toBeDefined()
})

test('branches other than the default branch have permitted names, tags stay', async () => {
  await setRule({ branchNameRegex: '^fix/', denyDeleteTag: true })
  const { branches, tags } = forge.as('alice')
  await expect(branches.create({ project, branch: 'x', ref: 'main' })).rejects.toMatchObject({ code: 'invalid' })
  await branches.create({ project, branch: 'fix/x', ref: 'main' })
  await branches.remove({ project, branch: 'cache-home' })
  expect(await commit()).toBeUndefined()
  await tags.create({ project, tagName: 'v9' })
  await expect(tags.remove({ project, tagName: 'v9' })).rejects.toMatchObject({ message: 'You cannot delete a tag' })
  await forge.host.tags.remove({ project, tagName: 'v9' })
})

test('merges comply with the rule', async () => {
  await setRule({ commitMessageRegex: '#\\d+' })
  const merge = { project, mergeRequest: 1 }
  const { mergeRequests } = forge.as('alice')
  await expect(mergeRequests.merge({ ...merge, mergeCommitMessage: 'Merge' })).rejects.toMatchObject({
    code: 'invalid',
  })
  expect(await mergeRequests.merge({ ...merge, mergeCommitMessage: 'Merge #1' })).toMatchObject({ state: 'merged' })
})

test('administrators are subject to the rule, rejected changes move nothing', async () => {
  await setRule({ commitMessageRegex: '#\\d+' })
  const head = async () => (await forge.host.branches.get({ project, branch: 'main' })).commit.id
  const before = await head()
  expect(await commitAs('root')).toMatch(/^Commit message does not follow/)
  expect(await head()).toBe(before)
})

test('new projects start with the rule of the nearest group', async () => {
  const { host } = forge
  await host.pushRules.create({ group: 'acme', commitMessageRegex: 'outer' })
  await host.pushRules.create({ group: 'acme/tools', commitMessageRegex: 'inner' })
  const readPattern = async (namespace: string) => {
    const { id } = await host.projects.create({ name: `new-${++count}`, namespace })
    return (await host.pushRules.get({ project: id }))?.commitMessageRegex
  }
  expect(await readPattern('acme')).toBe('outer')
  expect(await readPattern('acme/tools')).toBe('inner')
  expect(await readPattern('bob')).toBeUndefined()
  await host.pushRules.update({ group: 'acme/tools', commitMessageRegex: null })
  expect(await readPattern('acme/tools')).toBe('')
  expect(await host.pushRules.get({ project: 'acme/tools/deploy' })).toBeNull()
})

test('rules end with their project', async () => {
  await setRule({})
  await forge.host.projects.remove({ project })
  await expect(forge.host.pushRules.get({ project })).rejects.toMatchObject({ code: 'not_found', kind: 'Project' })
})

test('seeds have push rules, and projects without one', async () => {
  await forge.seed({
    groups: [{ path: 'ruled', pushRule: { preventSecrets: true } }],
    projects: [
      { path: 'ruled/copy' },
      { path: 'ruled/own', pushRule: { maxFileSize: 5 } },
      { path: 'ruled/free', pushRule: null },
    ],
  })
  const { pushRules } = forge.host
  expect(await pushRules.get({ project: 'ruled/copy' })).toMatchObject({ preventSecrets: true })
  expect(await pushRules.get({ project: 'ruled/own' })).toMatchObject({ preventSecrets: false, maxFileSize: 5 })
  expect(await pushRules.get({ project: 'ruled/free' })).toBeNull()
})
