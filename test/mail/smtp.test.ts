import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { MailRefusedError, type SmtpMailOptions, smtpMail } from '@forgelet/core'
import { fakeForge } from '@forgelet/fixtures'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { certificateFactory, hasOpenssl } from '../support/openssl-certificates.ts'

/** `smtpMail` with a real mail server: TLS, credentials, refusals, outages. */

interface Received {
  readonly to: readonly string[]
  readonly from: string
  readonly text: string
  readonly secure: boolean
  readonly user: string | undefined
}

const siteUrl = 'https://forge.example'
const servers: SMTPServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(resolve))))
})

const start = async (options: SMTPServerOptions = {}, at = 0) => {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope, secure, user }, done) {
      buffer(stream).then((data) => {
        const { mailFrom, rcptTo } = envelope
        const from = mailFrom === false ? '' : mailFrom.address
        const to = rcptTo.map(({ address }) => address)
        received.push({ to, from, text: data.toString('utf8'), secure, user: user && String(user) })
        done()
      }, done)
    },
    ...options,
  })
  // Connections that a test ends.
  server.on('error', () => undefined)
  servers.push(server)
  const listening = server.listen(at, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { server, received, port }
}

const mailTo = (port: number, options: Partial<SmtpMailOptions> = {}) =>
  smtpMail({
    url: `smtp://127.0.0.1:${port}`,
    from: 'forge@example.com',
    siteUrl,
    tls: 'off',
    timeout: 20_000,
    ...options,
  })

const message = {
  messageId: '<notification.7@forge.example>',
  fromName: 'Émile "the" Author',
  to: 'ada@example.com',
  subject: 'Grüße: a subject',
  text: 'Text',
  html: '<p>Text</p>',
  headers: { 'List-Unsubscribe': '<https://forge.example/-/x>', 'In-Reply-To': '<issue.1@forge.example>' },
}

test('a message arrives with its headers, as text and HTML', async () => {
  const { received, port } = await start()
  await mailTo(port, { replyTo: 'answers@example.com' }).send(message)
  const [{ from, to, text = '' } = {}] = received
  expect([from, to]).toEqual(['forge@example.com', ['ada@example.com']])
  for (const line of [
    'Message-ID: <notification.7@forge.example>',
    'In-Reply-To: <issue.1@forge.example>',
    'List-Unsubscribe: <https://forge.example/-/x>',
    'Reply-To: answers@example.com',
    'To: ada@example.com',
  ])
    expect(text).toContain(`${line}\r\n`)
  expect(text).toContain('Content-Type: text/plain')
  expect(text).toContain('Content-Type: text/html')
})

test('no field of a message can add headers or recipients', async () => {
  const { received, port } = await start()
  const evil = 'x\r\nBcc: eve@example.com\r\n\r\nBody'
  const headers = { 'X-GitLab-Author': evil, 'In-Reply-To': evil }
  await mailTo(port)
    .send({ ...message, subject: evil, fromName: evil, headers })
    .catch(() => undefined)
  await mailTo(port)
    .send({ ...message, to: 'ada@example.com,eve@example.com' })
    .catch(() => undefined)
  await mailTo(port)
    .send({ ...message, to: 'ada@example.com>\r\nRCPT TO:<eve@example.com' })
    .catch(() => undefined)
  for (const { to, text } of received) {
    expect(to).not.toContain('eve@example.com')
    expect(text.slice(0, text.indexOf('\r\n\r\n'))).not.toMatch(/^bcc:/im)
  }
})

describe.runIf(hasOpenssl)('TLS', () => {
  const { create, remove } = certificateFactory()
  const { certificate, key } = create({
    subject: '/CN=mail.example',
    extensions: 'basicConstraints=critical,CA:TRUE\nsubjectAltName=IP:127.0.0.1',
  })
  afterAll(remove)
  const authentication: SMTPServerOptions = {
    authOptional: false,
    onAuth({ username, password }, _, done) {
      if (username === 'forge' && password === 'secret') return done(null, { user: username })
      return done(new Error('Wrong credentials'))
    },
  }
  const credentials = { username: 'forge', password: 'secret' }

  test('is required before credentials are sent, and can begin at once', async () => {
    const options = { cert: certificate, key, disabledCommands: [], ...authentication }
    const upgraded = await start(options)
    await mailTo(upgraded.port, { tls: 'required', certificates: certificate, credentials }).send(message)
    const immediate = await start({ ...options, secure: true })
    const url = `smtps://127.0.0.1:${immediate.port}`
    await smtpMail({ url, from: 'forge@example.com', siteUrl, certificates: certificate, credentials }).send(message)
    for (const { received } of [upgraded, immediate])
      expect(received).toMatchObject([{ secure: true, user: 'forge', to: ['ada@example.com'] }])
  })

  test('a server without TLS, with an unknown certificate or wrong credentials receives nothing, and it is no refusal', async () => {
    const plain = await start()
    const secure = await start({ cert: certificate, key, disabledCommands: [], ...authentication })
    const wrong = { username: 'forge', password: 'wrong' }
    for (const mail of [
      mailTo(plain.port, { tls: 'required' }),
      mailTo(secure.port, { tls: 'required', credentials }),
      mailTo(secure.port, { tls: 'required', certificates: certificate, credentials: wrong }),
    ])
      expect(await mail.send(message).catch((error: unknown) => error)).not.toBeInstanceOf(MailRefusedError)
    expect([...plain.received, ...secure.received]).toEqual([])
  })
})

test('a refused recipient is given up; a busy or missing server is tried again until it works', async () => {
  let isBusy = true
  const refuse = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code })
  const options: SMTPServerOptions = {
    onRcptTo({ address }, _, done) {
      if (address === 'bob@example.com') return done(refuse(550, 'Unknown user'))
      return isBusy ? done(refuse(450, 'Busy')) : done()
    },
  }
  const { received, port, server } = await start(options)
  await using forge = await fakeForge({ ports: { mail: mailTo(port) } })
  await forge.as('carol').notes.create({ project: 'acme/web', issue: 1, body: 'Text' })
  const stateOf = async (user: string) => (await forge.as(user).notifications.list()).items[0]?.mailState
  await forge.hooks.drain()
  expect([await stateOf('bob'), await stateOf('dave')]).toEqual(['refused', 'pending'])
  isBusy = false
  await new Promise<void>((resolve) => server.close(resolve))
  await forge.clock.advance({ seconds: 20 })
  expect(await stateOf('dave')).toBe('pending')
  const [parked] = (await forge.platform.jobs.list()).filter(({ kind }) => kind === 'notifications.send')
  expect(parked?.lastError).toBeTruthy()
  const again = await start(options, port)
  await forge.clock.advance({ minutes: 5 })
  expect(await stateOf('dave')).toBe('sent')
  expect([...received, ...again.received].map(({ to }) => to)).toEqual([['dave@example.com']])
})

test('a server that does not answer is an error after the timeout', async () => {
  const { port } = await start({ onRcptTo: () => undefined })
  const error = await mailTo(port, { timeout: 200 })
    .send(message)
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(MailRefusedError)
})

test('wrong options are errors at once', () => {
  const from = 'forge@example.com'
  expect(() => smtpMail({ url: 'http://mail.example', from, siteUrl })).toThrow('smtp://')
  expect(() => smtpMail({ url: 'smtp://me:secret@mail.example', from, siteUrl })).toThrow('password')
  expect(() => smtpMail({ url: 'smtp://mail.example', from, siteUrl, tls: 'none' as 'off' })).toThrow('tls')
})
