import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `git http-backend` behind `node:http`, for public repositories. */
export interface BackendServer {
  readonly url: string
  close(): Promise<void>
}

const headerEnd = '\r\n\r\n'

const serveRequest = (folder: string, request: IncomingMessage, response: ServerResponse) => {
  const { pathname, search } = new URL(request.url ?? '', 'http://localhost')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  request.pipe(child.stdin)
  // A client that disconnects stops reading: the process would wait for it forever.
  response.on('close', () => child.kill())
  let start = Buffer.alloc(0)
  const readHead = (chunk: Buffer) => {
    start = Buffer.concat([start, chunk])
    const end = start.indexOf(headerEnd)
    if (end < 0) return
    child.stdout.off('data', readHead).pause()
    for (const line of start.toString('latin1', 0, end).split('\r\n')) {
      const [name = '', value = ''] = line.split(': ')
      if (name === 'Status') response.statusCode = Number(value.slice(0, 3))
      else response.setHeader(name, value)
    }
    response.write(start.subarray(end + headerEnd.length))
    child.stdout.pipe(response)
  }
  child.stdout.on('data', readHead)
}

/** Serves the bare repositories in a folder. */
export const startGitBackend = async (folder: string): Promise<BackendServer> => {
  const server = createServer((request, response) => serveRequest(folder, request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
