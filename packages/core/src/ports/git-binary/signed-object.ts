import type { ObjectSignature } from '../git.ts'
import { parseSignature } from './commit-object.ts'
import type { GitRuntime } from './runtime.ts'

/** Far above the size of real commits and tags, which are read into memory. */
const maximumBytes = 16 * 1024 ** 2

/** A header with its continuation lines, which begin with a space (gitformat-signature). */
const signatureHeaders = /^gpgsig(?:-sha256)? [^\n]*\n(?: [^\n]*\n)*/gm

/** The signature of a tag is the last block of its message. */
const blockStarts = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$/gm

const splitCommit = (text: string) => {
  const end = text.indexOf('\n\n') + 1
  const headers = text.slice(0, end)
  const found = (headers.match(signatureHeaders) ?? []).filter((header) => header.startsWith('gpgsig '))
  const signature = found.map((header) => header.slice('gpgsig '.length).replaceAll('\n ', '\n')).join('')
  return { signature, payload: headers.replace(signatureHeaders, '') + text.slice(end) }
}

const splitTag = (text: string) => {
  const start = [...text.matchAll(blockStarts)].at(-1)?.index ?? text.length
  return { signature: text.slice(start), payload: text.slice(0, start) }
}

/** See `Repository.signature`. */
export const readObjectSignature = async (
  { objects }: GitRuntime,
  id: string,
): Promise<ObjectSignature | undefined> => {
  const object = await objects.contents(id, maximumBytes)
  if (object?.type !== 'commit' && object?.type !== 'tag') return undefined
  // Latin-1 keeps all bytes.
  const text = object.content.toString('latin1')
  const { signature, payload } = object.type === 'commit' ? splitCommit(text) : splitTag(text)
  if (signature === '') return undefined
  const signer = /^(?:committer|tagger) (.*)$/m.exec(payload)?.[1] ?? ''
  return { text: signature, payload: Buffer.from(payload, 'latin1'), email: parseSignature(signer).person.email }
}
