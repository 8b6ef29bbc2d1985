import { createSocket, type Socket } from 'node:dgram'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAddressError } from '../network/host-check.ts'
import { systemDnsResolver } from './dns.ts'

/** The zone of a name server on a local UDP socket (message format: RFC 1035, section 4.1). */
const textRecordsByName: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'one.example': [['hello ', 'world']],
  'two.example': [['first'], ['second']],
  'none.example': [],
}
const failingName = 'refused.example'

let server: Socket
beforeAll(async () => {
  server = createSocket('udp4')
  server.on('message', (question, from) => server.send(buildResponse(question), from.port, from.address))
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())

const parseQuestionName = (question: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = []
  let offset = 12
  for (let length = question[offset] as number; length > 0; length = question[offset] as number) {
    labels.push(question.toString('latin1', offset + 1, offset + 1 + length))
    offset += 1 + length
  }
  return { name: labels.join('.'), end: offset + 5 }
}

const buildTextRecord = (texts: readonly string[]): Buffer => {
  const data = Buffer.concat(texts.map((text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])))
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

const buildResponse = (question: Buffer): Buffer => {
  const { name, end } = parseQuestionName(question)
  const answers = textRecordsByName[name] ?? []
  const responseCode = name === failingName ? 2 : textRecordsByName[name] === undefined ? 3 : 0
  const head = Buffer.from([
    question[0] as number,
    question[1] as number,
    0x81,
    0x80 | responseCode,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
  ])
  head.writeUInt16BE(answers.length, 6)
  return Buffer.concat([head, question.subarray(12, end), ...answers.map(buildTextRecord)])
}

const createTestResolver = () => systemDnsResolver([`127.0.0.1:${server.address().port}`])

test('joins the strings of a TXT record', async () => {
  expect(await createTestResolver().textRecords('one.example')).toEqual(['hello world'])
  expect(await createTestResolver().textRecords('two.example')).toEqual(['first', 'second'])
})

test('returns nothing for a name without TXT records and for an unknown name', async () => {
  expect(await createTestResolver().textRecords('none.example')).toEqual([])
  expect(await createTestResolver().textRecords('missing.example')).toEqual([])
})

test('rejects when the name server fails', async () => {
  await expect(createTestResolver().textRecords(failingName)).rejects.toThrow()
})

test('resolves localhost with the system resolver', async () => {
  const addresses = await systemDnsResolver().addresses('localhost')
  expect(addresses.length).toBeGreaterThan(0)
  expect(addresses.map(getAddressError)).toEqual(addresses.map(() => 'Requests to loopback addresses are not allowed'))
})
