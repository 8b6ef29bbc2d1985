#!/usr/bin/env node
import { assertNodeVersion } from '@forgelet/core/node-version'

const isSupportedNode = () => {
  try {
    assertNodeVersion()
    return true
  } catch (error) {
    process.stderr.write(`forgelet: ${(error as Error).message}\n`)
    return false
  }
}

const start = async () => {
  // Data files contain secrets: files get mode 0600, folders 0700.
  process.umask(0o077)
  const { cacheCompiledCode } = await import('./cli/compile-cache.ts')
  cacheCompiledCode(process.env)
  // EPIPE is no failure: `head` closes its input early.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const { FORGELET_SQLITE_DRIVER: driver } = process.env
  if (driver) (await import('@forgelet/core/maintenance')).selectSqliteDriver(driver)
  const { main } = await import('./cli/main.ts')
  process.exitCode = await main(process.argv.slice(2), process.env)
  // Idle child processes and connections must not keep the process alive.
  setTimeout(() => process.exit(), 1_000).unref()
}

// Modules are loaded after the check, because the native module of SQLite crashes on an unsupported Node without a message.
if (isSupportedNode()) await start()
else process.exitCode = 1
