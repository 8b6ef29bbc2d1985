import { type AddressInfo, createServer } from 'node:net'

/**
 * Listens on a port and closes it: resolves `--port 0` to a port that all workers, including later replacements, listen on. Rejects
 * with the error of the system if the server cannot listen there.
 */
export const findFreePort = (port: number, host: string): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address() as AddressInfo
      server.close(() => resolve(address))
    })
  })
