import { createServer } from 'node:net'

/** A TCP port of this machine that is not in use. */
export const findFreePort = (): Promise<number> =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
