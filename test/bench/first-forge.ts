import { fakeForge } from '@forgelet/fixtures'

/** The first forge of a process: tells how many milliseconds it took, and with a first call. */

const begin = performance.now()
const forge = await fakeForge()
const made = performance.now() - begin
await forge.as('alice').labels.list({ project: 'acme/web' })
const asked = performance.now() - begin
await forge.close()
// Listening keeps it until it is told to stop.
process.on('message', () => undefined)
process.send?.({ made, asked })
