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

/** Recipient and `Message-ID` of each received message. `onReceived` returns false if the sender must not learn that it was accepted. */
const startMailServer = async (onReceived: () => boolean = () => true) => {
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
        if (onReceived()) done()
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

/** A forge with this mail server, which is killed and started again. */
const createForge = async (mail: { readonly port: number }) => {
  const folder = mkdtempSync(join(tmpdir(), 'forgelet-'))
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const options = ['--port', `${port}`, '--data', join(folder, 'forge.db'), '--demo', '--base-url', url]
  const smtp = ['--smtp-url', `smtp://127.0.0.1:${mail.port}`, '--smtp-tls', 'off', '--mail-from', 'forge@example.com']
  let child: ChildProcess | undefined
  const isReady = () =>
    fetch(`${url}/-/readiness`).then(
      ({ ok }) => ok,
      () => false,
    )
  const start = async () => {
    const command = ['--conditions=source', program, 'serve', ...options, ...smtp]
    child = spawn(process.execPath, command, { stdio: 'ignore' })
    while (!(await isReady())) await pause(100)
  }
  const kill = async () => {
    if (child?.kill('SIGKILL')) await once(child, 'exit')
  }
  const comment = (body: string) =>
    fetch(`${url}/api/v4/projects/acme%2Fweb/issues/1/notes`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': 'carol-token', 'Content-Type': 'application/json' },
      body: JSON.stringify({ body }),
    })
  await start()
  return {
    start,
    kill,
    comment,
    async [Symbol.asyncDispose]() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits at most a minute. */
const until = async (condition: () => boolean) => {
  for (let waited = 0; !condition() && waited < 600; waited++) await pause(100)
}

test('no mail is lost when the server is killed again and again, and repeated ones have the same id', async () => {
  const mail = await startMailServer()
  try {
    await using forge = await createForge(mail)
    const kills = 4
    for (let count = 0; count < kills; count++) {
      expect((await forge.comment(`Text ${count}`)).ok).toBe(true)
      await pause(150 * count)
      if (count === kills - 2) mail.recover()
      await forge.kill()
      await forge.start()
    }
    // Bob and Dave take part in the issue.
    const distinct = () => new Set(mail.received).size
    await until(() => distinct() === 2 * kills)
    expect(distinct()).toBe(2 * kills)
  } finally {
    await mail.close()
  }
}, 180_000)

test('a mail that was accepted when the server was killed, before it was recorded, is sent again with the same id', async () => {
  let isKilling = true
  const killed = Promise.withResolvers<void>()
  const mail = await startMailServer(() => {
    // The reply to a killed process is never sent.
    if (isKilling) killed.resolve()
    return !isKilling
  })
  mail.recover()
  try {
    await using forge = await createForge(mail)
    expect((await forge.comment('Text')).ok).toBe(true)
    await killed.promise
    await forge.kill()
    const accepted = [...mail.received]
    isKilling = false
    await forge.start()
    const repeated = () => accepted.every((message) => mail.received.filter((other) => other === message).length > 1)
    await until(() => repeated() && new Set(mail.received).size === 2)
    expect(accepted.length).toBeGreaterThan(0)
    expect(repeated()).toBe(true)
    expect([...new Set(mail.received)].map((message) => message.split(' ')[0]).toSorted()).toEqual([
      'bob@example.com',
      'dave@example.com',
    ])
  } finally {
    await mail.close()
  }
}, 120_000)
