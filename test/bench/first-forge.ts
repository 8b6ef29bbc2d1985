import { fakeForge } from '@forgelet/fixtures'

/** Measures the first forge of a process: milliseconds until it is open, and until its first call returns. */

const start = performance.now()
const forge = await fakeForge()
const opened = performance.now() - start
await forge.as('alice').labels.list({ project: 'acme/web' })
const called = performance.now() - start
await forge.close()
// The listener keeps the process alive until the parent stops it.
process.on('message', () => undefined)
process.send?.({ opened, called })
