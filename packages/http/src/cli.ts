#!/usr/bin/env node
import { createRequire } from 'node:module'
import { requireNode } from '@forgelet/core/node-version'

const fits = () => {
  try {
    requireNode()
    return true
  } catch (error) {
    process.stderr.write(`forgelet: ${(error as Error).message}\n`)
    return false
  }
}

const start = async () => {
  // Whatever is written holds other people's secrets: files get mode 0600, folders 0700.
  process.umask(0o077)
  const { keepCompiledCode } = await import('./cli/compile-cache.ts')
  keepCompiledCode(process.env)
  // A reader that has gone, such as `head`, is no failure.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const { main } = await import('./cli/main.ts')
  const version = () => (createRequire(import.meta.url)('@forgelet/http/package.json') as { version: string }).version
  process.exitCode = await main(process.argv.slice(2), process.env, version)
  // An idle helper process or connection is no reason to stay.
  setTimeout(() => process.exit(), 1_000).unref()
}

// Nothing else is loaded on a Node that is too old: the database's native module would end the process without a word.
if (fits()) await start()
else process.exitCode = 1
