import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { certificateFactory, hasOpenssl } from '../support/openssl-certificates.ts'
import { createZip } from '../support/zip.ts'
import { folder, forgelet, serving } from './command-line.ts'

const certificates = certificateFactory()
afterAll(() => certificates.remove())

const domain = 'www.example.org'
const execute = promisify(execFile)

interface Visit {
  readonly port: number
  readonly ca: string
  readonly name?: string
  readonly host?: string
  readonly path?: string
}

/** A request with TLS that trusts one certificate, to a name in the handshake and another one in the header. */
const visit = ({ port, ca, name = domain, host = name, path = '/' }: Visit) =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, ca, servername: name, headers: { host }, agent: false }
    request(options, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject)
    })
      .once('error', reject)
      .end()
  })

describe.skipIf(!hasOpenssl)('a server of sites', () => {
  it('publishes the site of a pushed pipeline at a domain with TLS', async () => {
    const data = 'sites.db'
    const created = await forgelet(['user', 'create', 'ann', '--admin', '--data', data])
    expect(created).toMatchObject({ code: 0 })
    const issued = await forgelet(['token', 'create', '--user', 'ann', '--data', data])
    const token = /glpat-\S+/.exec(issued.stdout)?.[0] ?? issued.stdout.trim()
    const args = ['--data', data, '--pipelines-on-push', '--pages-tls-port', '0']
    const { url, output, stop } = await serving(args)
    const port = Number(/sites over TLS on port (\d+)/.exec(output.stdout)?.[1])
    const api = async (method: string, path: string, json?: object, key = token) => {
      const body = json && JSON.stringify(json)
      const headers = { 'PRIVATE-TOKEN': key, ...(body && { 'Content-Type': 'application/json' }) }
      const response = await fetch(`${url}/api/v4${path}`, { method, headers, ...(body && { body }) })
      const reply = await response.text()
      return { status: response.status, body: reply === '' ? undefined : JSON.parse(reply) }
    }
    await api('POST', '/projects', { name: 'site', visibility: 'public' })

    const work = join(folder, 'work')
    mkdirSync(work)
    writeFileSync(join(work, '.gitlab-ci.yml'), 'pages: { script: make, artifacts: { paths: [public] } }\n')
    const git = (...parameters: string[]) => execute('git', ['-C', work, ...parameters])
    await git('init', '--quiet', '--initial-branch=main')
    await git('add', '.')
    await git('-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', 'commit', '--quiet', '--message', 'Site')
    const remote = new URL(`${url}/ann/site.git`)
    remote.username = 'ann'
    remote.password = token
    await git('push', '--quiet', remote.href, 'main')

    const runner = (await api('POST', '/user/runners', { runner_type: 'instance_type', run_untagged: true })).body
    const take = () => api('POST', '/jobs/request', { token: runner.token })
    await expect
      .poll(async () => (await api('GET', '/projects/ann%2Fsite/jobs')).body.length, { timeout: 15_000 })
      .toBe(1)
    const { body: job } = await take()
    const form = new FormData()
    const archive = createZip([{ path: 'public/index.html', content: '<h1>Site</h1>' }])
    form.append('file', new Blob([archive]), 'artifacts.zip')
    const headers = { 'JOB-TOKEN': job.token }
    const uploaded = await fetch(`${url}/api/v4/jobs/${job.id}/artifacts`, { method: 'POST', headers, body: form })
    expect(uploaded.status).toBe(201)
    await api('PUT', `/jobs/${job.id}`, { token: job.token, state: 'success' })

    const pair = certificates.create({ subject: `/CN=${domain}`, extensions: `subjectAltName = DNS:${domain}` })
    await api('POST', '/projects/ann%2Fsite/pages/domains', { domain, ...pair })
    const preview = async () => (await fetch(`${url}/-/pages/ann/site/`)).text()
    await expect.poll(preview, { timeout: 15_000 }).toBe('<h1>Site</h1>')
    const secure = { port, ca: pair.certificate }
    await expect(visit(secure)).rejects.toThrow()
    // No test has a DNS record: the domain is marked as verified.
    const database = new Database(join(folder, data))
    const now = new Date(Date.now() + 86_400_000).toISOString()
    database.prepare('update pages_domain set verified_at = ?, enabled_until = ?').run(now, now)
    database.close()
    await expect
      .poll(() => visit(secure).catch((error: Error) => error.message), { timeout: 90_000, interval: 1_000 })
      .toMatchObject({ status: 200, body: '<h1>Site</h1>' })
    // The name of the handshake decides, and no other name gets a certificate.
    expect(await visit({ ...secure, host: 'other.example.org' })).toMatchObject({ status: 421 })
    expect(await visit({ ...secure, path: '/api/v4/projects' })).toMatchObject({ status: 404 })
    await expect(visit({ ...secure, name: 'other.example.org' })).rejects.toThrow()
    await stop()
  }, 180_000)
})
