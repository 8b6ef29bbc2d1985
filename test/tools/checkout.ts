import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FakeForge } from '@forgelet/fixtures'

/** A working copy of a project whose repository is on this disk. */
export interface Checkout {
  /** The path of the working copy. */
  readonly folder: string
  /** The URL of the repository, for git. */
  readonly url: string
  git(...args: string[]): string
  /** Writes and commits files. Returns the commit id. */
  commit(message: string, files: Readonly<Record<string, string>>): string
  /** Pushes a branch, and reports the push to the forge like a git hook. */
  push(branch: string): Promise<void>
  remove(): void
}

const author = {
  GIT_AUTHOR_NAME: 'Bob Builder',
  GIT_AUTHOR_EMAIL: 'bob@example.com',
  GIT_COMMITTER_NAME: 'Bob Builder',
  GIT_COMMITTER_EMAIL: 'bob@example.com',
}

/** Gives a demo project a repository on disk that tools can push to, with one pushed commit and the tag `v1.0.0`. */
export async function checkout(forge: FakeForge, project: string): Promise<Checkout> {
  const root = mkdtempSync(join(tmpdir(), 'forgelet-checkout-'))
  const bare = join(root, 'origin', `${project}.git`)
  const folder = join(root, 'work')
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, env: { PATH: process.env.PATH, HOME: root, ...author } })
      .toString()
      .trim()
  const url = `file://${bare}`
  mkdirSync(folder)
  mkdirSync(dirname(bare), { recursive: true })
  git('init', '--quiet', '--bare', '--initial-branch=main', bare)
  git('init', '--quiet', '--initial-branch=main')
  git('remote', 'add', 'origin', url)

  const commit = (message: string, files: Readonly<Record<string, string>>) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    git('add', '--all')
    git('commit', '--quiet', '--message', message)
    return git('rev-parse', 'HEAD')
  }
  const tip = (branch: string) => {
    try {
      return git('--git-dir', bare, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`)
    } catch {
      return null
    }
  }

  commit('feat: begin', { 'README.md': '# Web\n\nSlow.\n', 'notes.txt': 'To be released.\n' })
  git('tag', 'v1.0.0')
  git('push', '--quiet', '--set-upstream', 'origin', 'main', 'v1.0.0')
  await forge.host.repository.import({ project, path: bare, inPlace: true })
  return {
    folder,
    url,
    git,
    commit,
    async push(branch) {
      const before = tip(branch)
      git('push', '--quiet', '--set-upstream', 'origin', branch)
      const changes = [{ ref: `refs/heads/${branch}`, before, after: tip(branch) }]
      await forge.host.repository.recordPush({ project, pushedBy: 'bob', changes })
      // A server runs jobs automatically.
      await forge.platform.jobs.drain()
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
