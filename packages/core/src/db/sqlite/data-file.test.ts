import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createPlatform } from '../../platform.ts'
import { demo } from '../../seed/demo.ts'
import { seed } from '../../seed/seed.ts'
import { sqlite } from './sqlite.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forgelet-file-'))
  path = join(folder, 'forge.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Milliseconds; longer than the interval between checks of the file. */
const untilNextCheck = 20

const label = (name: string) => ({ project: 'acme/web', name, color: 'red' })

describe('a data file that is lost while it is open', () => {
  const losses: readonly (readonly [string, () => void])[] = [
    ['deleted', () => rmSync(path)],
    [
      'replaced by a copy',
      () => {
        copyFileSync(path, `${path}.copy`)
        renameSync(`${path}.copy`, path)
      },
    ],
    ['replaced by another file', () => [rmSync(path), writeFileSync(path, 'other')]],
  ]
  test.each(losses)('%s: no further write is acknowledged, and reads continue', async (_, lose) => {
    const platform = createPlatform(sqlite(path))
    await seed(platform, demo)
    const { labels } = platform.as({ system: 'test' })
    expect(platform.getWriteError()).toBeUndefined()
    await labels.list({ project: 'acme/web' })
    lose()
    await pause(untilNextCheck)
    await expect(labels.create(label('lost'))).rejects.toMatchObject({ code: 'unavailable', reason: 'replaced' })
    expect(platform.getWriteError()).toMatchObject({ reason: 'replaced' })
    expect((await labels.list({ project: 'acme/web' })).items.length).toBeGreaterThan(0)
    expect(await platform.jobs.drain()).toBe(0)
    await platform.close()
  })

  test('is not created again by the first read', async () => {
    const platform = createPlatform(sqlite(path))
    await platform.ready()
    rmSync(path)
    await expect(platform.health()).rejects.toMatchObject({ code: 'unavailable', reason: 'replaced' })
    expect(existsSync(path)).toBe(false)
    await platform.close()
  })

  test('accepts writes again when the same file is back', async () => {
    const platform = createPlatform(sqlite(path))
    await seed(platform, demo)
    const { labels } = platform.as({ system: 'test' })
    renameSync(path, `${path}.moved`)
    await pause(untilNextCheck)
    await expect(labels.create(label('lost'))).rejects.toMatchObject({ reason: 'replaced' })
    renameSync(`${path}.moved`, path)
    await labels.create(label('stored'))
    await platform.close()
  })
})

describe('a new data file beside repositories', () => {
  test.each(['missing', 'empty'])('%s: is rejected and left unchanged', (state) => {
    mkdirSync(`${path}.repositories/ab`, { recursive: true })
    if (state === 'empty') writeFileSync(path, '')
    expect(() => sqlite(path)).toThrow(/contains repositories: restore the data file from a backup, or move/)
    expect(statSync(path, { throwIfNoEntry: false })?.size).toBe(state === 'empty' ? 0 : undefined)
  })

  test('is created beside an empty folder', async () => {
    mkdirSync(`${path}.repositories`)
    writeFileSync(path, '')
    const platform = createPlatform(sqlite(path))
    await platform.ready()
    await platform.close()
  })
})

test('the error of a file that cannot be created names it', () => {
  const missing = join(folder, 'missing', 'forge.db')
  expect(() => sqlite(missing)).toThrow(`${missing} cannot be opened: check that its folder exists`)
})
