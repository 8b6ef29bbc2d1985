import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `git http-backend` behind Basic authentication on a loopback address. */
export interface GitHttpServer {
  readonly port: number
  readonly user: string
  /** The accepted password; tests may change it. */
  password: string
  /** Awaited before each request is handled. */
  beforeResponse: () => Promise<void>
  /** Creates an empty repository. `redirected` is a URL below `/elsewhere` that redirects to `url`. */
  create(): { readonly url: string; readonly redirected: string; git(...args: string[]): string }
  close(): void
}

/** `address`: of the loopback interface, IPv4 or IPv6. */
export const startGitHttpServer = async (address = '127.0.0.1'): Promise<GitHttpServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'forgelet-remote-'))
  let count = 0

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    await server.beforeResponse()
    const url = new URL(request.url ?? '', 'http://x')
    if (url.pathname.startsWith('/elsewhere/')) {
      response.writeHead(302, { location: `${base}${url.pathname.slice('/elsewhere'.length)}${url.search}` }).end()
      return
    }
    const expected = `Basic ${Buffer.from(`${server.user}:${server.password}`).toString('base64')}`
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
      return
    }
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        REMOTE_USER: server.user,
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

  const httpServer = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => httpServer.listen(0, address, resolve))
  const { port } = httpServer.address() as AddressInfo
  const base = `http://${isIPv6(address) ? `[${address}]` : address}:${port}`
  const server: GitHttpServer = {
    port,
    user: 'robot',
    password: 'open sesame',
    beforeResponse: async () => undefined,
    create() {
      count += 1
      const name = `target-${count}.git`
      const directory = join(folder, name)
      const git = (...args: string[]) => execFileSync('git', args, { cwd: directory, encoding: 'utf8' }).trim()
      execFileSync('git', ['init', '--quiet', '--bare', directory])
      git('config', 'http.receivepack', 'true')
      return { url: `${base}/${name}`, redirected: `${base}/elsewhere/${name}`, git }
    },
    close() {
      httpServer.closeAllConnections()
      httpServer.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return server
}
