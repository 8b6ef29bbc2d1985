import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createPlatform, type Platform, sqlite } from '@forgelet/core'
import { fetchHandler } from '@forgelet/http'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forgelet-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Another process that holds the write lock of the file until `release` is called. */
const holdLock = async (path: string) => {
  const program = `
    const { DatabaseSync } = require('node:sqlite')
    new DatabaseSync(process.argv[1]).exec('begin immediate')
    process.stdout.write('locked')
    process.stdin.resume().on('end', () => process.exit())`
  const child = spawn(process.execPath, ['--no-warnings', '-e', program, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return {
    async release() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

const createProject = async (platform: Platform) => {
  const host = platform.as({ system: 'setup' })
  await host.users.create({ username: 'ada' })
  const { id, secret } = await host.tokens.create({ user: 'ada' })
  await platform.as({ user: 'ada' }).projects.create({ path: 'web', name: 'Web', visibility: 'public' })
  await host.settings.update({ rawBlobRequestLimit: 300 })
  const readTokenUse = async () => (await host.tokens.get({ user: 'ada', token: id })).lastUsedAt
  return { secret, readTokenUse }
}

const writes = 6

test.each([true, false])(
  'while another process holds the write lock, reads are answered, and every write is refused in time (groupCommit: %s)',
  async (groupCommit) => {
    const path = join(folder, 'forge.db')
    const platform = createPlatform(sqlite(path, { groupCommit }))
    const { secret, readTokenUse } = await createProject(platform)
    const handle = fetchHandler(platform)
    const headers = { 'PRIVATE-TOKEN': secret, 'Content-Type': 'application/json' }
    const send = (method: string, route: string, body?: object) =>
      handle(
        new Request(`http://localhost/api/v4${route}`, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        }),
      )
    const labels = '/projects/ada%2Fweb/labels'
    const lock = await holdLock(path)
    const order: string[] = []
    const requestWrite = async (index: number) => {
      await pause(index * 100)
      const { status, headers } = await send('POST', labels, { name: `label ${index}`, color: 'red' })
      order.push('write')
      return { status, retryAfter: headers.get('retry-after') }
    }
    const refused = Array.from({ length: writes }, (_, index) => requestWrite(index))
    const requestRead = async (route: string, expected: number) => {
      const response = await send('GET', route)
      order.push('read')
      expect(response.status).toBe(expected)
    }
    // The first use of a token, and a read that is counted.
    await requestRead(labels, 200)
    await requestRead(`/projects/ada%2Fweb/repository/blobs/${'a'.repeat(40)}/raw`, 404)
    await pause((writes + 1) * 100)
    // Behind writes that wait.
    await requestRead(labels, 200)
    await requestRead(`/projects/ada%2Fweb/repository/blobs/${'b'.repeat(40)}/raw`, 404)
    expect(order).toEqual(['read', 'read', 'read', 'read'])
    // Twice the limit of the last write: far less than the sum of their limits.
    const late = pause(10_000, 'late', { ref: false })
    const replies = await Promise.race([Promise.all(refused), late])
    expect(replies).toEqual(Array.from({ length: writes }, () => ({ status: 503, retryAfter: '1' })))
    expect(await readTokenUse()).toBeNull()

    await lock.release()
    expect((await send('POST', labels, { name: 'after', color: 'red' })).status).toBe(200)
    await expect.poll(readTokenUse).not.toBeNull()
    await platform.close()
  },
)
