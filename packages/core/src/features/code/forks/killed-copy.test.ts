import { existsSync } from 'node:fs'
import { demoWithCode } from '@forgelet/core/seed'
import { expect, onTestFinished, test } from 'vitest'
import { world } from '../../../../../../test/sqlite-world.ts'

test('a job deletes the files of a copy that was interrupted, and keeps those of a fork', async () => {
  await using forge = await world({ seed: demoWithCode })
  const { git } = forge.platform.ports
  const { clone } = git
  // The port belongs to all platforms of this process.
  onTestFinished(() => {
    git.clone = clone
  })
  const directories: string[] = []
  git.clone = async (source, directory, options) => {
    const copy = await clone(source, directory, options)
    directories.push(directory)
    // The process ends before the repository belongs to the project.
    if (directories.length > 1) throw new Error('killed')
    return copy
  }
  const fork = { project: 'acme/web', namespace: 'bob' }
  await forge.host.forks.create(fork)
  await expect(forge.host.forks.create({ ...fork, path: 'other', name: 'Other' })).rejects.toThrow('killed')
  expect(directories.map((directory) => existsSync(directory))).toEqual([true, true])
  await forge.clock.advance({ hours: 13 })
  await forge.platform.jobs.drain()
  expect(directories.map((directory) => existsSync(directory))).toEqual([true, false])
})
