import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { root } from './snippets.ts'

/** The shell blocks of a page, in order. `page` is relative to the root. */
export const shellBlocks = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```sh\n(?<code>[\s\S]*?)^```$/gm)].map(
    ({ groups }) => groups?.code as string,
  )

/** A free TCP port. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
