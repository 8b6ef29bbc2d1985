import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { demoWithCode } from '@forgelet/core/seed'
import { expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'
import { python } from './python.ts'

test.skipIf(python === undefined)(
  'python-gitlab completes all steps',
  async () => {
    await using forge = await world({ seed: demoWithCode, port: 0 })
    const tokens = ['alice', 'root', 'mallory'].map((user) => forge.tokens[user] as string)
    const input = { title: 'Snippet', fileName: 'a.txt', content: 'x', visibility: 'public' } as const
    const snippet = await forge.host.snippets.create({ ...input, project: 'acme/web', author: 'carol' })
    const script = join(import.meta.dirname, 'python-gitlab.py')
    const { stdout } = await promisify(execFile)(python as string, [script, forge.url, ...tokens, String(snippet.id)])
    const { steps, failures } = JSON.parse(stdout) as { steps: number; failures: string[] }
    expect(failures).toEqual([])
    expect(steps).toBeGreaterThan(15)
  },
  60_000,
)
