import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { findFreePort } from '../support/free-port.ts'

const program = join(import.meta.dirname, '../../packages/http/src/cli.ts')

/** Recipient and `Message-ID` of each received message. */
const startMailServer = async () => {
  const received: string[] = []
  let isBusy = true
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(isBusy ? Object.assign(new Error('Busy'), { responseCode: 450 }) : null),
    onData(stream, { envelope }, done) {
      buffer(stream).then((data) => {
        const [, id] = /^Message-ID: (.*)$/im.exec(data.toString()) ?? []
        received.push(`${envelope.rcptTo[0]?.address} ${id?.trim()}`)
        done()
      }, done)
    },
  })
  // Connections of killed processes.
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  return {
    received,
    port: typeof address === 'object' && address !== null ? address.port : 0,
    recover: () => {
      isBusy = false
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

test('no mail is lost when the server is killed again and again, and repeated ones have the same id', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forgelet-'))
  const mail = await startMailServer()
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const options = ['--port', `${port}`, '--data', join(folder, 'forge.db'), '--demo', '--base-url', url]
  const smtp = ['--smtp-url', `smtp://127.0.0.1:${mail.port}`, '--smtp-tls', 'off', '--mail-from', 'forge@example.com']
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, ['--conditions=source', program, 'serve', ...options, ...smtp], {
      stdio: 'ignore',
    })
    const isReady = () =>
      fetch(`${url}/-/readiness`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isReady())) await pause(100)
    return child
  }
  const comment = (body: string) =>
    fetch(`${url}/api/v4/projects/acme%2Fweb/issues/1/notes`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': 'carol-token', 'Content-Type': 'application/json' },
      body: JSON.stringify({ body }),
    })
  const kills = 4
  let child = await start()
  try {
    for (let count = 0; count < kills; count++) {
      expect((await comment(`Text ${count}`)).ok).toBe(true)
      await pause(150 * count)
      if (count === kills - 2) mail.recover()
      child.kill('SIGKILL')
      await once(child, 'exit')
      child = await start()
    }
    // Bob and Dave take part in the issue.
    const distinct = () => new Set(mail.received).size
    for (let waited = 0; distinct() < 2 * kills && waited < 600; waited++) await pause(100)
    expect(distinct()).toBe(2 * kills)
  } finally {
    child.kill('SIGKILL')
    await mail.close()
    rmSync(folder, { recursive: true, force: true })
  }
}, 180_000)
