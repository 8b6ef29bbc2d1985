import { createSocket, type Socket } from 'node:dgram'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressComplaint } from '../access/host-check.ts'
import { systemNames } from './names.ts'

/** A name server that knows a few names, over real datagrams (RFC 1035, section 4.1). */
const known: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'one.example': [['hello ', 'world']],
  'two.example': [['first'], ['second']],
  'none.example': [],
}
const refusing = 'refused.example'

let server: Socket
beforeAll(async () => {
  server = createSocket('udp4')
  server.on('message', (question, from) => server.send(answerTo(question), from.port, from.address))
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())

const nameIn = (question: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] as number; length > 0; length = question[at] as number) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 5 }
}

const record = (texts: readonly string[]): Buffer => {
  const data = Buffer.concat(texts.map((text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])))
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

const answerTo = (question: Buffer): Buffer => {
  const { name, end } = nameIn(question)
  const answers = known[name] ?? []
  const outcome = name === refusing ? 2 : known[name] === undefined ? 3 : 0
  const head = Buffer.from([question[0] as number, question[1] as number, 0x81, 0x80 | outcome, 0, 1, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(answers.length, 6)
  return Buffer.concat([head, question.subarray(12, end), ...answers.map(record)])
}

const names = () => systemNames([`127.0.0.1:${server.address().port}`])

test('text records come whole, however they were cut', async () => {
  expect(await names().textRecords('one.example')).toEqual(['hello world'])
  expect(await names().textRecords('two.example')).toEqual(['first', 'second'])
})

test('no record and no name are no failure', async () => {
  expect(await names().textRecords('none.example')).toEqual([])
  expect(await names().textRecords('missing.example')).toEqual([])
})

test('a server that does not know is one', async () => {
  await expect(names().textRecords(refusing)).rejects.toThrow()
})

test('the resolver of the system knows the machine itself', async () => {
  const addresses = await systemNames().addresses('localhost')
  expect(addresses.length).toBeGreaterThan(0)
  expect(addresses.map(addressComplaint)).toEqual(addresses.map(() => 'Requests to loopback addresses are not allowed'))
})
