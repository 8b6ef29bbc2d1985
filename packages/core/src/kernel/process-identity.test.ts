import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { getProcessIdentity, isProcessGone } from './process-identity.ts'

const program = `import { getProcessIdentity } from '${new URL('process-identity.ts', import.meta.url).href}'
console.log(getProcessIdentity())
setInterval(() => {}, 1000)`

test('a process is gone after it was killed, and not before', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = (await once(child.stdout, 'data')) as [Buffer]
  const identity = output.toString().trim()
  expect(isProcessGone(identity)).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isProcessGone(identity)).toBe(true)
})

test('nothing is known about other places, and about other text', () => {
  const own = getProcessIdentity()
  expect(isProcessGone(own)).toBe(false)
  for (const text of [`other ${own}`, 'other 999999 1', '', 'ended', `${own} `, own.replace(/ [0-9]+ [0-9-]+$/, '')])
    expect(isProcessGone(text)).toBe(false)
})

test('a process that was started later with the same id is another one', () => {
  const own = getProcessIdentity()
  expect(isProcessGone(own.replace(/[0-9]+$/, '1'))).toBe(!own.endsWith('-'))
})
