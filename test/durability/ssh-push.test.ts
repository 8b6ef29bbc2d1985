import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { folder, serving } from '../cli/command-line.ts'
import { newData } from '../cli/data-arguments.ts'
import { reportFigures } from '../figures.ts'
import { createGitClient } from '../support/git-client.ts'
import { createSshClient } from '../support/ssh-client.ts'
import { dialect } from '../world.ts'

/** Pushes over SSH while the server is killed. */

const kills = Number(process.env.FORGELET_KILLS || 4)
const hostKey = join(folder, `${dialect}_host_key`)
const headers = { 'PRIVATE-TOKEN': 'alice-token', 'Content-Type': 'application/json' }

const readJson = async (url: string, path: string) =>
  (await (await fetch(`${url}/api/v4${path}`, { headers })).json()) as readonly never[]

interface PushEvent {
  readonly push_data: { readonly ref: string; readonly commit_to: string }
}

interface Branch {
  readonly name: string
  readonly commit: { readonly id: string }
}

/** The commits by the branches, with the events and with the API. */
const readState = async (url: string) => {
  const events = await readJson(url, '/events?action=pushed&per_page=100')
  const branches = await readJson(url, '/projects/acme%2Fweb/repository/branches?per_page=100&search=round-')
  return {
    events: events
      .map(({ push_data }: PushEvent): [string, string] => [push_data.ref, push_data.commit_to])
      .filter(([ref]) => ref.startsWith('round-')),
    branches: branches.map(({ name, commit }: Branch): [string, string] => [name, commit.id]),
  }
}

/** The branches as git reads them, after it has checked the repository of the project. */
const readRepository = (name: string): [string, string][] => {
  const [head = ''] = globSync(join(folder, `${name}.repositories`, '**/HEAD'))
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', dirname(head), ...args], { encoding: 'utf8' })
  git('-c', 'safe.directory=*', 'fsck', '--strict', '--no-dangling')
  const lines = git('for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/heads/round-*').trim()
  return lines === '' ? [] : lines.split('\n').map((line) => line.split(' ') as [string, string])
}

const bySort = (entries: readonly [string, string][]) => entries.toSorted(([a], [b]) => a.localeCompare(b))

test('keeps every acknowledged push, with its event, when servers are killed', async () => {
  const { args, name } = await newData()
  const serve = () =>
    serving([...args, '--seed', 'demo', '--log-level', 'silent', '--ssh-port', '0', '--ssh-host-key', hostKey])
  const client = createGitClient()
  const keys = createSshClient({ alice: ['ed25519'] })
  const connect = ({ output }: Awaited<ReturnType<typeof serve>>) => {
    const [, port] = /git over SSH at ssh:\/\/git@127\.0\.0\.1:(\d+)/.exec(output.stdout) ?? []
    const publicKey = execFileSync('ssh-keygen', ['-y', '-f', hostKey], { encoding: 'utf8' })
    keys.connectTo({ port: Number(port), hostPublicKey: publicKey.trim() })
    return `ssh://git@127.0.0.1:${port}/acme/web.git`
  }
  /** Returns the branch and its commit, or undefined if git has failed. */
  const push = async (url: string, branch: string): Promise<[string, string] | undefined> => {
    const id = await client.commit('work', branch, { [branch]: randomBytes(500_000) })
    const { code } = await keys.git('alice', client, 'work', 'push', '--quiet', url, `HEAD:refs/heads/${branch}`)
    return code === 0 ? [branch, id] : undefined
  }
  const results: (readonly [string, string] | undefined)[] = []
  let duration = 0
  try {
    await client.git('.', 'init', '--quiet', 'work')
    for (let round = 1; round <= kills; round++) {
      const server = await serve()
      const url = connect(server)
      if (round === 1) {
        const body = JSON.stringify({ title: 'alice', key: keys.publicKey('alice') })
        await fetch(`${server.url}/api/v4/user/keys`, { method: 'POST', headers, body })
        const start = performance.now()
        results.push(await push(url, 'round-0'))
        duration = performance.now() - start
      }
      const pushing = push(url, `round-${round}`)
      await Promise.race([pushing, pause(Math.random() * duration * 1.5)])
      server.child.kill('SIGKILL')
      results.push(await pushing)
      await server.ended
    }
    const acknowledged = results.filter((result) => result !== undefined)
    expect(acknowledged[0]?.[0]).toBe('round-0')
    const server = await serve()
    const url = connect(server)
    const id = await client.commit('work', 'last', { last: 'last' })
    const last = await keys.git('alice', client, 'work', 'push', '--quiet', url, 'HEAD:refs/heads/round-last')
    expect(last).toMatchObject({ code: 0 })
    const { events, branches } = await readState(server.url)
    expect(bySort(events)).toEqual(bySort(branches))
    expect(bySort(readRepository(name))).toEqual(bySort(branches))
    expect(branches).toEqual(expect.arrayContaining([...acknowledged, ['round-last', id]]))
    expect((await server.stop()).code).toBe(0)
    reportFigures(`kills during pushes over SSH on ${dialect}`, { kills, acknowledged: acknowledged.length })
  } finally {
    keys.remove()
    client.remove()
  }
}, 300_000)
