import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { commands } from './commands.ts'
import { flagName, variablesOf } from './flag.ts'
import { overview, usageOf } from './usage.ts'

it('names every command', () => {
  const text = overview(new PassThrough())
  for (const { name, says } of commands) expect(text).toMatch(new RegExp(`^  ${name} +${says}$`, 'm'))
})

it.each(commands.map((entry) => [entry.name, entry] as const))(
  'explains every option of %s',
  async (name, { load }) => {
    const loaded = await load()
    expect(loaded.name).toBe(name)
    const text = usageOf(loaded, new PassThrough())
    for (const [flag, { says }] of Object.entries(loaded.flags)) {
      expect(text).toMatch(new RegExp(`^  --${flagName(flag)}[ \\n]`, 'm'))
      expect(text).toContain(says)
    }
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(150)
  },
)

it('turns option names into variables', () => {
  expect(variablesOf('baseUrl', { says: '', fallback: 0, read: Number })).toEqual(['FORGELET_BASE_URL'])
  expect(variablesOf('port', { says: '', fallback: 0, read: Number, environment: ['PORT'] })).toEqual([
    'FORGELET_PORT',
    'PORT',
  ])
})
