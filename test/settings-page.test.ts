import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingNames } from '../packages/core/src/features/administration/settings/definition.ts'
import { settingsPage } from './reference/settings.ts'

test('the settings page is up to date', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/reference/settings.md'), 'utf8')
  expect(page, 'run pnpm docs:reference and review the diff').toBe(settingsPage())
})

test('the settings page has one row per setting', () => {
  const rows = settingsPage()
    .split('\n')
    .filter((line) => /^\| `[a-z_0-9]+` \|/.test(line) && line.split(' | ').length > 2)
  expect(rows).toHaveLength(settingNames.length)
})
