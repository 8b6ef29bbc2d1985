import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatform, type PlatformOptions, sqlite } from '@forgelet/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isSecretSetting, settingNames } from './definition.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forgelet-settings-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = (options: PlatformOptions = {}) =>
  createPlatform(sqlite(join(folder, 'forge.db'), { durability: 'process' }), options)
const host = { system: 'test' }

const secrets = Object.fromEntries(
  settingNames
    .filter(isSecretSetting)
    .filter((name) => !name.startsWith('externalAuth'))
    .map((name) => [name, `hushsecret-${name}`]),
)

describe('secret settings', () => {
  test('are never returned and never stored in plain text', async () => {
    const platform = open()
    const { settings } = platform.as(host)
    expect(Object.keys(secrets)).toHaveLength(6)
    const responses = [await settings.update(secrets), await settings.get()]
    expect(JSON.stringify(responses)).not.toContain('hushsecret')
    for (const name of settingNames.filter(isSecretSetting)) expect(responses[0]).not.toHaveProperty(name)
    const files = readdirSync(folder)
    expect(files).toEqual(expect.arrayContaining(['forge.db', 'forge.db-wal', 'forge.db.key']))
    for (const file of files) expect(readFileSync(join(folder, file), 'latin1')).not.toContain('hushsecret')
    expect(statSync(join(folder, 'forge.db.key')).mode & 0o777).toBe(0o600)
    await platform.close()
  })

  test('count as set for validation after a restart, and are removed by null', async () => {
    const first = open()
    await first.as(host).settings.update({ spamfilterEnabled: true, spamfilterApiKey: 'hushsecret' })
    await first.close()
    const second = open()
    const { settings } = second.as(host)
    await expect(settings.update({ spamfilterApiKey: '' })).rejects.toMatchObject({
      code: 'invalid',
      problems: [{ fields: ['spamfilterApiKey'], message: "can't be blank" }],
    })
    await settings.update({ spamfilterEnabled: false })
    await settings.update({ spamfilterApiKey: null })
    await second.close()
  })

  test('do not block other changes when their key is lost', async () => {
    const first = open()
    await first.as(host).settings.update({ spamfilterEnabled: true, spamfilterApiKey: 'hushsecret' })
    await first.close()
    const other = open({ secretKey: 'ab'.repeat(32) })
    const { settings } = other.as(host)
    expect(await settings.update({ signInText: 'Hello' })).toMatchObject({
      signInText: 'Hello',
      spamfilterEnabled: true,
    })
    expect(await settings.update({ spamfilterApiKey: 'new' })).toMatchObject({ spamfilterEnabled: true })
    await other.close()
  })

  test('are rejected without a key store, and the whole change with them', async () => {
    const platform = createPlatform({ ...sqlite(':memory:'), keyStore: undefined } as never)
    const { settings } = platform.as(host)
    await expect(settings.update({ signInText: 'Hello', spamfilterApiKey: 'hushsecret' })).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'no_secret_key',
    })
    expect(await settings.get()).toMatchObject({ signInText: null })
    await platform.close()
  })
})

describe('two processes on one file', () => {
  test('see changes of each other immediately', async () => {
    const [one, other] = [open(), open()]
    expect(await other.as(host).groups.create({ name: 'Before' })).toMatchObject({ visibility: 'private' })
    await one.as(host).settings.update({ defaultGroupVisibility: 'internal' })
    expect(await other.as(host).groups.create({ name: 'After' })).toMatchObject({ visibility: 'internal' })
    await Promise.all([one.close(), other.close()])
  })
})
