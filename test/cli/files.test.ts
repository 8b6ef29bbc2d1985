import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3Server, startS3Server } from '../support/s3-server.ts'
import { folder, forgelet, serving } from './command-line.ts'

const project = '/api/v4/projects/acme%2Fweb'
const headers = { 'PRIVATE-TOKEN': 'alice-token' }

const upload = async (url: string, content: string): Promise<string> => {
  const body = new FormData()
  body.set('file', new Blob([content]), 'note.txt')
  const response = await fetch(`${url}${project}/uploads`, { method: 'POST', headers, body })
  expect(response.status).toBe(201)
  return ((await response.json()) as { url: string }).url
}

const download = async (url: string, path: string) => {
  const response = await fetch(`${url}${project}${path}`, { headers })
  return [response.status, response.headers.get('Content-Length'), await response.text()]
}

const diagnose = async (args: readonly string[]) => {
  const { code, stdout } = await forgelet(['doctor', '--json', ...args])
  const { checks } = JSON.parse(stdout) as { checks: { name: string; verdict: string; details: string[] }[] }
  const ofFiles = checks.filter(({ name }) => ['file storage', 'uploaded files'].includes(name))
  return { code, checks: ofFiles.map(({ name, verdict, details }) => [name, verdict, details.length]) }
}

const working = [
  ['file storage', 'ok', 0],
  ['uploaded files', 'ok', 0],
]

/** Uploads, restarts the server, and downloads. */
const uploadAndRestart = async (args: readonly string[]): Promise<string> => {
  const first = await serving([...args, '--seed', 'demo', '--log-level', 'silent'])
  const path = await upload(first.url, 'stored')
  expect((await first.stop()).code).toBe(0)
  const second = await serving([...args, '--log-level', 'silent'])
  expect(await download(second.url, path)).toEqual([200, '6', 'stored'])
  expect((await second.stop()).code).toBe(0)
  return path
}

describe('a folder', () => {
  it('is beside the data file, part of backups, and checked', async () => {
    const data = ['--data', 'folder.db']
    const path = await uploadAndRestart(data)
    expect(await diagnose(data)).toEqual({ code: 0, checks: working })
    expect((await forgelet(['backup', 'backup', ...data])).code).toBe(0)
    expect(readdirSync(join(folder, 'backup/forge.db.files'))).toEqual(['uploads'])
    expect((await forgelet(['restore', 'backup', '--data', 'restored.db'])).code).toBe(0)
    const restored = await serving(['--data', 'restored.db', '--log-level', 'silent'])
    expect(await download(restored.url, path)).toEqual([200, '6', 'stored'])
    await restored.stop()
    rmSync(join(folder, 'folder.db.files/uploads'), { recursive: true })
    expect(await diagnose(data)).toEqual({
      code: 1,
      checks: [
        ['file storage', 'ok', 0],
        ['uploaded files', 'wrong', 1],
      ],
    })
  }, 120_000)

  it('can be elsewhere', async () => {
    await uploadAndRestart(['--data', 'elsewhere.db', '--files', 'other-files'])
    expect(readdirSync(join(folder, 'other-files')).sort()).toEqual(['.incoming', 'uploads'])
    const { code, stderr } = await forgelet(['backup', 'partial', '--data', 'elsewhere.db', '--files', 'other-files'])
    expect(code).toBe(0)
    expect(stderr).toContain('warning: the files in other-files are not in the backup\n')
  }, 120_000)
})

describe('a bucket', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3Server()
    const { accessKeyId = '', secretAccessKey = '' } = server.options.credentials ?? {}
    writeFileSync(join(folder, 's3.key'), `${accessKeyId}:${secretAccessKey}\n`)
  })
  afterAll(() => server.close())

  it('stores uploads, and requests fail with 503 while it is not available', async () => {
    const { endpoint, bucket } = server.options
    const place = ['--files', `s3://${bucket}/cli`, '--s3-credentials', 's3.key']
    const args = ['--data', 'bucket.db', ...place, '--s3-endpoint', endpoint]
    await uploadAndRestart(args)
    expect(readdirSync(folder)).not.toContain('bucket.db.files')
    expect(await diagnose(args)).toEqual({ code: 0, checks: working })
    const unreachable = ['--data', 'bucket.db', ...place, '--s3-endpoint', 'http://127.0.0.1:1']
    expect(await diagnose(unreachable)).toEqual({ code: 1, checks: [['file storage', 'wrong', 1]] })
    const { url, stop } = await serving([...unreachable, '--log-level', 'silent'])
    const body = new FormData()
    body.set('file', new Blob(['late']), 'late.txt')
    const response = await fetch(`${url}${project}/uploads`, { method: 'POST', headers, body })
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5'])
    expect(await response.json()).toEqual({ message: 'The file storage is not available' })
    await stop()
  }, 120_000)

  it.each([
    [['--s3-region', 'x'], '--s3-endpoint, --s3-region and --s3-credentials require --files s3://bucket'],
    [['--files', 's3://key:secret@bucket'], '--files must not contain credentials: use --s3-credentials'],
    [['--files', 's3:///prefix'], '--files must be a folder or s3://bucket/prefix'],
    [['--files', 's3://bucket', '--s3-credentials', 'none'], 'none cannot be used: it does not exist'],
  ])('rejects %j', async (args, message) => {
    const { code, stderr } = await forgelet(['serve', '--port', '0', '--data', 'rejected.db', ...args])
    expect(code).not.toBe(0)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('secret@')
  })
})
