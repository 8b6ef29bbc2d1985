import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folder, serving } from '../cli/command-line.ts'
import { createGitClient, type GitClient, withPassword } from '../support/git-client.ts'
import { listCommandLines } from '../support/process-list.ts'

/** Pushes and fetches of git while the server is killed or stopped. */

const kills = Number(process.env.FORGELET_KILLS || 4)
const args = ['--data', 'pushes.db', '--seed', 'demo', '--log-level', 'silent']
const urlOf = (url: string) => withPassword(`${url}/acme/web.git`, 'alice-token')
const countGitProcesses = () => listCommandLines().filter((text) => text.includes(`${folder}/pushes.db`)).length

let client: GitClient
beforeEach(async () => {
  client = createGitClient()
  await client.git('.', 'init', '--quiet', 'work')
})
afterEach(() => client.remove())

interface PushEvent {
  readonly push_data: { readonly ref: string; readonly commit_from: string | null; readonly commit_to: string }
}

/** The pushes to the branch `kept`, oldest first. */
const readPushes = async (url: string) => {
  const response = await fetch(`${url}/api/v4/events?action=pushed&per_page=100&sort=asc`, {
    headers: { 'PRIVATE-TOKEN': 'alice-token' },
  })
  const events = (await response.json()) as readonly PushEvent[]
  return events.map(({ push_data: data }) => data).filter(({ ref }) => ref === 'kept')
}

test('records each push exactly once when servers are killed', async () => {
  for (let round = 1; round <= kills; round++) {
    const { url, child, ended } = await serving(args)
    await client.commit('work', `round ${round}`, { [`file-${round}`]: randomBytes(500_000) })
    const push = client.run('work', 'push', '--quiet', urlOf(url), 'main:kept')
    await pause(Math.random() * 400)
    child.kill('SIGKILL')
    await Promise.all([push, ended])
  }
  await expect.poll(countGitProcesses, { timeout: 10_000 }).toBe(0)

  const { url, stop } = await serving(args)
  const id = await client.commit('work', 'last', { last: 'last' })
  await client.git('work', 'push', '--quiet', urlOf(url), 'main:kept')
  await client.git('.', 'clone', '--quiet', '--branch=kept', urlOf(url), 'copy')
  await client.git('copy', 'fsck', '--strict')
  expect(await client.git('copy', 'rev-parse', 'HEAD')).toBe(id)
  const pushes = await readPushes(url)
  // Each push starts where the previous one ended: none is missing and none is recorded twice.
  expect(pushes.map(({ commit_from: from }) => from)).toEqual([
    null,
    ...pushes.slice(0, -1).map((push) => push.commit_to),
  ])
  expect(pushes.at(-1)?.commit_to).toBe(id)
  expect((await stop()).code).toBe(0)
}, 120_000)

test('a server that stops completes a fetch first, and leaves no process', async () => {
  const { url, stop } = await serving(args)
  const id = await client.commit('work', 'large', { large: randomBytes(30_000_000) })
  await client.git('work', 'push', '--quiet', urlOf(url), 'main:refs/heads/large')
  const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
  const fetching = request(`${url}/acme/web.git/git-upload-pack`, { method: 'POST', agent: false })
  fetching.end(`${line(`want ${id}\n`)}0000${line('done\n')}`)
  const [response] = (await once(fetching, 'response')) as [IncomingMessage]
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
  })
  await once(response, 'data')
  response.pause()
  const stopped = stop()
  await pause(500)
  response.resume()
  await once(response, 'end')
  expect(size).toBeGreaterThan(30_000_000)
  expect((await stopped).code).toBe(0)
  expect(countGitProcesses()).toBe(0)
}, 60_000)
