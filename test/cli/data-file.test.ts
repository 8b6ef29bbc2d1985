import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { call, folder, forgelet, serving } from './command-line.ts'
import { run } from './in-process.ts'

const labels = '/projects/acme%2Fweb/labels'
const newLabel = (name: string) => ({ name, color: 'teal' })
const readiness = async (url: string) => {
  const response = await fetch(`${url}/-/readiness`)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('a data file that is deleted while it is served', () => {
  it.each(['1', '2'])(
    'by %s processes: writes return 503, readiness fails, and no new file is created',
    async (workers) => {
      const file = join(folder, `deleted-${workers}.db`)
      const { url, output, stop } = await serving(['--data', file, '--seed', 'demo', '--workers', workers])
      expect((await call(url, labels, 'alice-token', newLabel('before'))).status).toBe(200)
      renameSync(file, `${file}.moved`)
      // Checks of the file are 10 milliseconds apart.
      await pause(20)
      const reply = await call(url, labels, 'alice-token', newLabel('after'))
      expect(reply).toMatchObject({ status: 503, body: { message: expect.stringContaining('deleted or replaced') } })
      expect(await readiness(url)).toMatchObject({
        status: 503,
        body: { database_check: [{ status: 'failed', message: 'The data file was deleted or replaced' }] },
      })
      await expect
        .poll(() => output.stderr, { timeout: 10_000 })
        .toMatch(/"reason":"The data file was .*writes are rejected/)
      expect((await stop()).code).toBe(0)
      expect(existsSync(file)).toBe(false)
    },
    60_000,
  )
})

describe('an empty data file beside repositories', () => {
  it('is rejected', async () => {
    const file = join(folder, 'empty.db')
    writeFileSync(file, '')
    mkdirSync(`${file}.repositories/ab`, { recursive: true })
    const { code, stderr } = await forgelet(['serve', '--port', '0', '--data', file])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/empty\.db cannot be used: The data file is empty, but/)])
  })
})

describe('a missing data file', () => {
  it.each([
    [['user', 'list']],
    [['user', 'block', 'ada']],
    [['export']],
    [['migrate']],
    [['repository', 'import', 'acme/web', '.']],
  ])('is not created by %j', async (args) => {
    const file = join(folder, 'misspelt.db')
    const stderr = `forgelet: There is no file ${file}\n`
    expect(await run([...args, '--data', file])).toEqual({ code: 1, stdout: '', stderr })
    expect(existsSync(file)).toBe(false)
  })

  it('is created by commands that create something', async () => {
    expect((await run(['user', 'create', 'ada', '--data', join(folder, 'new.db')])).code).toBe(0)
  })
})

/** Root may write to any file; a mount without write access applies to root too. */
const mountReadOnly = (path: string) =>
  spawnSync('mount', ['--bind', path, path]).status === 0 &&
  spawnSync('mount', ['-o', 'remount,ro,bind', path]).status === 0

describe('a read-only data file', () => {
  it('is served, and rejects writes', async ({ skip }) => {
    const data = join(folder, 'read-only')
    mkdirSync(data)
    const file = join(data, 'forge.db')
    await forgelet(['seed', 'demo', '--data', file])
    const isMounted = mountReadOnly(data)
    if (!isMounted) {
      if (process.getuid?.() === 0) skip('root may write to every file, and mount is not permitted')
      chmodSync(file, 0o400)
      chmodSync(data, 0o500)
    }
    try {
      const { url, output, stop } = await serving(['--data', file])
      expect((await call(url, labels, 'alice-token')).status).toBe(200)
      expect((await call(url, '/projects/acme%2Fweb/repository/tree', 'alice-token')).status).toBe(200)
      const archive = await fetch(`${url}/api/v4/projects/acme%2Fweb/repository/archive.tar.gz`, {
        headers: { 'PRIVATE-TOKEN': 'alice-token' },
      })
      expect([archive.status, (await archive.arrayBuffer()).byteLength > 0]).toEqual([200, true])
      const reply = await call(url, labels, 'alice-token', newLabel('new'))
      expect(reply).toMatchObject({ status: 503, body: { message: 'The data is read-only: nothing was changed' } })
      expect(await readiness(url)).toMatchObject({
        status: 200,
        body: { database_check: [{ status: 'ok', message: 'The data is read-only: writes are rejected' }] },
      })
      expect(await (await fetch(`${url}/-/metrics`)).text()).toContain('\nforgelet_database_writable 0\n')
      expect(output.stderr).toMatch(/warning: .*The data is read-only/)
      expect(output.stderr).not.toMatch(/"msg":"jobs"/)
      const doctor = await forgelet(['doctor', '--data', file])
      expect(doctor.stdout).toContain('WRONG  writes: the data is read-only')
      expect((await stop()).code).toBe(0)
    } finally {
      if (isMounted) spawnSync('umount', [data])
      else chmodSync(data, 0o700)
    }
  }, 60_000)
})
