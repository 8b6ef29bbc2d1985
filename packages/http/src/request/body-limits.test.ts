import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { ClientDisconnectedError, collectStream } from './body-limits.ts'

test.each([
  ['before the body is read', async (stream: Readable) => void (await once(stream.destroy(), 'close'))],
  ['while the body is read', async (stream: Readable) => void setImmediate(() => stream.destroy())],
])('a client that disconnects %s ends the request at once', async (_, disconnect) => {
  const stream = new Readable({ read: () => undefined })
  stream.push('{')
  await disconnect(stream)
  await expect(collectStream(stream, { size: 10 })).rejects.toThrow(ClientDisconnectedError)
})
