import { rmSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { openDemo } from '../support/open-demo.ts'

/** Requests that do not follow git's protocol are mistakes of the client: never a server error, nor an error in the log. */

let forge: FakeForge
let tip: string
const errors: unknown[] = []
beforeAll(async () => {
  const logger = { info: () => undefined, error: (entry: object) => void errors.push(entry) }
  forge = await world({ seed: openDemo, port: 0, http: { logger } })
  const files = [{ path: 'README.md', content: 'x' }]
  tip = (await forge.as('bob').commits.import({ project: 'acme/web', commits: [{ message: 'Begin', files }] }))
    .ids[0] as string
})
beforeEach(() => void errors.splice(0))
afterAll(() => forge.close())

const line = (text: string) => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
const id = 'a'.repeat(40)
const zero = '0'.repeat(40)
const flush = '0000'
const delimiter = '0001'

const post = async (service: string, body: string | Uint8Array, headers: Record<string, string> = {}) => {
  const response = await fetch(`${forge.url}/acme/web.git/${service}`, {
    method: 'POST',
    headers: {
      'private-token': forge.token('bob'),
      'content-type': `application/x-${service}-request`,
      ...headers,
    },
    body: body as BodyInit,
  })
  return { status: response.status, text: await response.text() }
}

/** A client error, or a reply in git's protocol that contains the error. */
const expectRefusal = ({ status, text }: { status: number; text: string }) => {
  if (status === 200) expect(text).toMatch(/ERR |ng |unpack |^$|NAK/)
  else expect([400, 413, 415, 422]).toContain(status)
  expect(text).not.toMatch(/\/(?:tmp|dev|home)\//)
  expect(errors).toEqual([])
}

const framing: Record<string, string> = {
  'an empty body': '',
  text: 'hello world, this is not git',
  'a length without digits': 'zzzz',
  'a length below four': '0003',
  'a response-end packet': '0002',
  'a length above the limit': 'ffff',
  'an incomplete length': '00',
  'an incomplete line': '0032want ',
  'a line without a flush': line(`want ${id}\n`),
  'an empty line': '0004',
  'many flushes': flush.repeat(50),
  'many delimiters': delimiter.repeat(50),
  NUL: line('\0\0\0\0') + flush,
  HTML: '<html></html>',
}

const version0: Record<string, () => string> = {
  'an unknown command': () => line('push everything\n') + flush,
  'a short id': () => line('want abc\n') + flush,
  'an id of another object format': () => line(`want ${'a'.repeat(64)}\n`) + flush,
  'an unknown object': () => line(`want ${id}\n`) + flush + line('done\n'),
  'a null id': () => line(`want ${zero}\n`) + flush + line('done\n'),
  'unknown capabilities': () => line(`want ${tip} frobnicate=1 side-band-64k\n`) + flush + line('done\n'),
  'have without want': () => line(`have ${tip}\n`) + flush,
  'a malformed have': () => line(`want ${tip}\n`) + flush + line('have xyz\n') + line('done\n'),
  'an unknown line after wants': () => line(`want ${tip}\n`) + flush + line('give me\n') + line('done\n'),
  'no end': () => line(`want ${tip}\n`) + flush,
  'a malformed depth': () => line(`want ${tip} shallow\n`) + line('deepen x\n') + flush + line('done\n'),
  'a negative depth': () => line(`want ${tip} shallow\n`) + line('deepen -1\n') + flush + line('done\n'),
  'a huge depth': () => line(`want ${tip} shallow\n`) + line(`deepen ${'9'.repeat(30)}\n`) + flush + line('done\n'),
  'a malformed date': () =>
    line(`want ${tip} shallow deepen-since\n`) + line('deepen-since x\n') + flush + line('done\n'),
  'an unknown reference': () =>
    line(`want ${tip} shallow deepen-not\n`) + line('deepen-not nope\n') + flush + line('done\n'),
  'two kinds of depth': () =>
    line(`want ${tip} shallow deepen-since\n`) + line('deepen 1\n') + line('deepen-since 1\n') + flush + line('done\n'),
  'a malformed shallow line': () => line(`want ${tip} shallow\n`) + line('shallow xyz\n') + flush + line('done\n'),
  'an unknown shallow commit': () => line(`want ${tip} shallow\n`) + line(`shallow ${id}\n`) + flush + line('done\n'),
  'an unknown filter': () => line(`want ${tip} filter\n`) + line('filter frob:1\n') + flush + line('done\n'),
  'a malformed filter': () => line(`want ${tip} filter\n`) + line('filter blob:limit=x\n') + flush + line('done\n'),
  'a sparse filter': () =>
    line(`want ${tip} filter\n`) + line('filter sparse:path=/etc/passwd\n') + flush + line('done\n'),
  'two filters': () =>
    line(`want ${tip} filter\n`) + line('filter blob:none\n') + line('filter blob:none\n') + flush + line('done\n'),
  'a filter that was not agreed': () => line(`want ${tip}\n`) + line('filter blob:none\n') + flush + line('done\n'),
  'an unknown object format': () => line(`want ${tip} object-format=sha999\n`) + flush + line('done\n'),
  'another object format': () => line(`want ${tip} object-format=sha256\n`) + flush + line('done\n'),
}

const version2: Record<string, () => string> = {
  'no command': () => line('agent=x\n') + flush,
  'an unknown command': () => line('command=frob\n') + flush,
  'an empty command': () => line('command=\n') + flush,
  'two commands': () => line('command=fetch\n') + line('command=ls-refs\n') + flush,
  'an unknown capability': () => line('command=ls-refs\n') + line('frob=1\n') + flush,
  'an unknown object format': () => line('command=ls-refs\n') + line('object-format=sha999\n') + flush,
  'another object format': () => line('command=ls-refs\n') + line('object-format=sha256\n') + flush,
  'unknown arguments of ls-refs': () => line('command=ls-refs\n') + delimiter + line('frob\n') + flush,
  'no arguments of fetch': () => line('command=fetch\n') + delimiter + flush,
  'unknown arguments of fetch': () => line('command=fetch\n') + delimiter + line('frob\n') + flush,
  'a malformed want': () => line('command=fetch\n') + delimiter + line('want x\n') + line('done\n') + flush,
  'an unknown object': () => line('command=fetch\n') + delimiter + line(`want ${id}\n`) + line('done\n') + flush,
  'an unknown want-ref': () => line('command=fetch\n') + delimiter + line('want-ref refs/x\n') + line('done\n') + flush,
  'a malformed have': () =>
    line('command=fetch\n') + delimiter + line(`want ${tip}\n`) + line('have x\n') + line('done\n') + flush,
  'a malformed depth': () =>
    line('command=fetch\n') + delimiter + line(`want ${tip}\n`) + line('deepen x\n') + line('done\n') + flush,
  'an unknown deepen-not': () =>
    line('command=fetch\n') + delimiter + line(`want ${tip}\n`) + line('deepen-not nope\n') + line('done\n') + flush,
  'a malformed filter': () =>
    line('command=fetch\n') + delimiter + line(`want ${tip}\n`) + line('filter x\n') + line('done\n') + flush,
  'a malformed shallow line': () =>
    line('command=fetch\n') + delimiter + line('shallow x\n') + line(`want ${tip}\n`) + line('done\n') + flush,
  'packfile-uris': () =>
    line('command=fetch\n') + delimiter + line(`want ${tip}\n`) + line('packfile-uris x\n') + line('done\n') + flush,
  'no flush': () => line('command=fetch\n') + delimiter + line(`want ${tip}\n`),
  'no flush after the command': () => line('command=ls-refs\n'),
  'no flush after arguments of ls-refs': () => line('command=ls-refs\n') + delimiter + line('peel\n'),
  'object-info of nonsense': () => line('command=object-info\n') + delimiter + line('oid x\n') + flush,
  'a request of version 0': () => line(`want ${tip}\n`) + flush + line('done\n'),
  'bundle-uri': () => line('command=bundle-uri\n') + flush,
}

const versions: Record<string, Record<string, string>> = {
  'without a version': {},
  'with version 1': { 'git-protocol': 'version=1' },
  'with version 2': { 'git-protocol': 'version=2' },
  'with an unknown version': { 'git-protocol': 'version=99' },
  'with a malformed version': { 'git-protocol': ':::version=2x' },
}

describe.each(Object.entries(versions))('a fetch %s', (_, headers) => {
  test.each(Object.entries(framing))('with %s', async (_, body) => {
    expectRefusal(await post('git-upload-pack', body, headers))
  })
  test.each([...Object.entries(version0), ...Object.entries(version2)])('with %s', async (_, body) => {
    expectRefusal(await post('git-upload-pack', body(), headers))
  })
})

const pushes: Record<string, () => string> = {
  'a malformed command': () => line('push everything') + flush,
  'a short id': () => line(`abc ${id} refs/heads/x`) + flush,
  'ids of another format': () =>
    line(`${'0'.repeat(64)} ${'a'.repeat(64)} refs/heads/x\0report-status object-format=sha256`) + flush,
  'no name': () => line(`${zero} ${id} `) + flush,
  'an invalid name': () => line(`${zero} ${tip} refs/heads/a..b\0report-status`) + flush,
  'a name that is not UTF-8': () => line(`${zero} ${tip} refs/heads/\ufffd\0report-status`) + flush,
  'a name outside of refs': () => line(`${zero} ${tip} config\0report-status`) + flush,
  HEAD: () => line(`${zero} ${tip} HEAD\0report-status`) + flush,
  'no move': () => line(`${tip} ${tip} refs/heads/main\0report-status`) + flush,
  'neither id': () => line(`${zero} ${zero} refs/heads/x\0report-status`) + flush,
  'one reference twice': () =>
    line(`${zero} ${tip} refs/heads/x\0report-status`) + line(`${zero} ${tip} refs/heads/x`) + flush,
  'a reference below another': () =>
    line(`${zero} ${tip} refs/heads/y\0report-status`) + line(`${zero} ${tip} refs/heads/y/z`) + flush,
  'an unknown object': () => line(`${zero} ${id} refs/heads/x\0report-status`) + flush,
  'a pack that is none': () => `${line(`${zero} ${id} refs/heads/x\0report-status`)}${flush}PACKnonsense`,
  'an incomplete pack': () => `${line(`${zero} ${id} refs/heads/x\0report-status`)}${flush}PACK`,
  'a pack with a wrong version': () =>
    `${line(`${zero} ${id} refs/heads/x\0report-status`)}${flush}PACK\0\0\0\x09\0\0\0\0${'\0'.repeat(20)}`,
  'a malformed certificate': () => line('push-cert\0report-status') + line('certificate version 0.1') + flush,
  'options without an end': () => line(`${zero} ${tip} refs/heads/o\0report-status push-options`) + flush + line('x'),
  'a shallow line': () => line('shallow xyz') + line(`${zero} ${tip} refs/heads/s\0report-status`) + flush,
}

describe('a push', () => {
  test.each(Object.entries(framing))('with %s', async (_, body) => {
    expectRefusal(await post('git-receive-pack', body))
  })
  test.each(Object.entries(pushes))('with %s', async (_, body) => {
    expectRefusal(await post('git-receive-pack', body()))
  })
})

describe.each(['git-upload-pack', 'git-receive-pack'])('%s', (service) => {
  const body = () => line(`want ${tip}\n`) + flush + line('done\n')
  const push = () => `${line(`${zero} ${id} refs/heads/x\0report-status`)}${flush}PACK${'x'.repeat(5_000)}`
  const compressed = () => gzipSync(service === 'git-upload-pack' ? body() : push())
  const gzip = { 'content-encoding': 'gzip' }

  test.each<[string, () => [string | Uint8Array, Record<string, string>]]>([
    ['truncated compression', () => [compressed().subarray(0, -12), gzip]],
    ['a truncated header of compression', () => [compressed().subarray(0, 5), gzip]],
    [
      'damaged compression',
      () => [Buffer.concat([compressed().subarray(0, 15), Buffer.from('damage'), compressed().subarray(21)]), gzip],
    ],
    ['an empty compressed body', () => ['', gzip]],
    ['text instead of compression', () => ['text', gzip]],
    ['unknown compression', () => ['text', { 'content-encoding': 'br' }]],
    ['several compressions', () => [compressed(), { 'content-encoding': 'gzip, gzip' }]],
    ['another content type', () => ['{}', { 'content-type': 'application/json' }]],
    ['a form', () => ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }]],
  ])('with %s', async (_, request) => {
    const [bytes, headers] = request()
    expectRefusal(await post(service, bytes, headers))
  })
})

test.each([
  'info/refs?service=',
  'info/refs?service=git-frob',
  'info/refs?service=git-upload-pack%00',
  'info/refs?service=git-upload-pack&service=x',
  'info/refs?service[]=git-upload-pack',
  'info/refs',
  'git-upload-pack',
  'git-frob',
  'git-upload-archive',
  'objects/%00',
  'HEAD',
])('GET %s', async (path) => {
  const { status } = await fetch(`${forge.url}/acme/web.git/${path}`, { headers: { 'git-protocol': 'version=\u00ff' } })
  expect(status).toBeLessThan(500)
  expect(errors).toEqual([])
})

test('a repository that is damaged is still a server error', async () => {
  const { directory } = await forge.host.repository.get({ project: 'acme/web' })
  rmSync(`${directory}/objects`, { recursive: true })
  const { status } = await post('git-upload-pack', line(`want ${tip}\n`) + flush + line('done\n'))
  expect(status).toBe(500)
})
