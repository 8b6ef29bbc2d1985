import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { createGitClient, type GitClient, withPassword } from '../support/git-client.ts'
import { openDemo } from '../support/open-demo.ts'
import { client, type Send } from './client.ts'

/** Paths of files that other systems read as absolute, as outside of the working tree, or as git's own files. */

let forge: FakeForge
let send: Send
let git: GitClient
beforeEach(async () => {
  forge = await world({ seed: openDemo, port: 0 })
  send = client(forge)
  git = createGitClient()
  const files = [
    { path: 'README.md', content: 'x' },
    { path: 'link', content: 'README.md', mode: '120000' as const },
  ]
  await forge.as('bob').commits.import({ project, commits: [{ message: 'Begin', files }] })
})
afterEach(async () => {
  git.remove()
  await forge.close()
})

const project = 'acme/web'
const routes = '/projects/acme%2Fweb'
const as = 'bob'

const commit = (...actions: object[]) =>
  send(`POST ${routes}/repository/commits`, { as, json: { branch: 'main', commit_message: 'x', actions } })

const hostile = [
  '.git/x',
  '.g\u200cit/x',
  '.git./x',
  '.git /x',
  'GIT~1/x',
  '.git::$INDEX_ALLOCATION/x',
  '.gitmodules/x',
]
const windows = ['a\\..\\b', '..\\b', 'C:\\x', 'C:x', '\\x', 'a\\.git\\x']

test.each([...hostile, ...windows, '../x', 'a/./b'])('%j is refused over the API', async (path) => {
  const write = { content: 'x', branch: 'main', commit_message: 'x' }
  const responses = [
    await commit({ action: 'create', file_path: path, content: 'x' }),
    await commit({ action: 'move', file_path: path, previous_path: 'README.md' }),
    await commit({ action: 'move', file_path: path, previous_path: 'README.md', content: 'y' }),
    await send(`POST ${routes}/repository/files/${encodeURIComponent(path)}`, { as, json: write }),
  ]
  expect(responses.map(({ status }) => status)).toEqual([400, 400, 400, 400])
  const author = { name: 'Bob', email: 'bob@example.com' }
  const commits = [{ message: 'x', author, files: [{ path, content: 'x' }] }]
  await expect(forge.host.commits.import({ project, commits })).rejects.toMatchObject({ code: 'invalid' })
  expect((await forge.host.repository.listTree({ project, recursive: true })).items.map((item) => item.path)).toEqual([
    'README.md',
    'link',
  ])
})

test('a link cannot become .gitmodules', async () => {
  expect((await commit({ action: 'move', file_path: '.gitmodules', previous_path: 'link' })).status).toBe(400)
  const files = [{ path: '.gitmodules', content: 'link', mode: '120000' as const }]
  const written = forge.as(as).commits.import({ project, commits: [{ message: 'x', files }] })
  await expect(written).rejects.toMatchObject({ code: 'invalid' })
  const regular = { action: 'create', file_path: '.gitmodules', content: '[submodule "a"]\n' }
  expect((await commit(regular)).status).toBe(201)
})

describe('a push', () => {
  const url = () => withPassword(`${forge.url}/${project}.git`, forge.token(as))

  /** Pushes a commit with one tree below the root, whose entry has any name. Many other objects select another command of git. */
  const push = async (
    entry: { mode: string; name: string; content: string },
    parents: readonly string[],
    many: boolean,
  ) => {
    await git.git('.', 'clone', '--quiet', url(), 'work')
    writeFileSync(join(git.folder, 'work', 'content'), entry.content)
    const blob = await git.git('work', 'hash-object', '-w', 'content')
    const toTree = async (lines: string) => {
      writeFileSync(join(git.folder, 'tree'), lines)
      return git.git('work', '-c', 'alias.make=!git mktree -z < ../tree', 'make')
    }
    let tree = await toTree(`${entry.mode} blob ${blob}\t${entry.name}\0`)
    for (const name of [...parents].reverse()) tree = await toTree(`040000 tree ${tree}\t${name}\0`)
    const id = await git.git('work', 'commit-tree', '-m', 'x', '-p', 'HEAD', tree)
    await git.git('work', 'checkout', '--quiet', '-b', 'more')
    if (many)
      await git.commit('work', 'More', Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${at}`, `${at}`])))
    return git.run('work', 'push', 'origin', `${id}:refs/heads/hostile`, 'more')
  }

  test.each(hostile)('with %j is refused', async (path) => {
    const [parent = '', name = ''] = path.split('/')
    const { code, messages } = await push({ mode: '100644', name, content: 'x' }, [parent], false)
    expect(code).not.toBe(0)
    expect(messages).toContain('remote unpack failed')
  })

  test.each([false, true])('with a link as .gitmodules is refused (many objects: %s)', async (many) => {
    const { code, messages } = await push({ mode: '120000', name: '.gitmodules', content: 'x' }, ['a'], many)
    expect(code).not.toBe(0)
    expect(messages).toContain('remote unpack failed')
  })

  test('with usual names is accepted', async () => {
    const { messages } = await push({ mode: '100644', name: 'a\\b: c', content: 'x' }, ['.github', 'git~2'], true)
    expect(messages).toContain('[new branch]')
  })
})
