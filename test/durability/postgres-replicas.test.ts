import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, forgelet, serving } from '../cli/command-line.ts'
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts'
import { dialect } from '../world.ts'

describe.skipIf(dialect === 'sqlite')('forgelet with read replicas', () => {
  let server: PostgresServer
  let replica: Awaited<ReturnType<PostgresServer['startReplica']>>
  let args: readonly string[]

  beforeAll(async () => {
    server = await startPostgresServer()
    replica = await server.startReplica()
    args = ['--database', `${server.url}/postgres`, '--database-replicas', `${replica.url}/postgres`]
    expect((await forgelet(['seed', 'demo', ...args])).code).toBe(0)
  })
  afterAll(async () => {
    await replica?.remove()
    await server?.remove()
  })

  it('serves from the replica, and without it', async () => {
    const { url, stop } = await serving(args)
    const labels = '/projects/acme%2Fweb/labels'
    const readMetrics = async () => (await fetch(`${url}/-/metrics`)).text()
    const name = `replica="127.0.0.1:${replica.port}/postgres"`
    const readsOf = (metrics: string) =>
      Number(new RegExp(`forgelet_replica_reads_total\\{${name}\\} (\\d+)`).exec(metrics)?.[1])
    const read = async () => {
      expect((await call(url, labels, 'alice-token')).status).toBe(200)
      return readsOf(await readMetrics())
    }
    await expect.poll(read, { timeout: 20_000 }).toBeGreaterThan(5)
    expect(await readMetrics()).toContain(`forgelet_replica_up{${name}} 1`)
    expect(await readMetrics()).toMatch(/forgelet_replica_lag_bytes\{.*\} \d/)
    expect((await forgelet(['doctor', ...args])).stdout).toMatch(
      /ok {5}replicas: 127\.0\.0\.1:\d+\/postgres has to replay \d+ bytes/,
    )

    await replica.stop()
    const created = await call(url, labels, 'alice-token', { name: 'primary', color: 'teal' })
    expect(created.status).toBe(200)
    expect((await call(url, labels, 'alice-token')).body).toContainEqual(expect.objectContaining({ name: 'primary' }))
    expect((await fetch(`${url}/-/readiness`)).status).toBe(200)
    expect(await readMetrics()).toContain(`forgelet_replica_up{${name}} 0`)
    const { stdout, code } = await forgelet(['doctor', ...args])
    expect(stdout).toMatch(/WRONG {2}replicas: reads use the primary instead\n.*ECONNREFUSED/)
    expect(stdout).not.toContain('forgelet:forgelet')
    expect(code).toBe(1)
    expect((await stop()).code).toBe(0)
  }, 120_000)

  it('rejects URLs of other schemes without printing them', async () => {
    const urls = 'postgres://one/forge,https://me:secret@two/forge'
    const { code, stderr } = await forgelet(['serve', '--database-replicas', urls])
    expect(stderr).toContain('--database-replicas <urls> must be a URL that starts with postgres:// or postgresql://')
    expect(stderr).not.toContain('secret')
    expect(code).not.toBe(0)
  })
})
