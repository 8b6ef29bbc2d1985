import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Another server with repositories, for tests: git's own HTTP program behind Basic authentication, on a loopback port. */
export interface GitHttpServer {
  readonly port: number
  readonly user: string
  /** What it wants; may be set. */
  password: string
  /** Called before a request is answered. */
  beforeAnswer: () => Promise<void>
  /** A new, empty repository and where it is served. Below `/elsewhere` it is only redirected to. */
  create(): { readonly url: string; readonly redirected: string; git(...words: string[]): string }
  close(): void
}

export const gitHttpServer = async (): Promise<GitHttpServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'forgelet-remote-'))
  let count = 0

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    await made.beforeAnswer()
    const url = new URL(request.url ?? '', 'http://x')
    if (url.pathname.startsWith('/elsewhere/')) {
      response.writeHead(302, { location: `${base}${url.pathname.slice('/elsewhere'.length)}${url.search}` }).end()
      return
    }
    const expected = `Basic ${Buffer.from(`${made.user}:${made.password}`).toString('base64')}`
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
      return
    }
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        REMOTE_USER: made.user,
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'],
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      },
    })
    request.pipe(child.stdin)
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('close', () => {
      const output = Buffer.concat(chunks)
      const end = output.indexOf('\r\n\r\n')
      const lines = output.toString('latin1', 0, end).split('\r\n')
      const headers = lines.map((line) => line.split(': ') as [string, string])
      const status = Number(headers.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200)
      response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')))
      response.end(output.subarray(end + 4))
    })
  }

  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`
  const made: GitHttpServer = {
    port,
    user: 'robot',
    password: 'open sesame',
    beforeAnswer: async () => undefined,
    create() {
      count += 1
      const name = `target-${count}.git`
      const directory = join(folder, name)
      const git = (...words: string[]) => execFileSync('git', words, { cwd: directory, encoding: 'utf8' }).trim()
      execFileSync('git', ['init', '--quiet', '--bare', directory])
      git('config', 'http.receivepack', 'true')
      return { url: `${base}/${name}`, redirected: `${base}/elsewhere/${name}`, git }
    },
    close() {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return made
}
