import type { FakeForge } from '@forgelet/fixtures'
import { createGitClient, withPassword } from '../support/git-client.ts'

/** A clone of a project over HTTP. */
export interface Checkout {
  /** The path of the working copy. */
  readonly folder: string
  /** The URL of the repository, without credentials. */
  readonly url: string
  git(...args: string[]): Promise<string>
  /** Writes and commits files. Returns the commit id. */
  commit(message: string, files: Readonly<Record<string, string>>): Promise<string>
  /** Pushes a branch and runs the jobs of the push, which a server runs automatically. */
  push(branch: string): Promise<void>
  remove(): void
}

/** Clones a project of a forge with a port as Alice, after it received one commit and the tag `v1.0.0`. */
export async function checkout(forge: FakeForge, project: string): Promise<Checkout> {
  const client = createGitClient()
  const url = `${forge.url}/${project}.git`
  await client.git('.', 'clone', '--quiet', withPassword(url, forge.token('alice')), 'work')
  const git: Checkout['git'] = (...args) => client.git('work', ...args)
  const commit: Checkout['commit'] = (message, files) => client.commit('work', message, files)
  const push = async (...names: readonly string[]) => {
    await git('push', '--quiet', '--set-upstream', 'origin', ...names)
    await forge.platform.jobs.drain()
  }
  await commit('feat: begin', { 'README.md': '# Web\n\nSlow.\n', 'notes.txt': 'To be released.\n' })
  await git('tag', 'v1.0.0')
  await push('main', 'v1.0.0')
  return { folder: `${client.folder}/work`, url, git, commit, push, remove: client.remove }
}
