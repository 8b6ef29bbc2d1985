import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quickActions } from '../../packages/core/src/features/planning/quick-actions/definitions.ts'
import { root } from './snippets.ts'

const nouns = { issue: 'issues', mergeRequest: 'merge requests', epic: 'epics' }

const rows = Object.entries(quickActions).map(([name, action]) => {
  const parameters = 'parameters' in action ? ` ${action.parameters}` : ''
  const aliases = 'aliases' in action ? action.aliases.map((alias) => `, \`/${alias}\``).join('') : ''
  return [`\`/${name}${parameters}\`${aliases}`, action.effect, action.on.map((kind) => nouns[kind]).join(', ')]
})

test('the guide lists all quick actions', () => {
  const page = readFileSync(join(root, 'docs/guide/quick-actions.md'), 'utf8')
  const listed = page
    .split('\n')
    .filter((line) => line.startsWith('| `/'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
  expect(listed).toEqual(rows)
})
